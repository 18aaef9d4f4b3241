import { readAs } from '@brickmark/core/db/database'
import { findAccountExport } from '@brickmark/core/account/account-export-queries'
import { getServices, requireUser } from '../request/context.server.ts'
import { requireRecentSignIn } from '../request/session.server.ts'
import type { Route } from './+types/account-export.ts'

/**
 * Exports all data of the account as JSON; the format is documented in
 * apps/docs/src/content/docs/account-export-format.md.
 */
export async function loader({ context }: Route.LoaderArgs) {
  requireRecentSignIn(context, '/account')
  const { accountId, userId } = requireUser(context)
  const everything = await readAs(getServices(context).db, accountId, (tx) => findAccountExport(tx, accountId, userId))
  const exportedAt = new Date().toISOString()
  const file = { format: 'brickmark-account', version: 1, exported_at: exportedAt, ...everything }
  return new Response(`${JSON.stringify(file, null, 1)}\n`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="brickmark-account-${exportedAt.slice(0, 10)}.json"`,
    },
  })
}
