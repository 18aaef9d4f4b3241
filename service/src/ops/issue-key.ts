import type { Database } from '../db/database.ts'
import { issueApiKey } from '../db/write/issue-api-key.ts'

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
