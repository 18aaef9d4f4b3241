import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../db/database.ts'
import type { KeyIdentity } from './api-key.ts'

/** Returns an account's keys, newest first, each with its latest request and today's usage. */
export async function findApiKeys(db: Database, accountId: number) {
  const { rows } = await sql<ApiKeyRow>`
    select k.id, k.name, k.last4, k.created_at, k.expires_at, k.revoked_at,
           case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end as state,
           k.id in (${replacedKeys(accountId)}) as replaced, coalesce(q.used, 0) as used_today, p.daily_limit,
           r.at as last_request_at, r.request_id, r.request, r.status, r.error_code, r.error_message, r.client
      from account.api_key k
      join account.account a on a.id = k.account_id
      join account.plan p on p.plan = a.plan
      left join account.api_key_last_request r on r.account_id = k.account_id and r.api_key_id = k.id
      left join account.api_key_quota q on q.account_id = k.account_id and q.api_key_id = k.id
        and q.day = (now() at time zone 'utc')::date
     where k.account_id = ${accountId}
     order by k.id desc`.execute(db)
  return rows
}

/** Whether this key has been replaced by another, even if it still works during the overlap. */
export async function isApiKeyReplaced(db: Database, accountId: number, keyId: number): Promise<boolean> {
  const { rows } = await sql<{ replaced: boolean }>`
    select ${keyId}::bigint in (${replacedKeys(accountId)}) as replaced`.execute(db)
  return rows[0]!.replaced
}

/**
 * Selects replaced keys. Only the audit log records replacement: the key row just has a new name and an expiry, which
 * can have other causes.
 */
function replacedKeys(accountId: number) {
  return sql`select (l.detail->>'key_id')::bigint from account.audit_log l
              where l.account_id = ${accountId} and l.action = 'key.ending'`
}

export type ApiKeyRow = {
  id: number
  name: string
  last4: string
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  state: 'active' | 'expired' | 'revoked'
  /** Whether another key replaced it, even if it still works during the overlap. */
  replaced: boolean
  used_today: number
  daily_limit: number
  /** The key's latest request; all null if it has never been used. */
  last_request_at: Date | null
  request_id: string | null
  request: string | null
  status: number | null
  error_code: string | null
  error_message: string | null
  client: string | null
}

/** Finds the keys with these hashes, whether they are still valid or not, by hash in base64. */
export async function findKeyIdentities(pool: pg.Pool, hashes: Buffer[]): Promise<Map<string, KeyIdentity>> {
  const { rows } = await pool.query<{ hash: Buffer; account_id: number; api_key_id: number }>({
    name: 'identify_keys',
    text: 'select hash, account_id, api_key_id from account.identify_keys($1)',
    values: [hashes],
  })
  return new Map(rows.map((row) => [row.hash.toString('base64'), { accountId: row.account_id, keyId: row.api_key_id }]))
}
