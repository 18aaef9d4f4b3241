import { formatCsv } from '@brickmark/core/primitives/csv'
import { csvDownload } from '../request/csv-download.server.ts'
import { totalRequests, loadDailyUsage } from './usage.server.ts'
import type { Route } from './+types/usage-csv.ts'

const STATUSES = [200, 400, 401, 403, 404, 429, 500, 503]

/** Exports the last 30 days as CSV, one line per key and day. */
export async function loader({ context }: Route.LoaderArgs) {
  const rows = await loadDailyUsage(context)
  const header = ['day', 'key_id', 'key_name', 'credits', 'requests', ...STATUSES.map((status) => `status_${status}`)]
  const lines = rows.map((row) => [
    row.day,
    row.keyId,
    row.keyName,
    row.units,
    totalRequests(row),
    ...STATUSES.map((status) => row.requests[status] ?? 0),
  ])
  return csvDownload('brickmark-usage.csv', formatCsv([header, ...lines]))
}
