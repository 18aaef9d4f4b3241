import { data } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findImport } from '@brickmark/core/portfolio/lot-import-queries'
import { parseId } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { csvDownload } from '../request/csv-download.server.ts'
import type { Route } from './+types/import-skipped.ts'

/** Downloads the rows that an import skipped, with the reasons. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const id = parseId(params.id)
  const found = await readAs(getServices(context).db, accountId, (tx) => findImport(tx, accountId, id))
  if (found?.skipped_csv == null) throw data('not found', 404)
  return csvDownload(`skipped-${id}.csv`, found.skipped_csv)
}
