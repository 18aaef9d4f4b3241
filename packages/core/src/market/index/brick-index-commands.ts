import type { Database } from '../../db/database.ts'
import { FIRST_LEVEL, MIN_INDEX_SETS, nextIndexPoint, type IndexPoint } from './brick-index.ts'
import { ALL_THEMES, findIndexChanges, findLatestIndexPoints } from './brick-index-queries.ts'

/**
 * Adds a month ('YYYY-MM-DD', its first day) to the index of every theme that has enough retired sets. A theme that had too
 * few for some months goes on from its last level, with the changes since then.
 */
export async function extendBrickIndex(db: Database, month: string): Promise<void> {
  const latest = new Map((await findLatestIndexPoints(db)).map((point) => [point.theme, point]))
  const points = new Map<string, IndexPoint>()
  for (const base of new Set([month, ...Array.from(latest.values(), (point) => point.month)])) {
    const changes = await findIndexChanges(db, base, month)
    const byTheme = Map.groupBy(changes, ({ theme }) => theme).set(ALL_THEMES, changes)
    for (const [theme, own] of byTheme) {
      const before = latest.get(theme)
      if ((before?.month ?? month) !== base) continue
      const point = before
        ? nextIndexPoint(
            { level: before.level, logError: before.log_error, sets: before.sets },
            own.map(({ change }) => change),
          )
        : firstPoint(own.length)
      if (point !== undefined) points.set(theme, point)
    }
  }
  if (points.size === 0) return
  await db
    .insertInto('market.brick_index')
    .values(
      Array.from(points, ([theme, { level, logError, sets }]) => ({ theme, month, level, log_error: logError, sets })),
    )
    .execute()
}

/** Deletes the index from a month on, so that it can be extended again month by month. */
export async function deleteIndexFrom(db: Database, month: string): Promise<void> {
  await db.deleteFrom('market.brick_index').where('month', '>=', month).execute()
}

function firstPoint(sets: number): IndexPoint | undefined {
  return sets < MIN_INDEX_SETS ? undefined : { level: FIRST_LEVEL, logError: 0, sets }
}
