import { randomBytes } from 'node:crypto'
import { createApiKey } from '../db/write/api-key.ts'
import type { Database } from '../db/database.ts'
import { composeKey, hashKey } from '../domain/api-key.ts'

/** Makes a key and returns its text, which exists nowhere else and cannot be shown again. */
export async function issueKey(
  db: Database,
  peppers: string[],
  { accountId, name, expiresAt = null }: { accountId: number; name: string; expiresAt?: Date | null },
): Promise<{ id: number; key: string }> {
  const key = composeKey(randomBytes(20))
  const result = await createApiKey(db, {
    accountId,
    name,
    hash: hashKey(key, peppers.at(-1)!),
    pepperVersion: peppers.length,
    last4: key.slice(-4),
    expiresAt,
    actor: 'operator',
  })
  if (!result.created) throw new Error(`Account ${accountId} gets no key: ${result.reason}.`)
  return { id: result.id, key }
}
