import { sql } from 'kysely'
import type { Condition } from '../catalog/condition.ts'
import type { Valuation } from './valuation/estimate.ts'
import type { Database } from '../db/database.ts'

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
    ...diagnosticColumns(valuation),
  }))
  await sql`
    insert into market.set_value (set_number, condition, value_cents, range_low_cents, range_high_cents, data_tier, calculated_at)
    select number, condition, value_cents, range_low_cents, range_high_cents, data_tier, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v (number text, condition text, value_cents integer,
        range_low_cents integer, range_high_cents integer, data_tier text)
    on conflict (set_number, condition) do update set value_cents = excluded.value_cents, range_low_cents = excluded.range_low_cents,
      range_high_cents = excluded.range_high_cents, data_tier = excluded.data_tier, calculated_at = excluded.calculated_at`.execute(
    db,
  )
  await saveDiagnostics(db, 'set', rows, now)
}

/** Publishes minifig values; listeners are notified when the transaction commits. */
export async function publishMinifigValues(
  db: Database,
  values: { number: string; valuation: Valuation }[],
  now: Date,
): Promise<void> {
  const rows = values.map(({ number, valuation }) => ({
    number,
    condition: 'used',
    ...publishedColumns(valuation),
    ...diagnosticColumns(valuation),
  }))
  await sql`
    insert into market.minifig_value (minifig_number, value_cents, range_low_cents, range_high_cents, data_tier, calculated_at)
    select number, value_cents, range_low_cents, range_high_cents, data_tier, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v (number text, value_cents integer,
        range_low_cents integer, range_high_cents integer, data_tier text)
    on conflict (minifig_number) do update set value_cents = excluded.value_cents, range_low_cents = excluded.range_low_cents,
      range_high_cents = excluded.range_high_cents, data_tier = excluded.data_tier, calculated_at = excluded.calculated_at`.execute(
    db,
  )
  await saveDiagnostics(db, 'minifig', rows, now)
}

/** Saves what an estimate is based on, for the operator; never published. */
async function saveDiagnostics(db: Database, kind: string, rows: object[], now: Date): Promise<void> {
  await sql`
    insert into source.valuation (item_kind, item_number, condition, value_cents, effective_sales, sellers, data_tier, held, calculated_at)
    select ${kind}, number, condition, value_cents, effective_sales, sellers, data_tier, held, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v (number text, condition text, value_cents integer,
        effective_sales float8, sellers integer, data_tier text, held boolean)
    on conflict (item_kind, item_number, condition) do update set value_cents = excluded.value_cents,
      effective_sales = excluded.effective_sales, sellers = excluded.sellers, data_tier = excluded.data_tier,
      held = excluded.held, calculated_at = excluded.calculated_at`.execute(db)
}

function publishedColumns({ valueCents, lowCents, highCents, tier }: Valuation) {
  return {
    value_cents: limitCents(valueCents),
    range_low_cents: limitCents(lowCents),
    range_high_cents: limitCents(highCents),
    data_tier: tier,
  }
}

function diagnosticColumns({ effectiveSales, sellers, held }: Valuation) {
  return { effective_sales: effectiveSales, sellers, held }
}

function limitCents(cents: number | null): number | null {
  return cents === null ? null : Math.min(cents, MAX_CENTS)
}
