import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import type { ApiNode } from '../../../support/api-node.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import type { Canary } from './canaries.ts'

/** Dumps every row of every table as text, including the sessions' current statements and the roles. */
export async function dumpDatabase(db: Database): Promise<{ rows: number; text: string }> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'
     union all values ('pg_catalog.pg_stat_activity'), ('pg_catalog.pg_authid'), ('pg_catalog.pg_db_role_setting')`.execute(
    db,
  )
  let rows = 0
  const parts: string[] = []
  for (const { name } of tables) {
    const { rows: found } = await sql<{ count: number; text: string }>`
      select count(*)::int as count, coalesce(string_agg(t::text, E'\n'), '') as text from ${sql.raw(name)} t`.execute(
      db,
    )
    rows += found[0]!.count
    parts.push(`${name}\n${found[0]!.text}`)
  }
  return { rows, text: parts.join('\n') }
}

const STARTUP_TIMEOUT_MS = 20_000

/**
 * Returns the output of processes that can't start: invalid configuration, unknown database, superuser role,
 * unreachable server.
 */
export async function captureStartupFailures(
  environment: TestEnvironment,
  password: Canary,
  pepper: Canary,
): Promise<string> {
  const withPassword = environment.apiUrl.replace(/:[^:@]*@/, `:${password.text}@`)
  const settings: Record<string, string>[] = [
    { DATABASE_URL: withPassword.replace('postgres:', 'mysql:'), API_KEY_PEPPERS: pepper.text.slice(0, 30), PORT: 'x' },
    { DATABASE_URL: withPassword.replace(/[^/]*$/, 'nowhere'), API_KEY_PEPPERS: pepper.text },
    { DATABASE_URL: withPassword.replace('brickmark_api:', 'postgres:'), API_KEY_PEPPERS: pepper.text },
    { DATABASE_URL: withPassword.replace(/@[^/]*/, `@127.0.0.1:${await freePort()}`), API_KEY_PEPPERS: pepper.text },
  ]
  const nodes = await Promise.all(settings.map((env) => environment.startNode({ env })))
  await Promise.all(nodes.map(waitForStartupError))
  const outputs = nodes.map((node) => node.log())
  await Promise.all(nodes.map((node) => node.stop()))
  const unexplained = outputs.filter((text) => !/Invalid configuration|not ready|Refusing to start/.test(text)).length
  if (unexplained > 0)
    throw new Error(`${unexplained} processes failed to start without an error message: ${outputs.join('\n')}`)
  return outputs.join('\n')
}

async function waitForStartupError(node: ApiNode): Promise<void> {
  for (const deadline = Date.now() + STARTUP_TIMEOUT_MS; Date.now() < deadline && node.isRunning();) {
    if (node.log().includes('not ready')) return
    await sleep(50)
  }
}
