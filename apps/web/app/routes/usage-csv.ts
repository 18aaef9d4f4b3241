import type { LoaderFunctionArgs } from 'react-router'
import { csvLine } from '@brickmark/core/primitives/csv'
import { totalRequests, loadUsageRows } from '../server/usage.ts'

const STATUSES = [200, 400, 401, 403, 404, 429, 500, 503]

/** Exports the last 30 days as CSV, one line per key and day. */
export async function loader({ context }: LoaderFunctionArgs) {
  const rows = await loadUsageRows(context)
  const head = csvLine([
    'day',
    'key_id',
    'key_name',
    'units',
    'requests',
    ...STATUSES.map((status) => `status_${status}`),
  ])
  const lines = rows.map((row) =>
    csvLine([
      row.day,
      row.key_id,
      row.key_name,
      row.units,
      totalRequests(row),
      ...STATUSES.map((s) => row.requests[s] ?? 0),
    ]),
  )
  return new Response([head, ...lines].join(''), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="brickmark-usage.csv"',
    },
  })
}
