import type { LoaderFunctionArgs } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findLotsToExport } from '@brickmark/core/portfolio/lot-queries'
import { exportLots } from '@brickmark/core/portfolio/lot-export'
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
