import pg from 'pg'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import type { MarkedAccount } from './accounts.ts'

/** Calls of every function with which the API reads private rows. */
const PRIVATE_READS: { name: string; values: (account: MarkedAccount, foreignId: number) => unknown[] }[] = [
  { name: 'read_lots', values: ({ accountId }) => [accountId, null, 250, 0] },
  { name: 'read_lots', values: ({ accountId }, foreignId) => [accountId, foreignId, 250, 0] },
  { name: 'read_held_lots', values: ({ accountId }) => [accountId, null] },
  { name: 'read_collections', values: ({ accountId }) => [accountId] },
  { name: 'read_ownership_intervals', values: ({ accountId }) => [accountId, '2020-01-01'] },
  { name: 'read_sales', values: ({ accountId }) => [accountId, 250, 0] },
]

export type RowSecurityMetrics = {
  reads: number
  /** Functions of the API that are missing above. */
  untested: string[]
  /** Reads that return other rows if the function has no account filter. */
  changed: number
  /** Reads that return rows if the function also doesn't set the account. */
  visibleWithoutSetting: number
  /** Reads that would return foreign rows without row-level security; the others prove nothing. */
  wouldLeak: number
}

/** Calls copies of the API's functions without their account filter, over the API's own connection. */
export async function runWithoutAccountFilter(
  environment: TestEnvironment,
  accounts: MarkedAccount[],
): Promise<RowSecurityMetrics> {
  const admin = await connect(environment.url)
  const api = await connect(environment.apiUrl)
  try {
    const definitions = await readDefinitions(admin)
    await createCopies(admin, 'unfiltered', definitions.map(withoutFilter))
    await createCopies(admin, 'unset', definitions.map(withoutFilter).map(withoutSetting))
    const metrics = {
      reads: PRIVATE_READS.length * accounts.length,
      untested: definitions.map(nameOf).filter((name) => !PRIVATE_READS.some((read) => read.name === name)),
      changed: 0,
      visibleWithoutSetting: 0,
      wouldLeak: 0,
    }
    for (const [index, account] of accounts.entries()) {
      const foreignId = accounts[(index + 1) % accounts.length]!.collectionIds[0]!
      for (const { name, values } of PRIVATE_READS) {
        const read = (client: pg.Client, schema: string) => callIn(client, schema, name, values(account, foreignId))
        const own = await read(api, 'portfolio')
        if ((await read(api, 'unfiltered')) !== own) metrics.changed++
        if (!EMPTY_RESULT.test(await read(api, 'unset'))) metrics.visibleWithoutSetting++
        if ((await read(admin, 'unfiltered')) !== own) metrics.wouldLeak++
      }
    }
    return metrics
  } finally {
    await admin.query('drop schema if exists unfiltered, unset cascade')
    await Promise.all([admin.end(), api.end()])
  }
}

/** Returns the definitions of all functions that the API may call and that read for an account. */
async function readDefinitions(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ definition: string }>(
    `select pg_get_functiondef(oid) as definition from pg_proc
      where pronamespace = 'portfolio'::regnamespace and 'for_account' = any (proargnames)
        and has_function_privilege('brickmark_api', oid, 'execute')`,
  )
  return rows.map((row) => row.definition)
}

function nameOf(definition: string): string {
  return /FUNCTION portfolio\.(\w+)/.exec(definition)![1]!
}

const FILTER = /(?:\w+\.)?account_id = for_account/g
const SETTING = /perform set_config\('brickmark\.account_id', .+?\);/

function withoutFilter(definition: string): string {
  const isFiltered = FILTER.test(definition) || definition.includes('portfolio.read_')
  if (!isFiltered) throw new Error(`A private read doesn’t filter by account: ${definition}`)
  return definition.replaceAll(FILTER, 'true')
}

function withoutSetting(definition: string): string {
  const unset = definition.replace(SETTING, '')
  if (unset === definition) throw new Error(`A private read doesn’t set the account: ${definition}`)
  return unset
}

/** Creates the functions in a schema of their own. Calls of each other stay within it. */
async function createCopies(admin: pg.Client, schema: string, definitions: string[]): Promise<void> {
  await admin.query(`create schema ${schema}`)
  await admin.query(`grant usage on schema ${schema} to brickmark_api`)
  await admin.query('set check_function_bodies = off')
  for (const definition of definitions) await admin.query(definition.replaceAll('portfolio.read_', `${schema}.read_`))
}

async function callIn(client: pg.Client, schema: string, name: string, values: unknown[]): Promise<string> {
  const placeholders = values.map((_, index) => `$${index + 1}`).join(', ')
  const { rows } = await client.query<object>(`select * from ${schema}.${name}(${placeholders})`, values)
  return JSON.stringify(rows[0])
}

/** Matches a result without rows: every value is null, 0 or an empty list. `is_found` may be either. */
const EMPTY_RESULT = /^\{("is_found":(true|false),)?("\w+":(null|0|\[\]),?)+\}$/

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
        where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('account', 'portfolio', 'alert')
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
