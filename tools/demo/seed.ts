import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase, openPool, writeAs, type Database } from '@brickmark/core/db/database'
import { maintainPartitions } from '@brickmark/core/db/partition-commands'
import { createAccount } from '@brickmark/core/account/account-commands'
import { issueKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { queueAllItems } from '@brickmark/core/market/values/valuation-queue-commands'
import { createUser, setOperator } from '@brickmark/core/account/user-commands'
import { declareSource } from '@brickmark/core/source/source-commands'
import {
  catalogFeed,
  generateMarket,
  generatePortfolio,
  retailFeed,
  salesFeeds,
  insertPortfolio,
  type PortfolioName,
} from '../synthetic/index.ts'
import { hashKey } from '@brickmark/core/account/api-key'
import { hashPassword } from '@brickmark/core/account/password'
import { finalizeDueMonths } from '@brickmark/core/market/values/month-finalization-commands'
import { ingestRows } from '@brickmark/core/source/ingest-commands'
import { measureAccuracy } from '@brickmark/core/market/values/accuracy-commands'
import { fitGrowth } from '@brickmark/core/market/values/growth-fit-commands'
import { recomputeDirty } from '@brickmark/core/market/values/recompute-commands'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'

const SEED = 1
const ACCOUNTS: { name: PortfolioName; plan: string }[] = [
  { name: 'reseller', plan: 'reseller' },
  { name: 'second', plan: 'reseller' },
  { name: 'hobby', plan: 'hobby' },
]
/** The user of this account is an operator; the others see what customers see. */
const OPERATOR = 'second'

/** Secrets, keys and passwords of the demo, stored in plain text. */
export type DemoCredentials = {
  pepper: string
  web_secret: string
  accounts: { name: string; plan: string; api_key: string; email: string; password: string; operator: boolean }[]
  revoked_key: string
  expired_key: string
}

/** Creates the market in an empty database; returns false if there is one already. */
export async function seedMarket(databaseUrl: string, onProgress: (what: string) => void): Promise<boolean> {
  return withDemoDatabase(databaseUrl, async (pool, db) => {
    if (await hasMarket(db)) {
      if (await hasAccounts(db)) return false
      throw new Error('An earlier start stopped halfway. Run `npm run demo -- --reset` to start over.')
    }
    await createMarket(pool, db, onProgress)
    return true
  })
}

/** Creates the accounts unless there are some, and new keys if the old ones are lost. */
export async function seedAccounts(
  databaseUrl: string,
  known: DemoCredentials | undefined,
  pepper: string,
): Promise<DemoCredentials> {
  return withDemoDatabase(databaseUrl, async (pool, db) => {
    if (!(await hasAccounts(db))) await createAccounts(pool, db)
    const exist = known !== undefined && (await credentialsExist(db, known))
    return exist ? known : await createCredentials(db, pepper)
  })
}

/** Points the picture of every set and minifig to the illustrations of the web application. */
export async function linkPictures(databaseUrl: string, webOrigin: string): Promise<void> {
  await withDemoDatabase(databaseUrl, async (_pool, db) => {
    await sql`update catalog.set set image_url = ${webOrigin} || '/pictures/sets/' || set_number
               where image_url is distinct from ${webOrigin} || '/pictures/sets/' || set_number`.execute(db)
    await sql`update catalog.minifig set image_url = ${webOrigin} || '/pictures/minifigs/' || minifig_number
               where image_url is distinct from ${webOrigin} || '/pictures/minifigs/' || minifig_number`.execute(db)
  })
}

/** Seeds the database of another installation, with its own pepper; returns undefined if it already has data. */
export async function seedDemoInto(
  databaseUrl: string,
  pepper: string,
  onProgress: (what: string) => void,
): Promise<DemoCredentials | undefined> {
  return withDemoDatabase(databaseUrl, async (pool, db) => {
    if (await hasMarket(db)) {
      if ((await hasAccounts(db)) || !(await isDemo(db))) return undefined
      throw new Error('An earlier attempt to load the sample data stopped halfway. Start again with an empty database.')
    }
    await createMarket(pool, db, onProgress)
    await createAccounts(pool, db)
    return createCredentials(db, pepper)
  })
}

/** Drops the demo from a database; throws if it contains any other data. */
export async function dropDemo(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query<{ present: boolean }>(
      `select to_regclass('source.source') is not null as present`,
    )
    if (!rows[0]?.present) return
    const sources = await client.query<{ id: string }>('select id from source.source')
    if (sources.rows.some((row) => row.id !== 'demo')) {
      throw new Error('DATABASE_URL contains data that isn’t from the demo. Refusing to reset it.')
    }
    await client.query(
      'drop schema catalog, market, source, change, alert, mail, webhook, account, auth, portfolio, maintenance, pgboss cascade',
    )
    await client.query('drop table public.migration')
  } finally {
    await client.end()
  }
}

async function withDemoDatabase<T>(databaseUrl: string, work: (pool: pg.Pool, db: Database) => Promise<T>): Promise<T> {
  const pool = openPool(databaseUrl, { statementTimeoutMs: 60_000 })
  const db = openDatabase(pool)
  try {
    await maintainPartitions(db)
    return await work(pool, db)
  } finally {
    await db.destroy()
  }
}

async function hasMarket(db: Database): Promise<boolean> {
  const set = await db.selectFrom('catalog.set').select('set_number').limit(1).executeTakeFirst()
  return set !== undefined
}

async function isDemo(db: Database): Promise<boolean> {
  const sources = await db.selectFrom('source.source').select('id').execute()
  return sources.length > 0 && sources.every(({ id }) => id === 'demo')
}

async function hasAccounts(db: Database): Promise<boolean> {
  const account = await db.selectFrom('account.account').select('id').limit(1).executeTakeFirst()
  return account !== undefined
}

/** Ingests observations as from any source, and computes values, months and retail states from them. */
async function createMarket(pool: pg.Pool, db: Database, onProgress: (what: string) => void): Promise<void> {
  const today = new Date()
  const engine = { pool, db, log: pino({ level: 'silent' }), now: () => today }
  const market = generateMarket(SEED, today)
  await db.insertInto('catalog.retailer').values(market.retailers).execute()
  await declareSource(pool, {
    source: 'demo',
    name: 'Invented market',
    license: 'demo',
    terms: 'Invented rows for demonstration: free of any right.',
    rank: 1,
  })
  const { sales, returns } = salesFeeds(SEED, market, today)
  await ingestDemoFeed(pool, 'catalog', catalogFeed(market))
  await ingestDemoFeed(pool, 'sales', sales)
  await ingestDemoFeed(pool, 'returns', returns)
  await ingestDemoFeed(pool, 'retail', retailFeed(market, today))
  // Autovacuum would do it within a minute, but until then queries are planned without statistics.
  await sql`analyze`.execute(db)
  onProgress(`${sales.length} sales ingested`)
  const { finalized } = await finalizeDueMonths(engine)
  onProgress(`${finalized} months finalized`)
  await fitGrowth(engine)
  await queueAllItems(db)
  const recomputed = await recomputeDirty(engine)
  onProgress(
    `${recomputed.sets} sets, ${recomputed.minifigs} minifigs and ${recomputed.products} retail prices computed`,
  )
  await measureAccuracy(engine)
}

/** Creates the accounts with their collections, sales, watchlists and alerts. */
async function createAccounts(pool: pg.Pool, db: Database): Promise<void> {
  const today = new Date()
  const market = generateMarket(SEED, today)
  for (const { name, plan } of ACCOUNTS) {
    const accountId = await createAccount(db, { name, plan, actor: 'demo' })
    const client = await pool.connect()
    try {
      await client.query('begin')
      await insertPortfolio(client, accountId, generatePortfolio(SEED, name, market, today))
      await client.query('commit')
    } finally {
      client.release()
    }
    await addWatchlist(db, accountId)
    await addAlerts(db, accountId)
  }
}

/** Watches a few sets that the account doesn't own, with targets that are reached, near and far. */
async function addWatchlist(db: Database, accountId: number): Promise<void> {
  await writeAs(db, accountId, (tx) =>
    sql`
      insert into portfolio.watched_item (account_id, set_number, target_cents)
      select ${accountId}, set_number, round(price * (array[1.03, 0.94, 0.8])[1 + (n % 3)])
        from (select set_number, min(price_cents) as price, row_number() over (order by set_number) as n
                from market.retail_state
               where in_stock and not exists (select from portfolio.lot l
                                               where l.account_id = ${accountId} and l.set_number = retail_state.set_number)
               group by set_number) as offer
       where n % 25 = 1`.execute(tx),
  )
}

/** Adds rules for the watchlist, and the alerts that the current prices would have caused. */
async function addAlerts(db: Database, accountId: number): Promise<void> {
  await writeAs(db, accountId, (tx) =>
    sql`
      with rule as (
        insert into alert.rule (account_id, kind, threshold, created_at)
        values (${accountId}, 'below_value', 1500, now() - interval '30 days'),
               (${accountId}, 'retiring_soon', null, now() - interval '30 days')
        returning id, kind, threshold
      ), deal as (
        select r.set_number, r.retailer, r.price_cents as price, v.value_cents as value,
               floor((v.value_cents - r.price_cents) * 10000.0 / v.value_cents) as percent,
               row_number() over (order by r.set_number, r.retailer) as n
          from portfolio.watched_item w
          join market.retail_state r using (set_number)
          join market.set_value v on v.set_number = r.set_number and v.condition = 'sealed' and v.data_tier = 'market'
         where w.account_id = ${accountId} and r.in_stock and r.price_cents is not null
      )
      insert into alert.alert (account_id, rule_id, change_id, at, kind, item_kind, item_number, retailer, facts)
      select ${accountId}, rule.id, 0, now() - deal.n * interval '7 hours', rule.kind, 'set', deal.set_number, deal.retailer,
             jsonb_build_object('threshold', rule.threshold, 'price', deal.price, 'value', deal.value, 'percent', deal.percent)
        from deal join rule on rule.kind = 'below_value' and deal.percent >= rule.threshold`.execute(tx),
  )
}

async function ingestDemoFeed(pool: pg.Pool, feed: FeedName, rows: object[]): Promise<void> {
  async function* batches() {
    for (let first = 0; first < rows.length; first += 5000) {
      yield rows.slice(first, first + 5000).map((row, index) => ({ row_number: first + index + 1, row }))
    }
  }
  const { quarantined } = await ingestRows(pool, feed, batches(), { fileName: `demo ${feed}`, fingerprint: () => '' })
  if (quarantined > 0) throw new Error(`${quarantined} generated ${feed} rows were quarantined.`)
}

async function credentialsExist(db: Database, credentials: DemoCredentials): Promise<boolean> {
  const hashes = credentials.accounts.map((account) => hashKey(account.api_key, credentials.pepper))
  const found = await db
    .selectFrom('account.api_key_directory')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('hash', 'in', hashes)
    .executeTakeFirstOrThrow()
  return found.count === hashes.length
}

/** Creates a valid key for each account, a revoked key and an expired key. */
async function createCredentials(db: Database, pepper: string): Promise<DemoCredentials> {
  const rows = await db.selectFrom('account.account').select(['id', 'name']).orderBy('id').execute()
  if (!ACCOUNTS.every(({ name }) => rows.some((row) => row.name === name))) {
    throw new Error('A demo account was deleted. Run `npm run demo -- --reset` to recreate them.')
  }
  const accounts: DemoCredentials['accounts'] = []
  for (const { name, plan } of ACCOUNTS) {
    const accountId = rows.find((row) => row.name === name)!.id
    const { key } = await issueKey(db, [pepper], { accountId, name: 'demo' })
    accounts.push({
      name,
      plan,
      api_key: key,
      ...(await createDemoUser(db, accountId, name)),
      operator: name === OPERATOR,
    })
  }
  const accountId = rows.find((row) => row.name === 'reseller')!.id
  const revoked = await issueKey(db, [pepper], { accountId, name: 'revoked' })
  await revokeApiKey(db, { accountId, keyId: revoked.id, actor: 'demo' })
  const expired = await issueKey(db, [pepper], { accountId, name: 'expired', expiresAt: new Date(Date.now() - 1000) })
  return {
    pepper,
    web_secret: randomBytes(32).toString('hex'),
    accounts,
    revoked_key: revoked.key,
    expired_key: expired.key,
  }
}

/** Makes the operator of the demo an operator. Returns false as long as its user has no second factor. */
export async function appointOperator(databaseUrl: string, { accounts }: DemoCredentials): Promise<boolean> {
  const db = openDatabase(openPool(databaseUrl, { size: 1 }))
  try {
    const { email } = accounts.find(({ operator }) => operator)!
    return (await setOperator(db, email, true)) === undefined
  } finally {
    await db.destroy()
  }
}

/** Creates a user for the account and deletes its previous users. */
async function createDemoUser(
  db: Database,
  accountId: number,
  name: string,
): Promise<{ email: string; password: string }> {
  const email = `${name}@demo.example`
  const password = `demo-${randomBytes(4).toString('hex')}`
  await db.deleteFrom('auth.user').where('account_id', '=', accountId).execute()
  const passwordHash = await hashPassword(password, randomBytes(16))
  await createUser(db, { id: randomUUID(), accountId, name: `Demo ${name}`, email, passwordHash })
  return { email, password }
}
