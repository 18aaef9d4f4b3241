import { data, type RouterContextProvider } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findApiKeys, type ApiKeyRow } from '@brickmark/core/account/api-key-queries'
import type { ApiKeyView } from './first-request.tsx'
import { getServices, requireUser } from '../request/context.server.ts'

type Context = Readonly<RouterContextProvider>

/** Returns the account's API keys, without secrets. */
export async function listKeys(context: Context): Promise<ApiKeyView[]> {
  const { db } = getServices(context)
  const { accountId } = requireUser(context)
  return (await readAs(db, accountId, (tx) => findApiKeys(tx, accountId))).map(toKeyView)
}

/** Returns one key by id; throws 404 if it does not exist or belongs to another account. */
export async function getKey(context: Context, id: string | undefined): Promise<ApiKeyView> {
  const key = (await listKeys(context)).find((key) => String(key.id) === id)
  if (!key) throw data('not found', 404)
  return key
}

function toKeyView(row: ApiKeyRow): ApiKeyView {
  return {
    id: row.id,
    name: row.name,
    maskedKey: `bmk_live_…${row.last4}`,
    state: row.state,
    rotated: row.replaced,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    endedAt: (row.revoked_at ?? row.expires_at)?.toISOString() ?? null,
    usedToday: row.used_today,
    dailyLimit: row.daily_limit,
    lastRequest:
      row.last_request_at === null || row.status === null
        ? null
        : {
            at: row.last_request_at.toISOString(),
            id: row.request_id ?? '',
            request: row.request ?? '',
            status: row.status,
            error: row.error_code === null ? null : `${row.error_code}: ${row.error_message ?? ''}`,
            client: row.client ?? 'Unknown client',
          },
  }
}

/** Returns the expiry for the form's choice of days; null means that the key never expires. */
export function parseExpiry(choice: string): Date | null {
  const days = { '90': 90, '365': 365 }[choice]
  return days === undefined ? null : new Date(Date.now() + days * 86_400_000)
}

/** Error messages by the reason why a key could not be created. */
export const KEY_ERRORS = {
  'name taken': 'You already have an active key with this name.',
  'no free slot': 'You’ve reached the limit of 5 active keys. Revoke one first.',
  'too many today': 'You’ve created 10 keys today, the daily maximum. Try again after midnight UTC.',
  'no such key': 'That key is no longer active.',
  'replaced already': 'This key has already been rotated.',
}
