import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openPool } from '@brickmark/core/db/database'
import { buildKey, hashKey } from '@brickmark/core/account/api-key'
import { PEPPER } from '../../support/fixtures.ts'

/** Number of accounts and lots per account. One more account has 5,000 lots. */
export type Population = { accounts: number; lots: number }

export const GIANT_LOTS = 5000
const KEYS = 5
const SALES = 10
/** Large enough to be fast, small enough to report progress. */
const ROWS_PER_INSERT = 2_000_000

/** Opens a pool for seeding. Foreign keys and triggers are off, because the rows are valid by construction. */
export function openSeedPool(url: string): pg.Pool {
  return openPool(`${url}?options=-c%20session_replication_role%3Dreplica`, { size: 1, statementTimeoutMs: 3_600_000 })
}

/** The account with 5,000 lots. */
export function giantAccountId({ accounts }: Population): number {
  return accounts + 1
}

/** Derives one of the five keys of an account, so that any process can compute it. */
export function apiKeyFor(account: number, index = 0): string {
  return buildKey(createHash('sha1').update(`${account} ${index}`).digest())
}

/** ID of that key. */
export function apiKeyIdFor(account: number, index = 0): number {
  return account * KEYS + index
}

/**
 * Seeds accounts into a database with a catalog. Lots are inserted one per account and round, so that those of an
 * account are as far apart on disk as possible: the result of years of use, and the worst case for reading them together.
 */
export async function populate(pool: pg.Pool, population: Population, say: (text: string) => void): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`insert into account.plan values ('bench', true, 2000000000)`)
    await client.query(
      `insert into account.account (id, name, plan) overriding system value
       select n, 'Account ' || n, 'bench' from generate_series(1, $1) n`,
      [giantAccountId(population)],
    )
    await addKeys(client, population)
    say(`inserted ${giantAccountId(population)} accounts with ${KEYS} keys each`)
    await client.query(
      `insert into portfolio.collection (account_id, id, name, is_default, created_at) overriding system value
       select id, id * 2 + n, 'Shelf ' || n, n = 0, '2024-01-01T00:00:00Z' from account.account, generate_series(0, 1) n`,
    )
    await addLots(client, population, say)
    await addSales(client, population)
  } finally {
    client.release()
  }
  await pool.query('vacuum analyze')
}

/** Inserts hashed keys by COPY, and a quota row of today for each, as at the end of a day. */
async function addKeys(client: pg.PoolClient, { accounts }: Population): Promise<void> {
  const all = function* (row: (account: number, index: number) => string) {
    for (let account = 1; account <= accounts + 1; account++) {
      let text = ''
      for (let index = 0; index < KEYS; index++) text += `${row(account, index)}\n`
      yield Buffer.from(text)
    }
  }
  const copy = (target: string, row: (account: number, index: number) => string) =>
    pipeline(Readable.from(all(row)), client.query(copyFrom(`copy ${target} from stdin`)))
  await copy('account.api_key (account_id, id, name, last4, slot)', (account, index) =>
    [account, apiKeyIdFor(account, index), `key ${index}`, apiKeyFor(account, index).slice(-4), index + 1].join('\t'),
  )
  await copy('account.api_key_directory (hash, account_id, api_key_id, pepper_version)', (account, index) => {
    const hash = hashKey(apiKeyFor(account, index), PEPPER).toString('hex')
    return [`\\\\x${hash}`, account, apiKeyIdFor(account, index), 1].join('\t')
  })
  await client.query(
    `insert into account.api_key_quota (account_id, api_key_id, day, used, daily_limit, last_cost, last_count, last_granted)
     select account_id, id, (now() at time zone 'utc')::date, id % 900, 2000000000, 1, 1, 1 from account.api_key`,
  )
  // One day of history, so that its size per key is known.
  await client.query(
    `insert into account.api_key_quota_history (account_id, api_key_id, day, used, daily_limit, last_at)
     select account_id, api_key_id, day - 1, used, daily_limit, last_at from account.api_key_quota`,
  )
}

/** OIDs of the table itself, or of its partitions. */
const HOLDING_TABLES = `select oid from pg_class where relkind = 'r' and (oid = 'portfolio.lot'::regclass
  or oid in (select inhrelid from pg_inherits where inhparent = 'portfolio.lot'::regclass))`

async function addLots(client: pg.PoolClient, population: Population, say: (text: string) => void): Promise<void> {
  const { accounts, lots } = population
  await client.query(
    `create temporary table numbered as
     select set_number, (row_number() over (order by set_number))::integer - 1 as place from catalog.set`,
  )
  await client.query('analyze numbered')
  // Indexes are built once at the end; maintaining them row by row would take most of the time.
  await client.query(`update pg_index set indisready = false where indrelid in (${HOLDING_TABLES})`)
  const total = accounts * lots
  for (let first = 0; first < total; first += ROWS_PER_INSERT) {
    const next = Math.min(total, first + ROWS_PER_INSERT)
    await insertLots(
      client,
      population,
      `generate_series(${first}, ${next - 1}) n`,
      `n / ${accounts}`,
      `1 + n % ${accounts}`,
    )
    say(`inserted ${next} lots`)
  }
  const giants = `generate_series(0, ${GIANT_LOTS - 1}) n`
  await insertLots(client, population, giants, 'n', String(giantAccountId(population)))
  await client.query('reindex table portfolio.lot')
  say('built the indexes of the lots')
}

async function insertLots(client: pg.PoolClient, population: Population, rows: string, lot: string, account: string) {
  await client.query(
    `insert into portfolio.lot (account_id, id, collection_id, set_number, condition, status, quantity,
       purchase_price_cents, purchase_date) overriding system value
     select account, lot * ${giantAccountId(population)}::bigint + account, account * 2 + lot % 2, set_number,
            case when lot % 3 = 0 then 'used' else 'sealed' end, case when lot % 10 = 0 then 'listed' else 'owned' end,
            1 + lot % 3, 100 * (10 + (lot * 7 + account) % 190), current_date - 20 - lot % 1000
       from (select ${lot} as lot, ${account} as account from ${rows} offset 0) l
       join numbered on place = (lot * 37 + account * 101) % (select count(*)::integer from numbered)`,
  )
}

/** Inserts a sale of one unit of each of the first lots, spread over the last year. */
async function addSales(client: pg.PoolClient, population: Population): Promise<void> {
  const giant = giantAccountId(population)
  const sold = `portfolio.lot where id <= ${SALES * giant} or (account_id = ${giant} and id <= ${GIANT_LOTS / 10} * ${giant})`
  await client.query(
    `insert into portfolio.sale (account_id, id, set_number, platform, sale_date, quantity, gross_proceeds_cents,
       platform_fees_cents, cost_cents) overriding system value
     select account_id, id, set_number, 'ebay', current_date - (id % 300)::integer, 1, purchase_price_cents * 7 / 5, 350, purchase_price_cents
       from ${sold}`,
  )
  await client.query(
    `insert into portfolio.sale_lot (account_id, sale_id, lot_id, quantity) select account_id, id, id, 1 from ${sold}`,
  )
}
