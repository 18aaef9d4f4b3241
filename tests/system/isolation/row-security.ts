import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from '@brickmark/core/db/database'
import { findBrickfolios, ownsBrickfolio } from '@brickmark/core/portfolio/collection-queries'
import {
  findHoldingTotalsBySet,
  findHoldingIntervals,
  findMonthlyPeriods,
  findAverageCosts,
} from '@brickmark/core/portfolio/portfolio-queries'
import { findHoldings } from '@brickmark/core/portfolio/lot-queries'
import { findLedgerSales } from '@brickmark/core/portfolio/ledger-sale-queries'
import type { DB } from '@brickmark/core/db/schema.generated'
import type { TestEnvironment } from '../test-environment.ts'
import type { MarkedAccount } from './accounts.ts'

/** Every query with which the API reads private rows. */
const PRIVATE_READS: Record<string, (db: Database, account: MarkedAccount, foreignId: number) => Promise<unknown>> = {
  findBrickfolios: (db, { accountId }) => findBrickfolios(db, accountId),
  ownsBrickfolio: (db, { accountId }, foreignId) => ownsBrickfolio(db, accountId, foreignId),
  findHeldBySet: (db, { accountId }) => findHoldingTotalsBySet(db, accountId),
  findMonthlyPeriods: (db, { accountId }) => findMonthlyPeriods(db, accountId),
  findHoldings: (db, { accountId }) => findHoldings(db, accountId, { brickfolioId: undefined, limit: 250, offset: 0 }),
  findAverageCosts: (db, { accountId }) => findAverageCosts(db, accountId),
  findHoldingIntervals: (db, { accountId }) => findHoldingIntervals(db, accountId, '2020-01-01'),
  findSales: (db, { accountId }) => findLedgerSales(db, accountId, { limit: 250, offset: 0 }),
}

type Query = { text: string; unfiltered: string; values: unknown[] }
type Rows = string[]

export type RowSecurityMetrics = {
  queries: number
  /** Rows of other accounts that an unfiltered query returns, over all accounts, and own rows that it misses. */
  foreignRows: number
  missingRows: number
  rowsWithoutSetting: number
  /** Queries that would return foreign rows without row-level security; the others prove nothing. */
  wouldLeak: number
}

/** Runs the API's queries without their account filter, over the API's own connection. */
export async function runWithoutAccountFilter(
  environment: TestEnvironment,
  accounts: MarkedAccount[],
): Promise<RowSecurityMetrics> {
  const admin = await connect(environment.url)
  const api = await connect(environment.apiUrl)
  const metrics = { queries: 0, foreignRows: 0, missingRows: 0, rowsWithoutSetting: 0, wouldLeak: 0 }
  try {
    for (const [index, account] of accounts.entries()) {
      const foreignId = accounts[(index + 1) % accounts.length]!.brickfolioIds[0]!
      const queries = await captureQueries(environment, account, foreignId)
      metrics.queries = queries.length
      for (const query of queries) {
        const own = await rowsOf(admin, query.text, query.values)
        const visible = await rowsAs(api, account.accountId, query)
        metrics.foreignRows += subtract(visible, own).length
        metrics.missingRows += subtract(own, visible).length
        metrics.rowsWithoutSetting += (await rowsAs(api, undefined, query)).filter(isNonEmpty).length
        const all = await rowsOf(admin, query.unfiltered, query.values)
        if (index === 0 && subtract(all, own).length > 0) metrics.wouldLeak++
      }
    }
  } finally {
    await Promise.all([admin.end(), api.end()])
  }
  return metrics
}

/** Runs the read functions once and returns the SQL they send. */
async function captureQueries(
  environment: TestEnvironment,
  account: MarkedAccount,
  foreignId: number,
): Promise<Query[]> {
  const sent: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: environment.url, max: 1 }) }),
    log: ({ query }) => void sent.push(query),
  })
  try {
    for (const read of Object.values(PRIVATE_READS)) await read(db, account, foreignId)
  } finally {
    await db.destroy()
  }
  return sent.map((query) => ({ text: query.sql, unfiltered: withoutFilter(query.sql), values: [...query.parameters] }))
}

const FILTER = /(?:"?\w+"?\.)?"?account_id"? = (\$\d+)/g

/** Removes the account filter. The parameter stays in use, because PostgreSQL must infer its type. */
function withoutFilter(text: string): string {
  const unfiltered = text.replaceAll(FILTER, '$1::bigint is not null')
  if (unfiltered === text) throw new Error(`A private query doesn’t filter by account: ${text}`)
  return unfiltered
}

async function rowsAs(api: pg.Client, accountId: number | undefined, query: Query): Promise<Rows> {
  await api.query('begin read only')
  try {
    if (accountId !== undefined)
      await api.query(`select set_config('brickmark.account_id', $1, true)`, [String(accountId)])
    return await rowsOf(api, query.unfiltered, query.values)
  } finally {
    await api.query('rollback')
  }
}

async function rowsOf(client: pg.Client, text: string, values: unknown[]): Promise<Rows> {
  const { rows } = await client.query(text, values)
  return rows.map((row) => JSON.stringify(row))
}

/** A count of 0 doesn't count as a row. */
function isNonEmpty(row: string): boolean {
  return row !== '{"total":0}'
}

function subtract(rows: Rows, others: Rows): Rows {
  const counts = new Map<string, number>()
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1)
  return rows.filter((row) => {
    const count = counts.get(row) ?? 0
    counts.set(row, count - 1)
    return count <= 0
  })
}

export type PolicyMetrics = {
  table: string
  own: number
  foreign: number
  ownWithoutPolicy: number
  foreignWithoutPolicy: number
  foreignWithoutRowSecurity: number
}

/**
 * Counts the rows of each private table that the API role sees: with its policy, without it, and without row-level
 * security.
 */
export async function testPolicies(
  environment: TestEnvironment,
  { accountId }: MarkedAccount,
): Promise<PolicyMetrics[]> {
  const admin = await connect(environment.url)
  try {
    const { rows } = await admin.query<{ table: string; policy: string }>(
      `select format('%I.%I', schemaname, tablename) as table, policyname as policy from pg_policies
        where 'brickmark_api' = any (roles) order by 1`,
    )
    const metrics: PolicyMetrics[] = []
    for (const { table, policy } of rows) {
      const [own, foreign] = await countAfter(admin, undefined, table, accountId)
      const [ownWithoutPolicy, foreignWithoutPolicy] = await countAfter(
        admin,
        `drop policy ${policy} on ${table}`,
        table,
        accountId,
      )
      const [, foreignWithoutRowSecurity] = await countAfter(
        admin,
        `alter table ${table} disable row level security`,
        table,
        accountId,
      )
      metrics.push({ table, own, foreign, ownWithoutPolicy, foreignWithoutPolicy, foreignWithoutRowSecurity })
    }
    return metrics
  } finally {
    await admin.end()
  }
}

/** Counts own and foreign rows that the API role sees after a change, which is then rolled back. */
async function countAfter(
  admin: pg.Client,
  change: string | undefined,
  table: string,
  accountId: number,
): Promise<[number, number]> {
  await admin.query('begin')
  try {
    if (change !== undefined) await admin.query(change)
    await admin.query('set local role brickmark_api')
    await admin.query(`select set_config('brickmark.account_id', $1, true)`, [String(accountId)])
    const { rows } = await admin.query<{ own: number; foreign: number }>(
      `select count(*) filter (where account_id = $1)::integer as own,
              count(*) filter (where account_id <> $1)::integer as foreign from ${table}`,
      [accountId],
    )
    return [rows[0]!.own, rows[0]!.foreign]
  } finally {
    await admin.query('rollback')
  }
}

/** Lists tables with an account_id on which row-level security isn't both enabled and forced. */
export async function unforcedTables(environment: TestEnvironment): Promise<string[]> {
  const admin = await connect(environment.url)
  try {
    const { rows } = await admin.query<{ table: string }>(
      `select c.oid::regclass::text as table from pg_class c
         join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
         join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('account', 'portfolio')
          and not (c.relrowsecurity and c.relforcerowsecurity)`,
    )
    return rows.map((row) => row.table)
  } finally {
    await admin.end()
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  return client
}
