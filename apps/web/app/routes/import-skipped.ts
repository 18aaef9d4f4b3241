import { data, type LoaderFunctionArgs } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findImport } from '@brickmark/core/portfolio/lot-import-queries'
import { idIn } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'
import { download } from '../server/import.ts'

/** The rows that an import left out, with the reasons. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  const id = idIn(params['id'])
  const found = await readAs(servicesOf(context).db, accountId, (as) => findImport(as, accountId, id))
  if (found?.left_out_csv == null) throw data('not found', 404)
  return download(`left-out-${id}.csv`, found.left_out_csv)
}
