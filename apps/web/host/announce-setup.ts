import { findSetupNonce } from '@brickmark/core/account/setup-queries'
import { setupToken } from '@brickmark/core/account/setup-token'
import type { Database } from '@brickmark/core/db/database'
import type { WebConfig } from './config.ts'
import { log } from './log.ts'

/** Writes to the log where the first operator sets up the service, if there has been none yet. */
export async function announceSetup(db: Database, { secret, publicUrl }: WebConfig): Promise<void> {
  const nonce = await findSetupNonce(db)
  if (nonce === undefined) return
  log.warn(
    { url: `${publicUrl}/setup?token=${setupToken(secret, nonce)}` },
    'no operator yet: open the address to set up',
  )
}
