import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

/**
 * Snapshot of all effective privileges of our roles, granted directly or through PUBLIC, so that a migration that
 * changes privileges shows up in the diff. brickmark_owner owns the rest. Functions of extensions are left out. Update it with `vitest run … test/db/grants.test.ts -u`.
 */

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  client = new pg.Client(database.url)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Dated partitions come and go; none of them may have its own privileges. */
const DATED = `relispartition and relname ~ '_[0-9]{6,8}$'`

const RIGHTS = `
  with role as (
    select oid, rolname from pg_roles where rolname ~ '^brickmark_' and rolname <> 'brickmark_owner'
  ),
  space as (
    select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
  ),
  held as (
    select rolname, 'attribute' as kind, attribute as thing, '' as rights
      from pg_roles, lateral unnest(array[
        case when rolsuper then 'superuser' end, case when rolbypassrls then 'bypassrls' end,
        case when rolcanlogin then 'login' end, case when rolcreaterole then 'createrole' end,
        case when rolcreatedb then 'createdb' end, case when rolreplication then 'replication' end]) as attribute
     where rolname ~ '^brickmark_' and attribute is not null
    union all
    select r.rolname, 'member of', g.rolname, ''
      from role r join pg_auth_members m on m.member = r.oid join pg_roles g on g.oid = m.roleid
    union all
    select rolname, 'database', 'this one', string_agg(p, ' ' order by p)
      from role, unnest(array['CREATE', 'TEMPORARY', 'CONNECT']) p
     where has_database_privilege(role.oid, current_database(), p) group by 1
    union all
    select rolname, 'schema', nspname, string_agg(p, ' ' order by p)
      from role, space, unnest(array['CREATE', 'USAGE']) p
     where has_schema_privilege(role.oid, space.oid, p) group by 1, 3
    union all
    select rolname, 'table', nspname || '.' || relname, string_agg(p, ' ' order by p)
      from role, space join pg_class c on c.relnamespace = space.oid and c.relkind in ('r', 'p', 'v', 'm', 'f'),
           unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p
     where has_table_privilege(role.oid, c.oid, p) and not (${DATED}) group by 1, 3
    union all
    select rolname, 'column', nspname || '.' || relname || '.' || attname, string_agg(p, ' ' order by p)
      from role, space join pg_class c on c.relnamespace = space.oid and c.relkind in ('r', 'p', 'v', 'm', 'f')
           join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped,
           unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) p
     where has_column_privilege(role.oid, c.oid, a.attnum, p) and not has_table_privilege(role.oid, c.oid, p)
       and not (${DATED}) group by 1, 3
    union all
    select rolname, 'sequence', nspname || '.' || relname, string_agg(p, ' ' order by p)
      from role, space join pg_class c on c.relnamespace = space.oid and c.relkind = 'S',
           unnest(array['USAGE', 'SELECT', 'UPDATE']) p
     where has_sequence_privilege(role.oid, c.oid, p) group by 1, 3
    union all
    select role.rolname, 'function', nspname || '.' || proname || '(' || pg_get_function_identity_arguments(f.oid) || ')',
           case when prosecdef then 'EXECUTE as ' || o.rolname
                else 'EXECUTE' end
      from role, space join pg_proc f on f.pronamespace = space.oid join pg_roles o on o.oid = f.proowner
     where has_function_privilege(role.oid, f.oid, 'EXECUTE')
       and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')
  )
  select rtrim(concat_ws(' ', rolname, kind, thing, rights)) as line from held`

test('the privileges of every role match the snapshot', async () => {
  const { rows } = await client.query<{ line: string }>(RIGHTS)
  const lines = rows.map((row) => row.line).sort()
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./grants.snapshot.txt')
})

test('the login roles have timeouts of their own, which hold behind a connection pooler', async () => {
  const { rows } = await client.query<{ rolname: string; rolconfig: string[] }>(
    `select rolname, rolconfig from pg_roles where rolname ~ '^brickmark_' and rolcanlogin order by 1`,
  )
  expect(rows.map((row) => [row.rolname, row.rolconfig])).toEqual([
    ['brickmark_api', ['statement_timeout=2s', 'lock_timeout=150ms', 'idle_in_transaction_session_timeout=5s']],
    ['brickmark_web', ['statement_timeout=2s', 'idle_in_transaction_session_timeout=5s']],
    ['brickmark_worker', ['statement_timeout=5min', 'idle_in_transaction_session_timeout=5min']],
  ])
})

test('dated partitions have no privileges of their own', async () => {
  const { rows } = await client.query<{ relname: string; relacl: string | null }>(
    `select relname, relacl::text from pg_class
      where ${DATED} and relkind = 'r' and relnamespace <> 'pgboss'::regnamespace`,
  )
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter((row) => row.relacl?.includes('brickmark_') || /[{,]=/.test(row.relacl ?? ''))).toEqual([])
})

const SCHEMAS = [
  'catalog',
  'market',
  'source',
  'change',
  'alert',
  'mail',
  'webhook',
  'account',
  'auth',
  'portfolio',
  'public',
]
const OWNERS = ['owner', 'admission', 'operator', 'deletion', 'maintenance', 'alerts', 'ops'].map(
  (name) => `brickmark_${name}`,
)

describe('privileges in practice', () => {
  const tablesOf = async (schema: string) => {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1 order by 1`,
      [schema],
    )
    return rows.map((row) => row.name)
  }

  async function findAllowed(role: Parameters<typeof asRole>[1], statements: string[]): Promise<string[]> {
    const as = new pg.Client(asRole(database.url, role))
    await as.connect()
    const allowed: string[] = []
    for (const statement of statements) {
      const code = await as.query(statement).then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
      if (code !== '42501') allowed.push(`${statement}: ${code}`)
    }
    await as.end()
    return allowed
  }

  test.each([
    ['brickmark_api', 'source'],
    ['brickmark_api', 'account'],
    ['brickmark_api', 'auth'],
    ['brickmark_worker', 'auth'],
    ['brickmark_web', 'source'],
    ['brickmark_worker', 'account'],
    ['brickmark_worker', 'portfolio'],
    ['brickmark_web', 'change'],
  ] as const)("%s can't read any table of %s", async (role, schema) => {
    const tables = await tablesOf(schema)
    expect(tables.length).toBeGreaterThanOrEqual(4)
    expect(
      await findAllowed(
        role,
        tables.map((table) => `select 1 from ${table} limit 1`),
      ),
    ).toEqual([])
  })

  test('brickmark_api can read which items changed, but not how', async () => {
    const statements = ['item_number', 'before', 'after', '*'].map(
      (what) => `select ${what} from change.change limit 1`,
    )
    const others = ['change.cursor', 'change.set_status', 'change.change_default'].map(
      (table) => `select from ${table}`,
    )
    expect(await findAllowed('brickmark_api', [...statements, ...others])).toEqual([`${statements[0]!}: done`])
  })

  test("brickmark_api can't write any table", async () => {
    const tables: string[] = []
    for (const schema of SCHEMAS) tables.push(...(await tablesOf(schema)))
    const statements = tables.flatMap((table) => [
      `delete from ${table}`,
      `truncate ${table}`,
      `insert into ${table} default values`,
      `drop table ${table}`,
      `alter table ${table} disable row level security`,
    ])
    expect(await findAllowed('brickmark_api', statements)).toEqual([])
  })

  test('no role can create tables, schemas or roles', async () => {
    for (const role of ['brickmark_api', 'brickmark_web', 'brickmark_worker'] as const) {
      const statements = SCHEMAS.map((schema) => `create table ${schema}.mine (a integer)`)
      const more = ['create schema mine', 'create role mine', ...OWNERS.map((owner) => `set role ${owner}`)]
      expect(await findAllowed(role, [...statements, ...more])).toEqual([])
    }
  })
})
