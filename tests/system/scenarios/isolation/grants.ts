import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import type { TestEnvironment } from '../../harness/test-environment.ts'

const GRANTS_SNAPSHOT = new URL('../../../../packages/core/test/db/grants.snapshot.txt', import.meta.url)
const ROLE = 'brickmark_api'
const KINDS = ['attribute', 'schema', 'table', 'function']

/** Lists grants of the API role that aren't in the committed snapshot, and grants in the snapshot that are missing. */
export async function grantDifferences(environment: TestEnvironment): Promise<string[]> {
  if (!existsSync(GRANTS_SNAPSHOT)) return ['the committed grants snapshot is missing']
  const committed = new Set(
    readFileSync(GRANTS_SNAPSHOT, 'utf8')
      .split('\n')
      .filter((line) => KINDS.some((kind) => line.startsWith(`${ROLE} ${kind} `))),
  )
  const actual = new Set(await listGrants(environment))
  return [
    ...[...actual].filter((line) => !committed.has(line)).map((line) => `not in the snapshot: ${line}`),
    ...[...committed].filter((line) => !actual.has(line)).map((line) => `in the snapshot but missing: ${line}`),
  ]
}

/** Lists grants in the format of the snapshot. Excludes partitions named by date, which come and go. */
async function listGrants(environment: TestEnvironment): Promise<string[]> {
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
     where has_function_privilege(${ROLE}, f.oid, 'EXECUTE')
       and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')`.execute(
    environment.db,
  )
  return rows.map((row) => `${ROLE} ${row.line}`)
}

/** Returns the number of tables in a schema, and those that the API's own connection can read. */
export async function readableTables(
  environment: TestEnvironment,
  schema: string,
): Promise<{ tables: number; readable: string[] }> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = ${schema}`.execute(
    environment.db,
  )
  const api = new pg.Client(environment.apiUrl)
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

/** Counts source rows with a canary: without any, finding none in a response would be meaningless. */
export async function countCanaries(environment: TestEnvironment): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from source.sale_observation o where o::text like '%CANARY-%')
         + (select count(*) from source.retail_observation o where o::text like '%CANARY-%') as count`.execute(
    environment.db,
  )
  return rows[0]?.count ?? 0
}

/** Counts rows with a canary in all tables outside the licensed schema. */
export async function countLeakedCanaries(environment: TestEnvironment): Promise<{ tables: number; leaked: number }> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name
      from pg_tables where schemaname not in ('source', 'pg_catalog', 'information_schema')`.execute(environment.db)
  let leaked = 0
  for (const { name } of rows) {
    const found = await sql<{ count: number }>`
      select count(*) from ${sql.raw(name)} t where t::text like '%CANARY-%'`.execute(environment.db)
    leaked += found.rows[0]!.count
  }
  return { tables: rows.length, leaked }
}
