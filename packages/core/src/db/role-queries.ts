import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Returns why this connection's role is unsafe (it bypasses row-level security), or undefined if it is safe. */
export async function describeUnsafeRole(db: Database, requiredRole: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string; unsafe: boolean }>`
    select current_user as name, rolsuper or rolbypassrls as unsafe from pg_roles where rolname = current_user`.execute(
    db,
  )
  const [role] = rows
  return role?.unsafe
    ? `Refusing to start as role ${role.name}: it bypasses row-level security. Connect as ${requiredRole}.`
    : undefined
}
