import { Command } from 'commander'
import { z } from 'zod'
import { issueKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { Peppers } from '@brickmark/core/account/peppers'
import { parseEnvironment } from '@brickmark/core/runtime/environment'
import { parseEndOfDay, parsePositiveInt } from '../arguments.ts'
import { withDatabase } from '../context.ts'

export const keyCreateCommand = new Command('key-create')
  .description('create an API key and print it once')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<name>', 'what the key is for')
  .option('--expires <date>', 'expiry date (inclusive), e.g. 2027-01-31', parseEndOfDay)
  .action((accountId: number, name: string, { expires }: { expires?: Date }) =>
    withDatabase(async (db) => {
      const { API_KEY_PEPPERS: peppers } = parseEnvironment(z.object({ API_KEY_PEPPERS: Peppers }), process.env)
      const { id: keyId, key } = await issueKey(db, peppers, { accountId, name, expiresAt: expires ?? null })
      process.stderr.write(`Created key ${keyId} for account ${accountId}. This is the only time it’s shown:\n`)
      process.stdout.write(`${key}\n`)
    }),
  )

export const keyRevokeCommand = new Command('key-revoke')
  .description('revoke an API key immediately')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<key-id>', undefined, parsePositiveInt)
  .action((accountId: number, keyId: number) =>
    withDatabase(async (db) => {
      const revoked = await revokeApiKey(db, { accountId, keyId, actor: 'operator' })
      if (!revoked) throw new Error(`Account ${accountId} has no active key ${keyId}.`)
      process.stdout.write(`Revoked key ${keyId}.\n`)
    }),
  )
