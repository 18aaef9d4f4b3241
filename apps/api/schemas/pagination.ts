import { z } from 'zod'
import { booleanField, integerField } from './fields.ts'

export const PaginationSchema = z
  .strictObject({
    total: integerField('Total number of results.', 132),
    limit: integerField('Page size.', 50),
    offset: integerField('Offset of this page.', 0),
    has_more: booleanField('Whether there are more results. Use `offset + limit` for the next page.', true),
  })
  .meta({ id: 'Pagination', description: 'Pagination details.' })

export function serializePagination(
  total: number,
  { limit, offset }: { limit: number; offset: number },
): z.output<typeof PaginationSchema> {
  return { total, limit, offset, has_more: offset + limit < total }
}
