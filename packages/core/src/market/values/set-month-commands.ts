import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { MonthDetail, MonthRow } from './month-finalization.ts'

/** Claims a month for this transaction; returns false if it is already finalized. */
export async function claimMonth(db: Database, month: string, setMonths: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into market.finalized_month (month, set_months) values (${month}, ${setMonths}) on conflict do nothing`.execute(
    db,
  )
  return numAffectedRows === 1n
}

/** Inserts all rows of a month. Finalized rows never change. */
export async function insertMonth(
  db: Database,
  month: string,
  rows: MonthRow[],
  details: MonthDetail[],
): Promise<void> {
  await sql`
    insert into market.set_month (set_number, condition, month, value_cents, range_low_cents, range_high_cents, sales_count, event)
    select number, condition, ${month}::date, value_cents, range_low_cents, range_high_cents, sales_count, event
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (number text, condition text, value_cents integer,
        range_low_cents integer, range_high_cents integer, sales_count integer, event text)`.execute(db)
  await sql`
    insert into source.month_valuation (item_kind, item_number, condition, month, value_cents, effective_sales, sellers, accepted_units, data_tier)
    select 'set', number, condition, ${month}::date, value_cents, effective_sales, sellers, accepted_units, data_tier
      from jsonb_to_recordset(${JSON.stringify(details)}::jsonb) as m (number text, condition text, value_cents integer,
        effective_sales float8, sellers integer, accepted_units integer, data_tier text)`.execute(db)
}

/**
 * Replaces the values of some sets in a finalized month; their events stay. The transaction has to say why
 * (`market.revision_reason`). Returns how many values changed.
 */
export async function updateMonth(
  db: Database,
  month: string,
  rows: MonthRow[],
  details: MonthDetail[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update market.set_month t
       set value_cents = m.value_cents, range_low_cents = m.range_low_cents, range_high_cents = m.range_high_cents,
           sales_count = m.sales_count
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (number text, condition text, value_cents integer,
        range_low_cents integer, range_high_cents integer, sales_count integer)
     where t.set_number = m.number and t.condition = m.condition and t.month = ${month}::date
       and (t.value_cents, t.range_low_cents, t.range_high_cents, t.sales_count)
         is distinct from (m.value_cents, m.range_low_cents, m.range_high_cents, m.sales_count)`.execute(db)
  await sql`
    update source.month_valuation t
       set value_cents = m.value_cents, effective_sales = m.effective_sales, sellers = m.sellers,
           accepted_units = m.accepted_units, data_tier = m.data_tier
      from jsonb_to_recordset(${JSON.stringify(details)}::jsonb) as m (number text, condition text, value_cents integer,
        effective_sales float8, sellers integer, accepted_units integer, data_tier text)
     where t.item_kind = 'set' and t.item_number = m.number and t.condition = m.condition and t.month = ${month}::date`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Sets what a finalized month says about all other sets to unknown. Returns how many values changed. */
export async function clearOtherSets(db: Database, month: string, rows: MonthRow[]): Promise<number> {
  const numbers = JSON.stringify([...new Set(rows.map(({ number }) => number))])
  const { numAffectedRows } = await sql`
    update market.set_month
       set value_cents = null, range_low_cents = null, range_high_cents = null, sales_count = null
     where month = ${month}::date and num_nonnulls(value_cents, range_low_cents, range_high_cents, sales_count) > 0
       and set_number not in (select jsonb_array_elements_text(${numbers}::jsonb))`.execute(db)
  await sql`
    delete from source.month_valuation
     where item_kind = 'set' and month = ${month}::date
       and item_number not in (select jsonb_array_elements_text(${numbers}::jsonb))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
