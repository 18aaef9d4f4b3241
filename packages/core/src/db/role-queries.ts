import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Why this connection's role must not serve: row-level security would not hold for it. Undefined when it is fit. */
export async function describeUnsafeRole(db: Database, requiredRole: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string; unsafe: boolean }>`
    select current_user as name, rolsuper or rolbypassrls as unsafe from pg_roles where rolname = current_user`.execute(
    db,
  )
  const [role] = rows
  return role?.unsafe
    ? `This process must not connect as ${role.name}, which passes by row-level security. Use the role ${requiredRole}.`
    : undefined
}
