import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { dayNumber } from '../primitives/calendar.ts'
import { decodeInt32s } from '../primitives/int32.ts'
import { averageCost, type HoldingInterval } from './portfolio.ts'

/**
 * Returns the sets an account holds in any collection, each with the average cost of the units whose cost is known, in
 * cents; null if it is known of none.
 */
export async function findAverageCosts(
  db: Database,
  accountId: number,
  setNumber?: string,
): Promise<Map<string, number | null>> {
  const { rows } = await sql<{ set_number: string; quantity: number; cost_cents: number | null }>`
    select set_number, coalesce(sum(quantity) filter (where purchase_price_cents is not null), 0) as quantity,
           sum(quantity::bigint * purchase_price_cents)::bigint as cost_cents
      from portfolio.lot
     where account_id = ${accountId} and quantity > 0 and ${setNumber === undefined ? sql`true` : sql`set_number = ${setNumber}`}
     group by set_number`.execute(db)
  return new Map(rows.map((row) => [row.set_number, averageCost(row.cost_cents, row.quantity)]))
}

/**
 * Returns holding intervals: lots held now, and units of lots sold after `since`, each from purchase to sale. Packs
 * everything into one row: for an account with thousands of lots, decoding rows value by value takes most of the time.
 */
export async function findHoldingIntervals(db: Database, accountId: number, since: string): Promise<HoldingInterval[]> {
  const { rows } = await sql<{ set_numbers: string; packed: Buffer }>`
    with lot as (
      select set_number, condition, quantity, purchase_price_cents, purchase_date, null::date as sale_date
        from portfolio.lot
       where account_id = ${accountId} and quantity > 0
      union all
      select h.set_number, h.condition, l.quantity, h.purchase_price_cents, h.purchase_date, s.sale_date
        from portfolio.sale s
        join portfolio.sale_lot l on l.account_id = s.account_id and l.sale_id = s.id
        join portfolio.lot h on h.account_id = l.account_id and h.id = l.lot_id
       where s.account_id = ${accountId} and s.sale_date > ${since}
    )
    select string_agg(set_number, ',') as set_numbers,
           string_agg(int4send(case condition when 'used' then -quantity else quantity end)
             || int4send(coalesce(purchase_price_cents, -1)) || date_send(coalesce(purchase_date, 'infinity'))
             || date_send(coalesce(sale_date, 'infinity')), ''::bytea) as packed
      from lot
    having count(*) > 0`.execute(db)
  const [all] = rows
  if (all === undefined) return []
  const integers = decodeInt32s(all.packed)
  return all.set_numbers.split(',').map((setNumber, lot) => {
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

/** The epoch of `date_send`. */
const POSTGRES_EPOCH = dayNumber('2000-01-01')

const INFINITY = 2_147_483_647

function decodeDay(day: number): number | null {
  return day === INFINITY ? null : day + POSTGRES_EPOCH
}

/**
 * Returns all purchases still on record, in all collections or in one: lots held now, and units of lots that were sold,
 * each with its share of the sale's price and net proceeds.
 */
export async function findInvestments(db: Database, accountId: number, collectionId?: number) {
  const inCollection = (column: string) =>
    collectionId === undefined ? sql`true` : sql`${sql.ref(column)} = ${collectionId}`
  const { rows } = await sql<{
    set_number: string
    condition: 'sealed' | 'used'
    quantity: number
    purchase_price_cents: number | null
    purchase_date: string | null
    sale_date: string | null
    gross_cents: number | null
    proceeds_cents: number | null
  }>`
    select set_number, condition, quantity, purchase_price_cents, purchase_date, null::date as sale_date,
           null::bigint as gross_cents, null::bigint as proceeds_cents
      from portfolio.lot
     where account_id = ${accountId} and quantity > 0 and ${inCollection('collection_id')}
    union all
    select h.set_number, h.condition, l.quantity, h.purchase_price_cents, h.purchase_date, s.sale_date,
           round(s.gross_proceeds_cents::numeric * l.quantity / s.quantity)::bigint,
           round((s.gross_proceeds_cents - s.platform_fees_cents - s.payment_fees_cents - s.shipping_cost_cents)::numeric * l.quantity / s.quantity)::bigint
      from portfolio.sale s
      join portfolio.sale_lot l on l.account_id = s.account_id and l.sale_id = s.id
      join portfolio.lot h on h.account_id = l.account_id and h.id = l.lot_id
     where s.account_id = ${accountId} and ${inCollection('h.collection_id')}`.execute(db)
  return rows
}

/**
 * Returns the units each collection holds and their total cost, by set and condition. Units whose cost is unknown have a
 * row of their own, with null.
 */
export async function findHoldingTotalsBySet(db: Database, accountId: number) {
  const { rows } = await sql<{
    collection_id: number
    set_number: string
    condition: 'sealed' | 'used'
    quantity: number
    cost_cents: number | null
  }>`
    select collection_id, set_number, condition, sum(quantity) as quantity, sum(quantity::bigint * purchase_price_cents)::bigint as cost_cents
      from portfolio.lot
     where account_id = ${accountId} and quantity > 0
     group by collection_id, set_number, condition, purchase_price_cents is null`.execute(db)
  return rows
}

const BREAKDOWN_EXPRESSIONS = {
  theme: sql<string>`s.theme`,
  year: sql<string | null>`extract(year from s.release_date)::text`,
  status: sql<string>`h.status`,
  condition: sql<string>`h.condition`,
}

export type BreakdownKey = keyof typeof BREAKDOWN_EXPRESSIONS

/**
 * Returns what is held in all collections or in one by theme, year of release, status or condition, most valuable first.
 * As in the totals, units without a value are left out of all amounts and units of unknown cost out of cost and gain; an
 * amount that is known of no unit is null. So is the label of sets whose year is unknown.
 */
export async function findBreakdown(
  db: Database,
  accountId: number,
  collectionId: number | undefined,
  by: BreakdownKey,
) {
  const { rows } = await sql<{
    label: string | null
    sets: number
    units: number
    value_cents: number | null
    cost_cents: number | null
    gain_cents: number | null
  }>`
    select ${BREAKDOWN_EXPRESSIONS[by]} as label, count(distinct h.set_number) as sets, sum(h.quantity) as units,
           sum(h.quantity::bigint * v.value_cents)::bigint as value_cents,
           sum(h.quantity::bigint * h.purchase_price_cents) filter (where v.value_cents is not null)::bigint as cost_cents,
           sum(h.quantity::bigint * (v.value_cents - h.purchase_price_cents))::bigint as gain_cents
      from portfolio.lot h
      join catalog.set s using (set_number)
      left join market.set_value v on v.set_number = h.set_number and v.condition = h.condition
     where h.account_id = ${accountId} and h.quantity > 0
       and ${collectionId === undefined ? sql`true` : sql`h.collection_id = ${collectionId}`}
     group by 1
     order by value_cents desc nulls last, label`.execute(db)
  return rows
}

/**
 * Returns the holdings of all collections by month of purchase, without those whose date is unknown. The cost is null if
 * it is known of none in that month.
 */
export async function findMonthlyPeriods(db: Database, accountId: number) {
  const { rows } = await sql<{ month: string; entry_count: number; items: number; cost_cents: number | null }>`
    select to_char(purchase_date, 'YYYY-MM') as month, count(*) as entry_count, sum(quantity) as items,
           sum(quantity::bigint * purchase_price_cents)::bigint as cost_cents
      from portfolio.lot
     where account_id = ${accountId} and quantity > 0 and purchase_date is not null
     group by 1
     order by 1`.execute(db)
  return rows
}
