import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { routes } from '@brickmark/api/routes/index'
import { Catalog } from '@brickmark/api/catalog/catalog'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { countChildren, cpuUs, waitForChildrenToExit } from './process-stats.ts'
import { POSTGRES_BIN } from './debian-postgres.ts'
import type { BenchEnvironment } from './environment.ts'

type Statement = { text: string; values: unknown[] }

/**
 * Writes a pgbench script with the statement of one request, for a random account. It is captured from the handler
 * itself.
 */
export async function writePgbenchScript(
  { apiUrl, accounts, directory }: BenchEnvironment,
  path: string,
): Promise<string> {
  const ids = accounts.map(({ accountId }) => accountId)
  const statements = await captureStatements(apiUrl, path, ids[0]!)
  const lines = [
    `\\set account random(${Math.min(...ids)}, ${Math.max(...ids)})`,
    ...statements.map(({ text, values }) => `${inlineParameters(text, values, ids[0]!)};`),
  ]
  const file = join(directory, `${path.replaceAll('/', '-')}.sql`)
  await writeFile(file, lines.join('\n'))
  return file
}

async function captureStatements(apiUrl: string, path: string, accountId: number): Promise<Statement[]> {
  const endpoint = routes.find((route) => route.path === path)!
  const pool = openPool(apiUrl, { size: 1, pipelined: true })
  const sent: Statement[] = []
  pool.on('connect', (client) => {
    const sendQuery = client.query.bind(client) as (...asked: unknown[]) => unknown
    const record = (statement: Statement) => {
      sent.push(statement)
      return sendQuery(statement)
    }
    client.query = record as unknown as typeof client.query
  })
  const db = openDatabase(pool)
  const input = {
    params: {},
    query: endpoint.query.parse({}) as object,
    body: undefined,
    headers: {},
    accountId,
    keyId: 0,
    now: new Date(),
  }
  await endpoint.handle({ catalog: new Catalog(), db }, input)
  await db.destroy()
  return sent
}

/** Replaces placeholders by their values. The account ID becomes a pgbench variable, and thus a parameter. */
function inlineParameters(text: string, values: unknown[], accountId: number): string {
  return text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const value = values[Number(number) - 1]
    if (String(value) === String(accountId)) return ':account'
    return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
  })
}

/** Runs a pgbench script with prepared statements. */
export async function pgbench(
  { apiUrl, postgresPid }: BenchEnvironment,
  { script, connections, seconds }: { script: string; connections: number; seconds: number },
): Promise<{ rps: number; p50_ms: number; cpu_us: { postgres: number } }> {
  const before = await cpuUs(postgresPid)
  const backends = countChildren(postgresPid)
  const { stdout } = await promisify(execFile)(join(POSTGRES_BIN, 'pgbench'), [
    '--no-vacuum',
    '--protocol=prepared',
    '--jobs=2',
    `--client=${connections}`,
    `--time=${seconds}`,
    `--file=${script}`,
    apiUrl,
  ])
  await waitForChildrenToExit(postgresPid, backends)
  const parseMetric = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1])
  const transactions = parseMetric(/transactions actually processed: (\d+)/)
  return {
    rps: parseMetric(/tps = ([\d.]+)/),
    p50_ms: parseMetric(/latency average = ([\d.]+)/),
    cpu_us: { postgres: ((await cpuUs(postgresPid)) - before) / transactions },
  }
}
