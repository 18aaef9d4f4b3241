import { z } from 'zod'
import { flag, whole } from './fields.ts'

export const PaginationShape = z
  .strictObject({
    total: whole('How many there are in all.', 132),
    limit: whole('How many were asked for.', 50),
    offset: whole('How many were skipped.', 0),
    has_more: flag('Whether a next page exists: ask again with `offset` + `limit`.', true),
  })
  .meta({ id: 'Pagination', description: 'Where this page lies in the whole list.' })

export function presentPagination(
  total: number,
  { limit, offset }: { limit: number; offset: number },
): z.output<typeof PaginationShape> {
  return { total, limit, offset, has_more: offset + limit < total }
}
