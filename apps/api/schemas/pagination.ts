import { z } from 'zod'
import { booleanField, integerField } from './fields.ts'

export const PaginationSchema = z
  .strictObject({
    total: integerField('How many there are in all.', 132),
    limit: integerField('How many were asked for.', 50),
    offset: integerField('How many were skipped.', 0),
    has_more: booleanField('Whether a next page exists: ask again with `offset` + `limit`.', true),
  })
  .meta({ id: 'Pagination', description: 'Where this page lies in the whole list.' })

export function serializePagination(
  total: number,
  { limit, offset }: { limit: number; offset: number },
): z.output<typeof PaginationSchema> {
  return { total, limit, offset, has_more: offset + limit < total }
}
