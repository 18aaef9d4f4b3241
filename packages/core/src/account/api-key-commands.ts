import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, joinTransaction } from '../db/database.ts'
import { isApiKeyReplaced } from './api-key-queries.ts'
import { buildKey, hashKey } from './api-key.ts'
import { appendAuditLog } from './audit-log-commands.ts'

const MAX_CREATED_PER_DAY = 10

export type NewApiKey = {
  accountId: number
  name: string
  /** Rejects the key if an active key has the same name, so that resubmitting a form doesn't create a second key. */
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
 * Stores a key in one of the account's five slots. A unique constraint enforces the limit of five independently of this
 * code; the daily limit on creations keeps users from multiplying their quota by recreating keys.
 */
export async function createApiKey(db: Database, key: NewApiKey): Promise<CreateApiKeyResult> {
  return joinTransaction(db, async (transaction) => {
    // Serialize creations per account, so that the counts below still hold when the row is inserted.
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
      .values({ hash: key.hash, account_id: key.accountId, api_key_id: id, pepper_version: key.pepperVersion })
      .execute()
    const detail = { key_id: id, name: key.name, last4: key.last4 }
    await appendAuditLog(transaction, { accountId: key.accountId, actor: key.actor, action: 'key.created', detail })
    return { created: true, id }
  })
}

/** Blocks concurrent creation and replacement of this account's keys until the transaction ends. */
async function lockAccount(db: Database, accountId: number): Promise<void> {
  await db.selectFrom('account.account').select('id').where('id', '=', accountId).forUpdate().executeTakeFirstOrThrow()
}

/** Frees the slot of an expired key, which no longer counts toward the limit of five, for the new key. */
async function freeSlot(db: Database, accountId: number, slot: number): Promise<void> {
  await db
    .updateTable('account.api_key')
    .set({ slot: null })
    .where('account_id', '=', accountId)
    .where('slot', '=', slot)
    .execute()
}

/**
 * Revokes a key immediately: once this returns, no request with the key can succeed. Returns false if there is no such
 * active key.
 */
export async function revokeApiKey(
  db: Database,
  { accountId, keyId, actor }: { accountId: number; keyId: number; actor: string },
): Promise<boolean> {
  return joinTransaction(db, async (transaction) => {
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

/** Revokes all active keys of an account; returns how many. */
export async function revokeAllApiKeys(db: Database, accountId: number, actor: string): Promise<number> {
  return joinTransaction(db, async (transaction) => {
    await lockAccount(transaction, accountId)
    const keys = await transaction
      .selectFrom('account.api_key')
      .select('id')
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', sql<Date>`now()`)]))
      .orderBy('id')
      .execute()
    for (const { id } of keys) await revokeApiKey(transaction, { accountId, keyId: id, actor })
    return keys.length
  })
}

/** A replaced key that keeps working until `expiresAt`, under a name that says so. */
type ExpiringKey = { accountId: number; keyId: number; name: string; expiresAt: Date; actor: string }

/** Sets a key's expiry unless it already expires earlier. Returns false if there is no such active key. */
async function scheduleApiKeyExpiry(
  db: Database,
  { accountId, keyId, name, expiresAt, actor }: ExpiringKey,
): Promise<boolean> {
  return joinTransaction(db, async (transaction) => {
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

/**
 * Creates a key and returns its text, which isn't stored and can't be shown again. New keys are hashed with the last
 * pepper.
 */
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

/** Thrown to roll back a failed replacement, so that the old key stays unchanged. */
export class KeyIssueError extends Error {
  readonly reason: (CreateApiKeyResult & { created: false })['reason'] | 'no such key' | 'replaced already'

  constructor(reason: KeyIssueError['reason']) {
    super(reason)
    this.reason = reason
  }
}

/**
 * Creates a key with the name of an existing key. The old key keeps working for `overlapMs`, or is revoked immediately
 * if that is 0. A key can be replaced only once, so that resubmitting a form doesn't create a second key.
 */
export async function replaceApiKey(
  db: Database,
  peppers: string[],
  old: { accountId: number; keyId: number; name: string },
  { overlapMs, expiresAt, actor }: { overlapMs: number; expiresAt: Date | null; actor: string },
): Promise<{ id: number; key: string }> {
  return joinTransaction(db, async (transaction) => {
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

/** Creates a key for an account on behalf of the operator; returns its text, which can't be shown again. */
export async function issueKey(
  db: Database,
  peppers: string[],
  { accountId, name, expiresAt = null }: { accountId: number; name: string; expiresAt?: Date | null },
): Promise<{ id: number; key: string }> {
  const result = await issueApiKey(db, peppers, { accountId, name, expiresAt, actor: 'operator' })
  if (!result.created) throw new Error(`Cannot create a key for account ${accountId}: ${result.reason}.`)
  return result
}
