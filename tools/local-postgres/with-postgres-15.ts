import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './local-postgres.ts'

/** Runs a command with TEST_DATABASE_URL set to a temporary Debian PostgreSQL 15 server. */
const [command, ...args] = process.argv.slice(2)
if (command === undefined) throw new Error('Usage: npm run with-postgres-15 -- COMMAND [ARGUMENT …]')

const directory = await mkdtemp(join(tmpdir(), 'brickmark-postgres-15-'))
const server = await startPostgres(directory, {
  binDir: '/usr/lib/postgresql/15/bin',
  settings: { fsync: 'off', max_connections: '200' },
})
try {
  const env = { ...process.env, TEST_DATABASE_URL: server.url }
  const child = spawn(command, args, { stdio: 'inherit', env })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
} finally {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}
