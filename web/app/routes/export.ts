import type { LoaderFunctionArgs } from 'react-router'
import { readAs } from '@brickmark/service/db/database'
import { findLotsToExport } from '@brickmark/service/db/read/lot'
import { exportLots } from '@brickmark/service/domain/lot-import/csv'
import { ownCollectionId } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'
import { download } from '../server/import.ts'

/** Everything held, or one collection, in our own format: an import gives it back exactly. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  const only = new URL(request.url).searchParams.get('collection')
  const lots = await readAs(servicesOf(context).db, accountId, async (as) =>
    findLotsToExport(as, accountId, only === null ? undefined : await ownCollectionId(as, accountId, only)),
  )
  return download('brickmark-collections.csv', exportLots(lots))
}
