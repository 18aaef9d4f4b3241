import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * Runs `submit` unless the form with this token was submitted before; returns undefined in that case. A result that is a
 * string says why nothing was saved, so the form can be submitted again. Call it in the transaction that saves.
 */
export async function submitOnce<T>(
  db: Database,
  accountId: number,
  token: string,
  submit: () => Promise<T>,
): Promise<T | undefined> {
  const { rows } = await sql`
    with expired as (
      delete from portfolio.form_submission
       where account_id = ${accountId} and submitted_at < now() - interval '2 days'
    )
    insert into portfolio.form_submission (account_id, token) values (${accountId}, ${token})
    on conflict do nothing
    returning token`.execute(db)
  if (rows.length === 0) return undefined
  const result = await submit()
  if (typeof result === 'string') {
    await db
      .deleteFrom('portfolio.form_submission')
      .where('account_id', '=', accountId)
      .where('token', '=', token)
      .execute()
  }
  return result
}
