import type { Database } from '@brickmark/core/db/database'
import { findCostBasisBySet } from '@brickmark/core/portfolio/portfolio-queries'
import { averageCost } from '@brickmark/core/portfolio/portfolio'

/** Returns the caller's average unit cost in cents for each set held. */
export async function averageCostBySet(
  db: Database,
  accountId: number,
  setNumber?: string,
): Promise<Map<string, number>> {
  const rows = await findCostBasisBySet(db, accountId, setNumber)
  return new Map(rows.map((row) => [row.set_number, averageCost(row.cost_cents, row.quantity)]))
}

/** Returns the caller's average unit cost of a set in cents, or undefined if none is held. */
export async function averageCostOf(db: Database, accountId: number, setNumber: string): Promise<number | undefined> {
  return (await averageCostBySet(db, accountId, setNumber)).get(setNumber)
}
