import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import type { ScenarioContext } from '../../harness/scenario.ts'

// Every role but the superuser needs the password set by database.sql.
const PG_HBA_RULES = `host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`

/** Generates a secret for every name in .env.example. */
export async function generateSecrets(deploy: string): Promise<Record<string, string>> {
  const example = await readFile(join(deploy, '.env.example'), 'utf8')
  const names = [...example.matchAll(/^(\w+)=$/gm)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, randomBytes(24).toString('hex')]))
}

/** Starts a local PostgreSQL with the roles that the PostgreSQL image would create. Returns its port. */
export async function startDatabase(
  deploy: string,
  secrets: Record<string, string>,
  stopAtEnd: ScenarioContext['onTeardown'],
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'brickmark-containers-postgres-'))
  stopAtEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  await chmod(folder, 0o755)
  const rules = join(folder, 'pg_hba.conf')
  await writeFile(rules, PG_HBA_RULES)
  const server = await startPostgres(join(folder, 'server'), { settings: { hba_file: rules, max_connections: '200' } })
  stopAtEnd(() => server.stop(), server.process.pid)
  const env = { ...process.env, ...secrets }
  const files = [join(deploy, '../packages/core/roles.sql'), join(deploy, 'container/database.sql')]
  const options = [
    '--no-psqlrc',
    '--set=ON_ERROR_STOP=1',
    '--quiet',
    ...files.map((file) => `--file=${file}`),
    server.url,
  ]
  await promisify(execFile)('psql', options, { env })
  return Number(new URL(server.url).port)
}
