import { randomBytes } from 'node:crypto'
import { inTransaction, type Database } from '../database.ts'
import { composeKey, hashKey } from '../../domain/api-key.ts'
import { isReplaced } from '../read/api-key.ts'
import { createApiKey, endApiKey, lockAccount, revokeApiKey, type CreatedApiKey, type NewApiKey } from './api-key.ts'

type IssuedKey = Pick<NewApiKey, 'accountId' | 'name' | 'nameOnce' | 'expiresAt' | 'actor'>

/** Makes a key. Its text exists nowhere else and cannot be shown again; new keys are hashed under the last pepper. */
export async function issueApiKey(
  db: Database,
  peppers: string[],
  { accountId, name, nameOnce = false, expiresAt, actor }: IssuedKey,
): Promise<(CreatedApiKey & { created: false }) | { created: true; id: number; key: string }> {
  const key = composeKey(randomBytes(20))
  const result = await createApiKey(db, {
    accountId,
    name,
    nameOnce,
    hash: hashKey(key, peppers.at(-1)!),
    pepperVersion: peppers.length,
    last4: key.slice(-4),
    expiresAt,
    actor,
  })
  return result.created ? { ...result, key } : result
}

/** Thrown so that a replacement that cannot be made leaves the old key as it was. */
export class KeyRefused extends Error {
  readonly reason: (CreatedApiKey & { created: false })['reason'] | 'no such key' | 'replaced already'

  constructor(reason: KeyRefused['reason']) {
    super(reason)
    this.reason = reason
  }
}

/**
 * Makes a key under the name of another, which works on for `overlapMs` or, at 0, ends at once. A key is replaced once: a
 * form that is sent again must not make a second key.
 */
export async function replaceApiKey(
  db: Database,
  peppers: string[],
  old: { accountId: number; keyId: number; name: string },
  { overlapMs, expiresAt, actor }: { overlapMs: number; expiresAt: Date | null; actor: string },
): Promise<{ id: number; key: string }> {
  return inTransaction(db, async (transaction) => {
    await lockAccount(transaction, old.accountId)
    if (await isReplaced(transaction, old.accountId, old.keyId)) throw new KeyRefused('replaced already')
    const end = new Date(Date.now() + overlapMs)
    const name = `${old.name} (until ${end.toISOString().slice(0, 10)})`
    const ended =
      overlapMs === 0
        ? await revokeApiKey(transaction, { ...old, actor })
        : await endApiKey(transaction, { ...old, name, expiresAt: end, actor })
    if (!ended) throw new KeyRefused('no such key')
    const { accountId } = old
    const made = await issueApiKey(transaction, peppers, { accountId, name: old.name, expiresAt, actor })
    if (!made.created) throw new KeyRefused(made.reason)
    return made
  })
}
