import { sql } from 'kysely'
import { accountFunction, callAs, type Database } from '../db/database.ts'
import { decodeDay, decodeInt32s } from '../primitives/packed.ts'
import type { Condition } from '../catalog/condition.ts'
import type { OwnershipInterval, ValuedLot } from './portfolio.ts'

const READ_OWNERSHIP_INTERVALS = accountFunction('portfolio.read_ownership_intervals', 2)

/** Returns ownership intervals: lots held now, and units of lots sold after `since`, each from purchase to sale. */
export async function findOwnershipIntervals(
  db: Database,
  accountId: number,
  since: string,
): Promise<OwnershipInterval[]> {
  const found = await callAs<{ set_numbers: string | null; packed: Buffer | null }>(
    db,
    accountId,
    READ_OWNERSHIP_INTERVALS,
    since,
  )
  if (found.set_numbers === null || found.packed === null) return []
  const integers = decodeInt32s(found.packed)
  return found.set_numbers.split(',').map((setNumber, lot) => {
    const offset = lot * 4
    const quantity = integers[offset]!
    const unitCost = integers[offset + 1]!
    return {
      setNumber,
      condition: quantity < 0 ? 'used' : 'sealed',
      quantity: Math.abs(quantity),
      unitCost: unitCost === -1 ? null : unitCost,
      from: decodeDay(integers[offset + 2]!),
      to: decodeDay(integers[offset + 3]!),
    }
  })
}

/**
 * Returns all purchases still on record, in all collections or in one: lots held now, and units of lots that were sold,
 * each with its share of the sale's price and net proceeds. What the units are worth now is null if they were sold.
 */
export async function findInvestments(db: Database, accountId: number, collectionId?: number) {
  const inCollection = (column: string) =>
    collectionId === undefined ? sql`true` : sql`${sql.ref(column)} = ${collectionId}`
  const { rows } = await sql<{
    item: string
    /** Null if the item isn't a set. */
    set_number: string | null
    condition: Condition | null
    quantity: number
    purchase_price_cents: number | null
    purchase_date: string | null
    unit_value_cents: number | null
    sale_date: string | null
    gross_cents: number | null
    proceeds_cents: number | null
  }>`
    select item, set_number, condition, quantity, purchase_price_cents, purchase_date, value_cents as unit_value_cents,
           null::date as sale_date, null::bigint as gross_cents, null::bigint as proceeds_cents
      from portfolio.lot_item
     where account_id = ${accountId} and quantity > 0 and ${inCollection('collection_id')}
    union all
    select lot.item, lot.set_number, lot.condition, l.quantity, lot.purchase_price_cents, lot.purchase_date, null, s.sale_date,
           round(s.gross_proceeds_cents::numeric * l.quantity / s.quantity)::bigint,
           round((s.gross_proceeds_cents - s.platform_fees_cents - s.payment_fees_cents - s.shipping_cost_cents)::numeric * l.quantity / s.quantity)::bigint
      from portfolio.sale s
      join portfolio.sale_lot l on l.account_id = s.account_id and l.sale_id = s.id
      join portfolio.lot_item lot on lot.account_id = l.account_id and lot.id = l.lot_id
     where s.account_id = ${accountId} and ${inCollection('lot.collection_id')}`.execute(db)
  return rows
}

/** Returns the held lots of minifigs and custom items with what they are worth, and the collection of each. */
export async function findOtherValuedLots(
  db: Database,
  accountId: number,
): Promise<(ValuedLot & { collectionId: number })[]> {
  const { rows } = await sql<{
    collection_id: number
    item: string
    quantity: number
    cost: number | null
    value: number | null
  }>`
    select collection_id, item, quantity, quantity::bigint * purchase_price_cents as cost,
           quantity::bigint * value_cents as value
      from portfolio.lot_item
     where account_id = ${accountId} and set_number is null and quantity > 0`.execute(db)
  return rows.map(({ collection_id: collectionId, ...lot }) => ({ ...lot, collectionId }))
}

const BREAKDOWN_EXPRESSIONS = {
  theme: sql<string>`lot.theme`,
  year: sql<string | null>`lot.release_year::text`,
  status: sql<string>`lot.status`,
  condition: sql<string | null>`lot.condition`,
}

export type BreakdownKey = keyof typeof BREAKDOWN_EXPRESSIONS

/**
 * Returns what is held in all collections or in one by theme, year of release, status or condition, most valuable first.
 * As in the totals, units without a value are left out of all amounts and units of unknown cost out of cost and gain, so
 * value = cost + gain + value of the units of unknown cost. An amount that is known of no unit is null. So is the label of what has no known year or no condition.
 */
export async function findBreakdown(
  db: Database,
  accountId: number,
  collectionId: number | undefined,
  by: BreakdownKey,
) {
  const { rows } = await sql<{
    label: string | null
    items: number
    units: number
    value_cents: number | null
    cost_cents: number | null
    gain_cents: number | null
    value_without_cost_cents: number | null
  }>`
    select ${BREAKDOWN_EXPRESSIONS[by]} as label, count(distinct lot.item) as items, sum(lot.quantity) as units,
           sum(lot.quantity::bigint * lot.value_cents)::bigint as value_cents,
           sum(lot.quantity::bigint * lot.purchase_price_cents) filter (where lot.value_cents is not null)::bigint as cost_cents,
           sum(lot.quantity::bigint * (lot.value_cents - lot.purchase_price_cents))::bigint as gain_cents,
           sum(lot.quantity::bigint * lot.value_cents) filter (where lot.purchase_price_cents is null)::bigint
             as value_without_cost_cents
      from portfolio.lot_item lot
     where lot.account_id = ${accountId} and lot.quantity > 0
       and ${collectionId === undefined ? sql`true` : sql`lot.collection_id = ${collectionId}`}
     group by 1
     order by value_cents desc nulls last, label`.execute(db)
  return rows
}
