import type { Database } from '../db/database.ts'

/** Returns the message that pages show now. */
export async function findAnnouncement(db: Database, now: Date): Promise<{ message: string; until: Date } | undefined> {
  const latest = await db
    .selectFrom('account.announcement')
    .select(['message', 'until'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (latest === undefined || latest.message === null || latest.until <= now) return undefined
  return { message: latest.message, until: latest.until }
}
