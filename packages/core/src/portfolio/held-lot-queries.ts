import { accountFunction, callAs, type Database } from '../db/database.ts'
import { decodeHeldLots, type HeldLot } from './held-lot.ts'
import { averageCost } from './portfolio.ts'

type PackedLots = { set_numbers: string | null; packed: Buffer | null }

const READ_LOTS = accountFunction('portfolio.read_lots', 4)
const READ_HELD_LOTS = accountFunction('portfolio.read_held_lots', 2)
const READ_COLLECTIONS = accountFunction('portfolio.read_collections', 1)

/**
 * Returns one page of the lots an account holds, in all collections or in one, and the total; undefined if the account
 * has no such collection.
 */
export async function findHeldLots(
  db: Database,
  accountId: number,
  { collectionId, limit, offset }: { collectionId?: number | undefined; limit: number; offset: number },
): Promise<{ lots: HeldLot[]; total: number } | undefined> {
  const found = await callAs<PackedLots & { is_found: boolean; total: number }>(
    db,
    accountId,
    READ_LOTS,
    collectionId ?? null,
    limit,
    offset,
  )
  return found.is_found ? { lots: decodeHeldLots(found.set_numbers, found.packed), total: found.total } : undefined
}

/** Returns all lots an account holds, or those of one set. */
export async function findAllHeldLots(
  db: Database,
  accountId: number,
  setNumber: string | null = null,
): Promise<HeldLot[]> {
  const found = await callAs<PackedLots>(db, accountId, READ_HELD_LOTS, setNumber)
  return decodeHeldLots(found.set_numbers, found.packed)
}

/**
 * Returns the sets an account holds in any collection, each with the average cost of the units whose cost is known, in
 * cents; null if it is known of none.
 */
export async function findAverageCosts(
  db: Database,
  accountId: number,
  setNumber: string | null = null,
): Promise<Map<string, number | null>> {
  const lots = await findAllHeldLots(db, accountId, setNumber)
  const sums = new Map<string, { quantity: number; cost: number | null }>()
  for (const { setNumber, quantity, unitCost } of lots) {
    const sum = sums.get(setNumber) ?? { quantity: 0, cost: null }
    sums.set(setNumber, sum)
    if (unitCost === null) continue
    sum.quantity += quantity
    sum.cost = (sum.cost ?? 0) + quantity * unitCost
  }
  return new Map(Array.from(sums, ([setNumber, { quantity, cost }]) => [setNumber, averageCost(cost, quantity)]))
}

type CollectionRow = { id: number; name: string; description: string | null; is_default: boolean; created_at: string }

/** Returns an account's collections, the default first, and all lots in them. */
export async function findCollectionsWithLots(db: Database, accountId: number) {
  const found = await callAs<PackedLots & { collections: CollectionRow[] }>(db, accountId, READ_COLLECTIONS)
  return {
    collections: found.collections.map((collection) => ({
      ...collection,
      created_at: new Date(collection.created_at),
    })),
    lots: decodeHeldLots(found.set_numbers, found.packed),
  }
}
