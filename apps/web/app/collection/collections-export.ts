import { readAs } from '@brickmark/core/db/database'
import { findLotsToExport } from '@brickmark/core/portfolio/lot-queries'
import { lotsToCsv } from '@brickmark/core/portfolio/lot-export'
import { requireOwnedCollection } from './collection.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { csvDownload } from '../request/csv-download.server.ts'
import type { Route } from './+types/collections-export.ts'

/** Exports all lots, or those of one collection, as Brickmark CSV; importing the file restores them exactly. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const collectionParam = new URL(request.url).searchParams.get('collection')
  const lots = await readAs(getServices(context).db, accountId, async (tx) =>
    findLotsToExport(
      tx,
      accountId,
      collectionParam === null ? undefined : await requireOwnedCollection(tx, accountId, collectionParam),
    ),
  )
  return csvDownload('brickmark-collections.csv', lotsToCsv(lots))
}
