import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from './database.ts'

type WantedRole = { name: string; login: boolean; settings: readonly string[] }

/** Migrations hand functions and tables over to these roles. */
const FUNCTION_OWNERS = ['admission', 'operator', 'deletion', 'maintenance', 'alerts', 'ops'].map(
  (name) => `brickmark_${name}`,
)

/** The roles that this version needs, as roles.sql creates them. */
const WANTED_ROLES: readonly WantedRole[] = [
  {
    name: 'brickmark_api',
    login: true,
    settings: ['statement_timeout=2s', 'lock_timeout=150ms', 'idle_in_transaction_session_timeout=5s'],
  },
  { name: 'brickmark_web', login: true, settings: ['statement_timeout=2s', 'idle_in_transaction_session_timeout=5s'] },
  {
    name: 'brickmark_worker',
    login: true,
    settings: ['statement_timeout=5min', 'idle_in_transaction_session_timeout=5min'],
  },
  ...['brickmark_owner', ...FUNCTION_OWNERS].map((name) => ({
    name,
    login: false,
    settings: [],
  })),
]

const MANAGED_SETTINGS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/** Returns how the roles of the server differ from what this version needs, a sentence part each. */
export async function findRoleProblems(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; login: boolean; settings: string[] | null }>(
    `select rolname as name, rolcanlogin as login, rolconfig as settings from pg_roles where rolname = any($1::text[])`,
    [WANTED_ROLES.map(({ name }) => name)],
  )
  const roles = new Map(rows.map((role) => [role.name, role]))
  const problems = WANTED_ROLES.flatMap(({ name, login, settings }) => {
    const role = roles.get(name)
    if (role === undefined) return [`${name} is missing`]
    return [
      ...(role.login === login ? [] : [`${name} ${login ? 'can’t' : 'can'} log in`]),
      ...MANAGED_SETTINGS.flatMap((setting) => describeSetting(name, setting, settings, role.settings ?? [])),
    ]
  })
  if (problems.some((problem) => problem.endsWith('is missing'))) return problems
  const { rows: foreign } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) name where not pg_has_role('brickmark_owner', name, 'member')`,
    [FUNCTION_OWNERS],
  )
  return [...problems, ...foreign.map(({ name }) => `brickmark_owner isn’t a member of ${name}`)]
}

function describeSetting(role: string, setting: string, wanted: readonly string[], stored: string[]): string[] {
  const find = (settings: readonly string[]) =>
    settings.find((entry) => entry.startsWith(`${setting}=`))?.slice(setting.length + 1)
  const [expected, found] = [find(wanted), find(stored)]
  if (expected === found) return []
  return [`${role} has ${setting} ${found ?? 'unset'} instead of ${expected ?? 'unset'}`]
}

/**
 * Returns why a process must not run with the role of this connection, or undefined if it may: every process has a role of its
 * own, which can do nothing but its work.
 */
export async function describeUnsafeRole(db: Database, requiredRole: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string; unrestricted: boolean; powerful: boolean; groups: string[] }>`
    select rolname as name, rolsuper or rolbypassrls as unrestricted, rolcreaterole or rolcreatedb or rolreplication as powerful,
           array(select roleid::regrole::text from pg_auth_members where member = r.oid order by 1) as groups
      from pg_roles r where rolname = current_user`.execute(db)
  const { name, unrestricted, powerful, groups } = rows[0]!
  const refuse = (why: string) => `Refusing to start as role ${name}: ${why}. Connect as ${requiredRole}.`
  if (unrestricted) return refuse('it bypasses row-level security')
  if (name !== requiredRole) return refuse('it isn’t the role of this process')
  if (powerful) return refuse('it may create roles or databases, or replicate')
  if (groups.length > 0) return refuse(`it is a member of ${groups.join(', ')}`)
  return undefined
}
