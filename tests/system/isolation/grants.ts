import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import type { TestEnvironment } from '../test-environment.ts'

const GRANTS_SNAPSHOT = new URL('../../../packages/core/test/db/grants.snapshot.txt', import.meta.url)
const ROLE = 'brickmark_api'
const KINDS = ['attribute', 'schema', 'table', 'function']

/** Rights of the api's role that are not in the committed list, and rights of the list that it does not have. */
export async function grantDifferences(stage: TestEnvironment): Promise<string[]> {
  if (!existsSync(GRANTS_SNAPSHOT)) return ['the committed list of grants is missing']
  const committed = new Set(
    readFileSync(GRANTS_SNAPSHOT, 'utf8')
      .split('\n')
      .filter((line) => KINDS.some((kind) => line.startsWith(`${ROLE} ${kind} `))),
  )
  const present = new Set(await listGrants(stage))
  return [
    ...[...present].filter((line) => !committed.has(line)).map((line) => `not agreed: ${line}`),
    ...[...committed].filter((line) => !present.has(line)).map((line) => `agreed but missing: ${line}`),
  ]
}

/** In the words of the committed list. Partitions named by a date come and go. */
async function listGrants(stage: TestEnvironment): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with space as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
    select concat_ws(' ', 'attribute', attribute) as line
      from pg_roles, lateral unnest(array[case when rolsuper then 'superuser' end,
        case when rolbypassrls then 'bypassrls' end, case when rolcanlogin then 'login' end,
        case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
        case when rolreplication then 'replication' end]) attribute
     where rolname = ${ROLE} and attribute is not null
    union all
    select concat_ws(' ', 'schema', nspname, string_agg(p, ' ' order by p))
      from space, unnest(array['CREATE', 'USAGE']) p
     where has_schema_privilege(${ROLE}, space.oid, p) group by nspname
    union all
    select concat_ws(' ', 'table', nspname || '.' || relname, string_agg(p, ' ' order by p))
      from space join pg_class c on c.relnamespace = space.oid and c.relkind in ('r', 'p', 'v', 'm', 'f'),
           unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p
     where has_table_privilege(${ROLE}, c.oid, p) and not (relispartition and relname ~ '_[0-9]{6,8}$')
     group by nspname, relname
    union all
    select concat_ws(' ', 'function',
             nspname || '.' || proname || '(' || pg_get_function_identity_arguments(f.oid) || ')', 'EXECUTE',
             case when prosecdef and rolname ~ '^brickmark_' then 'as ' || rolname when prosecdef then 'as the owner' end)
      from space join pg_proc f on f.pronamespace = space.oid join pg_roles o on o.oid = f.proowner
     where has_function_privilege(${ROLE}, f.oid, 'EXECUTE')`.execute(stage.db)
  return rows.map((row) => `${ROLE} ${row.line}`)
}

/** Tables of a schema, and those among them that the api's own connection can read. */
export async function readableTables(
  stage: TestEnvironment,
  schema: string,
): Promise<{ tables: number; readable: string[] }> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = ${schema}`.execute(stage.db)
  const api = new pg.Client(stage.apiUrl)
  await api.connect()
  const readable: string[] = []
  for (const { name } of rows) {
    const allowed = await api.query(`select 1 from ${name} limit 1`).then(
      () => true,
      () => false,
    )
    if (allowed) readable.push(name)
  }
  await api.end()
  return { tables: rows.length, readable }
}

/** How many source rows carry a canary: without any, finding none in an answer would say nothing. */
export async function countCanaries(stage: TestEnvironment): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from source.sale_observation o where o::text like '%CANARY-%')
         + (select count(*) from source.retail_observation o where o::text like '%CANARY-%') as count`.execute(stage.db)
  return rows[0]?.count ?? 0
}

/** Rows with a canary in a dump of all that is not licensed: every table of every other schema. */
export async function countLeakedCanaries(stage: TestEnvironment): Promise<{ tables: number; leaked: number }> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name
      from pg_tables where schemaname not in ('source', 'pg_catalog', 'information_schema')`.execute(stage.db)
  let leaked = 0
  for (const { name } of rows) {
    const found = await sql<{ count: number }>`
      select count(*) from ${sql.raw(name)} t where t::text like '%CANARY-%'`.execute(stage.db)
    leaked += found.rows[0]!.count
  }
  return { tables: rows.length, leaked }
}
