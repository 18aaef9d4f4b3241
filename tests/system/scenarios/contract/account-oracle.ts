import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import { json, type Json } from './oracle.ts'

/** Everything one account owns, in the form of the contract, read with independent SQL. */
export type AccountOracle = {
  brickfolios: Json[]
  monthlyPeriods: Json[]
  entries: Json[]
  sales: Json[]
  /** Average unit cost of each set held, in dollars; undefined if unknown. */
  paid: Map<string, number | undefined>
  summary: Json
}

export async function readAccountOracle(db: Database, accountId: number): Promise<AccountOracle> {
  const paid = await json(
    db,
    sql`select json_build_object('set_number', set_number,
               'paid', round(sum(quantity * purchase_price_cents) / 100.0
                             / sum(quantity) filter (where purchase_price_cents is not null), 2)) as body
          from portfolio.lot where account_id = ${accountId} and quantity > 0 group by set_number`,
  )
  const [summary = {}] = await readSummary(db, accountId)
  return {
    brickfolios: await readBrickfolios(db, accountId),
    monthlyPeriods: await readMonthlyPeriods(db, accountId),
    entries: await readEntries(db, accountId),
    sales: await readSales(db, accountId),
    paid: new Map(
      paid.map((row) => [String(row['set_number']), row['paid'] === null ? undefined : Number(row['paid'])]),
    ),
    summary,
  }
}

/**
 * Lots held now with today's value. A lot without a value is excluded from value, cost and gain alike; a lot of unknown
 * cost from cost and gain.
 */
const held = (accountId: number) => sql`
  (select l.*, v.value_usd, l.quantity * l.purchase_price_usd as cost, l.quantity * v.value_usd as value,
          case when v.value_usd is not null then l.quantity * l.purchase_price_usd end as valued_cost
     from (select *, purchase_price_cents / 100.0 as purchase_price_usd from portfolio.lot) l
     left join (select *, value_cents / 100.0 as value_usd from market.set_value) v
       on v.set_number = l.set_number and v.condition = l.condition
    where l.account_id = ${accountId} and l.quantity > 0)`

const PCT = sql.raw(`case when cost = 0 then 0 else round((value - cost) * 100 / cost, 2) end`)

function readEntries(db: Database, accountId: number): Promise<Json[]> {
  return json(
    db,
    sql`select jsonb_build_object('brickfolio_id', collection_id, 'set_number', set_number, 'title', title,
            'theme', theme, 'quantity', quantity, 'condition', condition, 'status', status,
            'current_value_usd', value_usd, 'total_current_value_usd', value, 'unrealized_gain_loss_usd', value - cost,
            'unrealized_gain_loss_pct', case when value is null or cost is null then null else ${PCT} end)
            || jsonb_strip_nulls(jsonb_build_object('purchase_price_usd', purchase_price_usd,
                 'purchase_date', purchase_date)) as body
          from ${held(accountId)} l join catalog.set using (set_number)
         order by collection_id, id`,
  )
}

function readBrickfolios(db: Database, accountId: number): Promise<Json[]> {
  return json(
    db,
    sql`select json_build_object('id', c.id, 'name', c.name, 'description', c.description, 'is_default', c.is_default,
            'owned_set_count', count(distinct l.set_number), 'owned_item_count', coalesce(sum(l.quantity), 0),
            'total_cost_basis_usd', coalesce(sum(l.valued_cost), 0),
            'total_current_value_usd', coalesce(sum(l.value), 0),
            'unrealized_gain_loss_usd', coalesce(sum(l.value - l.valued_cost), 0),
            'created_at', to_char(c.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as body
          from portfolio.collection c
          left join ${held(accountId)} l on l.account_id = c.account_id and l.collection_id = c.id
         where c.account_id = ${accountId}
         group by c.account_id, c.id
         order by c.is_default desc, c.id`,
  )
}

function readMonthlyPeriods(db: Database, accountId: number): Promise<Json[]> {
  return json(
    db,
    sql`select json_build_object('month', to_char(purchase_date, 'YYYY-MM'), 'entry_count', count(*),
            'items', sum(quantity), 'cost_basis_usd', sum(cost)) as body
          from ${held(accountId)} l
         where purchase_date is not null
         group by to_char(purchase_date, 'YYYY-MM') order by to_char(purchase_date, 'YYYY-MM')`,
  )
}

function readSales(db: Database, accountId: number): Promise<Json[]> {
  return json(
    db,
    sql`select json_build_object('id', id, 'set_number', set_number, 'title', title, 'platform', platform,
            'sale_date', sale_date, 'quantity', quantity, 'gross_proceeds_usd', gross_proceeds_usd,
            'platform_fees_usd', platform_fees_usd, 'payment_fees_usd', payment_fees_usd,
            'shipping_cost_usd', shipping_cost_usd, 'net_proceeds_usd', net, 'profit_loss_usd', net - cost_usd,
            'roi_pct', round((net - cost_usd) * 100 / nullif(cost_usd, 0), 2)) as body
          from (select *, gross_proceeds_usd - platform_fees_usd - payment_fees_usd - shipping_cost_usd as net
                  from (select *, gross_proceeds_cents / 100.0 as gross_proceeds_usd,
                               platform_fees_cents / 100.0 as platform_fees_usd,
                               payment_fees_cents / 100.0 as payment_fees_usd,
                               shipping_cost_cents / 100.0 as shipping_cost_usd, cost_cents / 100.0 as cost_usd
                          from portfolio.sale where account_id = ${accountId}) dollars) sale
          join catalog.set using (set_number)
         order by sale_date desc, id desc`,
  )
}

/** Excludes the top gainer and loser, because several lots may tie. */
function readSummary(db: Database, accountId: number): Promise<Json[]> {
  return json(
    db,
    sql`select json_build_object('total_sets', count(distinct set_number), 'total_items', coalesce(sum(quantity), 0),
            'total_cost_basis_usd', coalesce(sum(valued_cost), 0), 'total_current_value_usd', coalesce(sum(value), 0),
            'unrealized_gain_loss_usd', coalesce(sum(value - valued_cost), 0),
            'unrealized_gain_loss_pct',
              coalesce(round(sum(value - valued_cost) * 100 / nullif(sum(valued_cost), 0), 2), 0)) as body
          from ${held(accountId)} l`,
  )
}
