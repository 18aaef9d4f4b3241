import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, inTransaction } from '../db/database.ts'
import { isApiKeyReplaced } from './api-key-queries.ts'
import { buildKey, hashKey } from './api-key.ts'
import { appendAuditLog } from './audit-log-commands.ts'

const MAX_CREATED_PER_DAY = 10

export type NewApiKey = {
  accountId: number
  name: string
  /** Refuse it when an active key has this name: a form that is sent again must not make a second key. */
  requireUniqueName?: boolean
  hash: Buffer
  pepperVersion: number
  last4: string
  expiresAt: Date | null
  actor: string
}

export type CreateApiKeyResult =
  | { created: true; id: number }
  | { created: false; reason: 'name taken' | 'no free slot' | 'too many today' }

/**
 * Stores a key in one of the account's five slots. A unique constraint holds the five, whatever this code does; the
 * daily limit on creations keeps re-creation from multiplying the quota.
 */
export async function createApiKey(db: Database, key: NewApiKey): Promise<CreateApiKeyResult> {
  return inTransaction(db, async (transaction) => {
    // One creation at a time for an account, so that what is counted below is still true when the row is written.
    await lockAccount(transaction, key.accountId)
    const { rows } = await sql<{ name_taken: boolean; created_today: number; free_slot: number | null }>`
      select coalesce(bool_or(name = ${key.name} and revoked_at is null
                              and (expires_at is null or expires_at > now())), false) as name_taken,
             count(*) filter (where created_at >= date_trunc('day', now(), 'utc')) as created_today,
             (select min(s) from generate_series(1, 5) s
               where s not in (select k.slot from account.api_key k where k.account_id = ${key.accountId}
                                  and k.slot is not null and (k.expires_at is null or k.expires_at > now()))) as free_slot
        from account.api_key
       where account_id = ${key.accountId}`.execute(transaction)
    const { name_taken, created_today, free_slot } = rows[0]!
    if (key.requireUniqueName === true && name_taken) return { created: false, reason: 'name taken' }
    if (created_today >= MAX_CREATED_PER_DAY) return { created: false, reason: 'too many today' }
    if (free_slot === null) return { created: false, reason: 'no free slot' }
    await freeSlot(transaction, key.accountId, free_slot)
    const { id } = await transaction
      .insertInto('account.api_key')
      .values({
        account_id: key.accountId,
        name: key.name,
        last4: key.last4,
        slot: free_slot,
        expires_at: key.expiresAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await transaction
      .insertInto('account.api_key_directory')
      .values({ hash: key.hash, account_id: key.accountId, key_id: id, pepper_version: key.pepperVersion })
      .execute()
    const detail = { key_id: id, name: key.name, last4: key.last4 }
    await appendAuditLog(transaction, { accountId: key.accountId, actor: key.actor, action: 'key.created', detail })
    return { created: true, id }
  })
}

/** Lets nobody else make or replace a key of this account until the transaction ends. */
async function lockAccount(db: Database, accountId: number): Promise<void> {
  await db
    .selectFrom('account.account')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** An expired key no longer counts among the five: it leaves its slot to the new one. */
async function freeSlot(db: Database, accountId: number, slot: number): Promise<void> {
  await db
    .updateTable('account.api_key')
    .set({ slot: null })
    .where('account_id', '=', accountId)
    .where('slot', '=', slot)
    .execute()
}

/** Ends a key at once: when this returns, no request with it can succeed. False when there was no such active key. */
export async function revokeApiKey(
  db: Database,
  { accountId, keyId, actor }: { accountId: number; keyId: number; actor: string },
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const revoked = await transaction
      .updateTable('account.api_key')
      .set({ revoked_at: sql`now()`, slot: null })
      .where('account_id', '=', accountId)
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .returning(['id', 'name'])
      .executeTakeFirst()
    if (!revoked) return false
    const detail = { key_id: keyId, name: revoked.name }
    await appendAuditLog(transaction, { accountId, actor, action: 'key.revoked', detail })
    return true
  })
}

/** A key that another replaces: it works on for a while, under a name that says so. */
type ExpiringKey = { accountId: number; keyId: number; name: string; expiresAt: Date; actor: string }

/** Makes a key end at this time, if it would not end sooner. False when there is no such active key. */
async function scheduleApiKeyExpiry(
  db: Database,
  { accountId, keyId, name, expiresAt, actor }: ExpiringKey,
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const updated = await transaction
      .updateTable('account.api_key')
      .set({ name, expires_at: sql`least(expires_at, ${expiresAt})` })
      .where('account_id', '=', accountId)
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .returning('expires_at')
      .executeTakeFirst()
    if (!updated) return false
    const detail = { key_id: keyId, name, expires_at: updated.expires_at }
    await appendAuditLog(transaction, { accountId, actor, action: 'key.ending', detail })
    return true
  })
}

type IssueKeyOptions = Pick<NewApiKey, 'accountId' | 'name' | 'requireUniqueName' | 'expiresAt' | 'actor'>

/** Makes a key. Its text exists nowhere else and cannot be shown again; new keys are hashed under the last pepper. */
export async function issueApiKey(
  db: Database,
  peppers: string[],
  { accountId, name, requireUniqueName = false, expiresAt, actor }: IssueKeyOptions,
): Promise<(CreateApiKeyResult & { created: false }) | { created: true; id: number; key: string }> {
  const key = buildKey(randomBytes(20))
  const result = await createApiKey(db, {
    accountId,
    name,
    requireUniqueName,
    hash: hashKey(key, peppers.at(-1)!),
    pepperVersion: peppers.length,
    last4: key.slice(-4),
    expiresAt,
    actor,
  })
  return result.created ? { ...result, key } : result
}

/** Thrown so that a replacement that cannot be made leaves the old key as it was. */
export class KeyIssueError extends Error {
  readonly reason: (CreateApiKeyResult & { created: false })['reason'] | 'no such key' | 'replaced already'

  constructor(reason: KeyIssueError['reason']) {
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
    if (await isApiKeyReplaced(transaction, old.accountId, old.keyId)) throw new KeyIssueError('replaced already')
    const end = new Date(Date.now() + overlapMs)
    const name = `${old.name} (until ${end.toISOString().slice(0, 10)})`
    const ended =
      overlapMs === 0
        ? await revokeApiKey(transaction, { ...old, actor })
        : await scheduleApiKeyExpiry(transaction, { ...old, name, expiresAt: end, actor })
    if (!ended) throw new KeyIssueError('no such key')
    const { accountId } = old
    const issued = await issueApiKey(transaction, peppers, { accountId, name: old.name, expiresAt, actor })
    if (!issued.created) throw new KeyIssueError(issued.reason)
    return issued
  })
}

/** The operator makes a key for an account; returns its text, which cannot be shown again. */
export async function issueKey(
  db: Database,
  peppers: string[],
  { accountId, name, expiresAt = null }: { accountId: number; name: string; expiresAt?: Date | null },
): Promise<{ id: number; key: string }> {
  const result = await issueApiKey(db, peppers, { accountId, name, expiresAt, actor: 'operator' })
  if (!result.created) throw new Error(`Account ${accountId} gets no key: ${result.reason}.`)
  return result
}
