import type pg from 'pg'
import { DEMO_LICENCE, DEMO_SOURCE } from './observations.ts'
import { elementAt } from './random.ts'
import type { SyntheticMarket, SyntheticPortfolio } from './types.ts'

// Keeps each statement far below the two seconds that a pool of ours allows.
const ROWS_PER_STATEMENT = 5000

/** Writes the whole market in one transaction, into tables that hold nothing of it yet. */
export async function insertMarket(pool: pg.Pool, market: SyntheticMarket): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const [table, rows] of marketTables(market)) await bulkInsert(client, table, rows)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/**
 * Writes what an account holds and sold, in the transaction that the caller has begun on `client`. Names the account to
 * row-level security, so that the web's role can do it as well as the owner.
 */
export async function insertPortfolio(
  client: pg.ClientBase,
  accountId: number,
  { brickfolios, holdings, sales, saleLots }: SyntheticPortfolio,
): Promise<void> {
  await client.query(`select set_config('brickmark.account_id', $1, true)`, [String(accountId)])
  const brickfolioIds = await insertForAccount(
    client,
    accountId,
    'portfolio.brickfolio',
    'name, description, is_default, created_at',
    brickfolios,
  )
  const holdingIds = await insertForAccount(
    client,
    accountId,
    'portfolio.holding',
    'brickfolio_id, set_number, condition, status, quantity, purchase_price_usd, purchase_date, notes, created_at',
    holdings.map(({ brickfolio, ...row }) => ({ ...row, brickfolio_id: elementAt(brickfolioIds, brickfolio) })),
  )
  const saleIds = await insertForAccount(
    client,
    accountId,
    'portfolio.sale',
    'set_number, platform, sale_date, quantity, gross_proceeds_usd, platform_fees_usd, payment_fees_usd, shipping_cost_usd, cost_usd',
    sales,
  )
  const lots = saleLots.map(({ sale, holding, quantity }) => ({
    account_id: accountId,
    sale_id: elementAt(saleIds, sale),
    holding_id: elementAt(holdingIds, holding),
    quantity,
  }))
  await bulkInsert(client, 'portfolio.sale_lot', lots)
}

function marketTables(market: SyntheticMarket): [string, readonly object[]][] {
  return [
    ['catalog.retailer', market.retailers],
    ['catalog.set', market.sets],
    ['catalog.minifig', market.minifigs],
    ['catalog.set_minifig', market.setMinifigs],
    ['market.set_value', market.setValues],
    ['market.minifig_value', market.minifigValues],
    ['market.set_month', market.setMonths],
    ['market.retail_state', market.retailStates],
    ['market.retail_exit', market.retailExits],
    ['source.licence', [DEMO_LICENCE]],
    ['source.source', [DEMO_SOURCE]],
    ['source.sale_observation', market.saleObservations],
    ['source.retail_observation', market.retailObservations],
  ]
}

// For tables without generated columns: every column comes from the row, null when the row lacks it.
async function bulkInsert(client: pg.ClientBase, table: string, rows: readonly object[]): Promise<void> {
  // Only the columns that are given: the others have defaults, or are numbered by the table itself.
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const part = JSON.stringify(rows.slice(start, start + ROWS_PER_STATEMENT))
    await client.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
      [part],
    )
  }
}

// Ids are given out in the order of the rows, so the sorted ids belong to them place by place.
async function insertForAccount(
  client: pg.ClientBase,
  accountId: number,
  table: string,
  columns: string,
  rows: readonly object[],
): Promise<number[]> {
  const { rows: inserted } = await client.query<{ id: string | number }>(
    `insert into ${table} (account_id, ${columns})
     select $1, ${columns}
       from json_array_elements($2) with ordinality as given (value, place),
            json_populate_record(null::${table}, value)
      order by place
     returning id`,
    [accountId, JSON.stringify(rows)],
  )
  return inserted.map(({ id }) => Number(id)).toSorted((a, b) => a - b)
}
