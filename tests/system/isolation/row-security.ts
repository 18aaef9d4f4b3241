import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from '@brickmark/core/db/database'
import { findBrickfolios, ownsBrickfolio } from '@brickmark/core/portfolio/collection-queries'
import {
  findHoldingTotalsBySet,
  findHoldingIntervals,
  findMonthlyPeriods,
  findCostBasisBySet,
} from '@brickmark/core/portfolio/portfolio-queries'
import { findHoldings } from '@brickmark/core/portfolio/lot-queries'
import { findLedgerSales } from '@brickmark/core/portfolio/ledger-sale-queries'
import type { DB } from '@brickmark/core/db/schema.generated'
import type { TestEnvironment } from '../test-environment.ts'
import type { MarkedAccount } from './accounts.ts'

/** Every query with which the api reads private rows. */
const PRIVATE_READS: Record<string, (db: Database, account: MarkedAccount, foreignId: number) => Promise<unknown>> = {
  findBrickfolios: (db, { accountId }) => findBrickfolios(db, accountId),
  ownsBrickfolio: (db, { accountId }, foreignId) => ownsBrickfolio(db, accountId, foreignId),
  findHeldBySet: (db, { accountId }) => findHoldingTotalsBySet(db, accountId),
  findMonthlyPeriods: (db, { accountId }) => findMonthlyPeriods(db, accountId),
  findHoldings: (db, { accountId }) => findHoldings(db, accountId, { brickfolioId: undefined, limit: 250, offset: 0 }),
  findPaidBySet: (db, { accountId }) => findCostBasisBySet(db, accountId),
  findHoldingIntervals: (db, { accountId }) => findHoldingIntervals(db, accountId, '2020-01-01'),
  findSales: (db, { accountId }) => findLedgerSales(db, accountId, { limit: 250, offset: 0 }),
}

type Query = { text: string; unfiltered: string; values: unknown[] }
type Rows = string[]

export type RowSecurityMetrics = {
  queries: number
  /** Rows of others that an unfiltered query shows, over all accounts; and own rows that it fails to show. */
  foreignRows: number
  missingRows: number
  rowsWithoutSetting: number
  /** Queries that would show foreign rows if row-level security were not there: the others prove nothing. */
  wouldLeak: number
}

/** The api's own queries with the account filter taken out, over the api's own connection. */
export async function runWithoutAccountFilter(
  stage: TestEnvironment,
  accounts: MarkedAccount[],
): Promise<RowSecurityMetrics> {
  const admin = await connect(stage.url)
  const api = await connect(stage.apiUrl)
  const figures = { queries: 0, foreignRows: 0, missingRows: 0, rowsWithoutSetting: 0, wouldLeak: 0 }
  try {
    for (const [index, account] of accounts.entries()) {
      const foreignId = accounts[(index + 1) % accounts.length]!.brickfolioIds[0]!
      const queries = await captureQueries(stage, account, foreignId)
      figures.queries = queries.length
      for (const query of queries) {
        const own = await rowsOf(admin, query.text, query.values)
        const seen = await rowsAs(api, account.accountId, query)
        figures.foreignRows += subtract(seen, own).length
        figures.missingRows += subtract(own, seen).length
        figures.rowsWithoutSetting += (await rowsAs(api, undefined, query)).filter(isNonEmpty).length
        const all = await rowsOf(admin, query.unfiltered, query.values)
        if (index === 0 && subtract(all, own).length > 0) figures.wouldLeak++
      }
    }
  } finally {
    await Promise.all([admin.end(), api.end()])
  }
  return figures
}

/** Runs the read functions once and keeps the SQL they send. */
async function captureQueries(stage: TestEnvironment, account: MarkedAccount, foreignId: number): Promise<Query[]> {
  const sent: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: stage.url, max: 1 }) }),
    log: ({ query }) => void sent.push(query),
  })
  try {
    for (const read of Object.values(PRIVATE_READS)) await read(db, account, foreignId)
  } finally {
    await db.destroy()
  }
  return sent.map((one) => ({ text: one.sql, unfiltered: withoutFilter(one.sql), values: [...one.parameters] }))
}

const FILTER = /(?:\w+\.)?"?account_id"? = (\$\d+)/g

/** The parameter stays in use, because PostgreSQL must know its type. */
function withoutFilter(text: string): string {
  const unfiltered = text.replaceAll(FILTER, '$1::bigint is not null')
  if (unfiltered === text) throw new Error(`A private query does not filter by account: ${text}`)
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

/** A count of nothing is no row. */
function isNonEmpty(row: string): boolean {
  return row !== '{"total":0}'
}

function subtract(rows: Rows, others: Rows): Rows {
  const left = new Map<string, number>()
  for (const row of others) left.set(row, (left.get(row) ?? 0) + 1)
  return rows.filter((row) => {
    const count = left.get(row) ?? 0
    left.set(row, count - 1)
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

/** What the api's role sees of each private table, with its policy, without it, and without any row-level security. */
export async function testPolicies(stage: TestEnvironment, { accountId }: MarkedAccount): Promise<PolicyMetrics[]> {
  const admin = await connect(stage.url)
  try {
    const { rows } = await admin.query<{ table: string; policy: string }>(
      `select format('%I.%I', schemaname, tablename) as table, policyname as policy from pg_policies
        where 'brickmark_api' = any (roles) order by 1`,
    )
    const figures: PolicyMetrics[] = []
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
      figures.push({ table, own, foreign, ownWithoutPolicy, foreignWithoutPolicy, foreignWithoutRowSecurity })
    }
    return figures
  } finally {
    await admin.end()
  }
}

/** Own and foreign rows that the api's role sees after a change that is rolled back again. */
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

/** Tables with an account_id on which row-level security is not both enabled and forced. */
export async function unforcedTables(stage: TestEnvironment): Promise<string[]> {
  const admin = await connect(stage.url)
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
