import { sql } from 'kysely'
import type { Condition } from '../../catalog/condition.ts'
import type { Valuation } from '../valuation/estimate.ts'
import type { Database } from '../../db/database.ts'
import { formatDay } from '../../primitives/calendar.ts'

/** Values are capped at $10 million; no real value comes close. */
const MAX_CENTS = 999_999_999

/** Publishes set values; listeners are notified when the transaction commits. */
export async function publishSetValues(
  db: Database,
  values: { number: string; condition: Condition; valuation: Valuation }[],
  now: Date,
): Promise<void> {
  const rows = values.map(({ number, condition, valuation }) => ({
    number,
    condition,
    ...publishedColumns(valuation),
  }))
  await sql`
    insert into market.set_value (set_number, condition, value_cents, range_low_cents, range_high_cents, data_tier,
      effective_sales, sellers, last_sold_on, doubtful, calculated_at)
    select number, condition, value_cents, range_low_cents, range_high_cents, data_tier,
           effective_sales, sellers, last_sold_on, doubtful, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v (number text, condition text, value_cents integer,
        range_low_cents integer, range_high_cents integer, data_tier text, effective_sales integer, sellers integer,
        last_sold_on date, doubtful boolean)
    on conflict (set_number, condition) do update set value_cents = excluded.value_cents, range_low_cents = excluded.range_low_cents,
      range_high_cents = excluded.range_high_cents, data_tier = excluded.data_tier, effective_sales = excluded.effective_sales,
      sellers = excluded.sellers, last_sold_on = excluded.last_sold_on, doubtful = excluded.doubtful, calculated_at = excluded.calculated_at`.execute(
    db,
  )
  const diagnostics = values.map(({ number, condition, valuation }) => ({
    number,
    condition,
    ...diagnosticColumns(valuation),
  }))
  await saveDiagnostics(db, 'set', diagnostics, now)
}

/** Deletes the values of sets that have no market: nobody has sold them yet, or no sale counts any longer. */
export async function deleteSetValues(db: Database, numbers: string[]): Promise<void> {
  await sql`delete from market.set_value where set_number = any(${numbers}::text[])`.execute(db)
}

/** Publishes minifig values; listeners are notified when the transaction commits. */
export async function publishMinifigValues(
  db: Database,
  values: { number: string; valuation: Valuation }[],
  now: Date,
): Promise<void> {
  const rows = values.map(({ number, valuation }) => ({
    number,
    ...publishedColumns(valuation),
  }))
  await sql`
    insert into market.minifig_value (minifig_number, value_cents, range_low_cents, range_high_cents, data_tier,
      effective_sales, sellers, last_sold_on, doubtful, calculated_at)
    select number, value_cents, range_low_cents, range_high_cents, data_tier,
           effective_sales, sellers, last_sold_on, doubtful, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v (number text, value_cents integer,
        range_low_cents integer, range_high_cents integer, data_tier text, effective_sales integer, sellers integer,
        last_sold_on date, doubtful boolean)
    on conflict (minifig_number) do update set value_cents = excluded.value_cents, range_low_cents = excluded.range_low_cents,
      range_high_cents = excluded.range_high_cents, data_tier = excluded.data_tier, effective_sales = excluded.effective_sales,
      sellers = excluded.sellers, last_sold_on = excluded.last_sold_on, doubtful = excluded.doubtful, calculated_at = excluded.calculated_at`.execute(
    db,
  )
  const diagnostics = values.map(({ number, valuation }) => ({
    number,
    condition: 'used',
    ...diagnosticColumns(valuation),
  }))
  await saveDiagnostics(db, 'minifig', diagnostics, now)
}

/** Saves what an estimate is based on, for the operator; never published. */
async function saveDiagnostics(db: Database, kind: string, rows: object[], now: Date): Promise<void> {
  await sql`
    insert into source.valuation (item_kind, item_number, condition, value_cents, effective_sales, sellers, data_tier, doubtful, calculated_at)
    select ${kind}, number, condition, value_cents, effective_sales, sellers, data_tier, doubtful, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v (number text, condition text, value_cents integer,
        effective_sales float8, sellers integer, data_tier text, doubtful boolean)
    on conflict (item_kind, item_number, condition) do update set value_cents = excluded.value_cents,
      effective_sales = excluded.effective_sales, sellers = excluded.sellers, data_tier = excluded.data_tier,
      doubtful = excluded.doubtful, calculated_at = excluded.calculated_at`.execute(db)
}

function publishedColumns({ valueCents, lowCents, highCents, tier, doubtful, ...evidence }: Valuation) {
  return {
    value_cents: limitCents(valueCents),
    range_low_cents: limitCents(lowCents),
    range_high_cents: limitCents(highCents),
    data_tier: tier,
    doubtful,
    // With fewer sales, the evidence would describe single ones.
    ...(tier === 'market' && {
      effective_sales: Math.round(evidence.effectiveSales),
      sellers: evidence.sellers,
      last_sold_on: evidence.lastSaleDay === null ? null : formatDay(evidence.lastSaleDay),
    }),
  }
}

function diagnosticColumns({ valueCents, tier, effectiveSales, sellers, doubtful }: Valuation) {
  return {
    value_cents: limitCents(valueCents),
    data_tier: tier,
    effective_sales: effectiveSales,
    sellers,
    doubtful,
  }
}

function limitCents(cents: number | null): number | null {
  return cents === null ? null : Math.min(cents, MAX_CENTS)
}
