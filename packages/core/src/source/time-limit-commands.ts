import type pg from 'pg'
import { invalidateExports } from './export-validity-commands.ts'
import { resolveSourceClaims } from './source-commands.ts'
import { deleteSourceRows } from './source-row-commands.ts'

/**
 * Applies the limits of licenses on time: catalog attributes that are older than they may be shown fall back to other
 * sources, and rows that may not be kept any longer are deleted. Returns how many were deleted.
 */
export async function applyTimeLimits(pool: pg.Pool, now: Date): Promise<{ deleted: number }> {
  const { rows: sources } = await pool.query<{ id: string; before: string | null }>(
    `select source.id, ($1::timestamptz - license.retention)::date as before
       from source.source join source.license on license.id = source.license_id
      where source.withdrawn_at is null and (license.max_display_age is not null or license.retention is not null)`,
    [now],
  )
  let deleted = 0
  for (const { id, before } of sources) {
    if (before !== null) {
      const counts = await deleteSourceRows(pool, id, { before })
      deleted += Object.values(counts).reduce((sum, count) => sum + count, 0)
    }
    await resolveSourceClaims(pool, id)
  }
  if (sources.length > 0) await invalidateExports(pool)
  return { deleted }
}
