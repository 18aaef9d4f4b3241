import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

/**
 * A SECURITY DEFINER function resolves unqualified names with its own search path. PostgreSQL searches `pg_temp` first
 * unless the path names it, so a caller who may create temporary objects could define `pg_temp.date` as a domain whose
 * check runs any code as the function's owner. These tests try exactly that, for every such function and login role.
 */

const OPERATOR_TOKEN = 'session of an operator'
const LOGIN_ROLES = ['brickmark_api', 'brickmark_worker', 'brickmark_web'] as const

type DefinerFunction = { signature: string; owner: string; config: string[] | null; trigger: boolean; call: string }

let database: TestDatabase
let superuser: pg.Client
let functions: DefinerFunction[]

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  superuser = new pg.Client(database.url)
  await superuser.connect()
  const { rows } = await superuser.query<DefinerFunction>(`
    select p.oid::regprocedure::text as signature, o.rolname as owner, p.proconfig as config,
           p.prorettype = 'trigger'::regtype as trigger,
           format('select * from %I.%I(%s)', n.nspname, p.proname,
             (select string_agg(case t.typname when 'jsonb' then '''[{}]''' when 'text' then '''${OPERATOR_TOKEN}'''
                                  when 'int4' then '1' when 'int8' then '1' else format('null::pg_catalog.%I', t.typname) end,
                                ', ' order by i)
                from unnest(p.proargtypes::oid[]) with ordinality as a (type, i) join pg_type t on t.oid = a.type)) as call
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_roles o on o.oid = p.proowner
     where p.prosecdef and n.nspname !~ '^pg_'
     order by 1`)
  functions = rows
  await superuser.query(`
    insert into auth."user" (id, name, email, operator, two_factor_enabled) values ('operator', 'Operator', 'operator@example.com', true, true);
    insert into auth.session (id, user_id, token, expires_at, created_at, updated_at)
    values ('session', 'operator', '${OPERATOR_TOKEN}', now() + interval '1 hour', now(), now())`)
})
afterAll(async () => {
  await superuser.end()
  await database.drop()
})

/** Every type that our functions could name, and relations that a statement could name without a schema. */
const SHADOWED_TYPES = [
  'date',
  'text',
  'bytea',
  'boolean',
  'bool',
  'int4',
  'int8',
  'int2',
  'uuid',
  'name',
  'regclass',
  'interval',
  'timestamp',
  'timestamptz',
  'numeric',
  'float8',
  'jsonb',
  'record',
]

/** Shadows the built-in types of this session with domains that report who evaluates them. */
async function plantDomains(client: pg.Client): Promise<string[]> {
  const planted: string[] = []
  const attempt = async (statement: string): Promise<boolean> =>
    client.query(statement).then(
      () => true,
      () => false,
    )
  await attempt(`create function pg_temp.report() returns boolean language plpgsql as $$
    begin raise exception 'code ran as %', current_user; end $$`)
  for (const type of SHADOWED_TYPES) {
    if (await attempt(`create domain pg_temp.${type} as pg_catalog.${type} check (pg_temp.report())`))
      planted.push(type)
  }
  return planted
}

describe.each(LOGIN_ROLES)('as %s', (role) => {
  test('no function with the rights of its owner runs code of its caller', async () => {
    const client = new pg.Client(asRole(database.url, role))
    await client.connect()
    const planted = await plantDomains(client)
    const escalations: string[] = []
    for (const { signature, trigger, call } of functions) {
      if (trigger) continue
      const message = await client.query(call).then(
        () => '',
        (error: Error) => error.message,
      )
      if (/code ran as/.test(message)) escalations.push(`${signature}: ${message}`)
    }
    if (role === 'brickmark_web') {
      // The only trigger function with the rights of its owner.
      const message = await client
        .query(`insert into auth."user" (id, name, email) values ('x', 'x', 'x@example.com')`)
        .then(
          () => '',
          (error: Error) => error.message,
        )
      if (/code ran as/.test(message)) escalations.push(`auth.open_account: ${message}`)
    }
    await client.end()
    expect(escalations).toEqual([])
    expect(planted.length > 0).toBe(role === 'brickmark_worker')
  })

  test("can't create or replace anything that such a function reads", async () => {
    const { rows } = await superuser.query<{ name: string }>(
      `select nspname as name from pg_namespace
        where nspname !~ '^pg_' and has_schema_privilege($1, oid, 'CREATE')
       union all
       select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname !~ '^pg_' and c.relowner = $1::regrole`,
      [role],
    )
    expect(rows.map((row) => row.name)).toEqual([])
  })
})

test('every function with the rights of its owner searches pg_temp last and belongs to a narrow role', () => {
  expect(functions.length).toBeGreaterThan(10)
  expect(
    functions.filter(({ config }) => !config?.some((setting) => setting === 'search_path=pg_catalog, pg_temp')),
  ).toEqual([])
  const owners = [...new Set(functions.map(({ owner }) => owner))].sort()
  expect(owners).toEqual([
    'brickmark_admission',
    'brickmark_alerts',
    'brickmark_deletion',
    'brickmark_maintenance',
    'brickmark_operator',
    'brickmark_ops',
  ])
})

test('the owner of the schema has no rights beyond it', async () => {
  const { rows } = await superuser.query(
    `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolcanlogin from pg_roles where rolname = 'brickmark_owner'`,
  )
  expect(rows).toEqual([
    { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, rolcanlogin: false },
  ])
})
