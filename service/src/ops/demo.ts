import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../db/local-postgres.ts'
import { migrate } from '../db/migrate.ts'
import { dropDemo, seedDemo, type DemoKeys } from './demo-data.ts'

const DIRECTORY = '.demo'
const API = fileURLToPath(new URL('../bin/api.ts', import.meta.url))
const USUAL_PORT = 8080

export type DemoOptions = { reset: boolean; port: number | undefined; databaseUrl: string | undefined }

/** Everything on one machine: a real PostgreSQL, migrated and filled, and the api over it. Ends on Ctrl-C. */
export async function demo(options: DemoOptions): Promise<void> {
  await mkdir(DIRECTORY, { recursive: true })
  const stops: (() => Promise<unknown>)[] = []
  const stopAll = async () => {
    for (const stop of stops.toReversed()) await stop()
    await rm(join(DIRECTORY, 'demo.json'), { force: true })
  }
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  try {
    await Promise.race([ended, run(options, (stop) => stops.push(stop))])
  } finally {
    await stopAll()
  }
}

/** Starts one part after another; ends only when the api does. */
async function run(options: DemoOptions, whenStopping: (stop: () => Promise<unknown>) => void): Promise<never> {
  const step = startClock()
  const databaseUrl = options.databaseUrl ?? (await ownPostgres(options.reset, whenStopping))
  step(options.databaseUrl === undefined ? 'PostgreSQL started in .demo/' : 'PostgreSQL of DATABASE_URL')
  if (options.reset && options.databaseUrl !== undefined) await dropDemo(databaseUrl)
  const migrations = await migrate(databaseUrl)
  step(migrations.length > 0 ? `schema made (${migrations.length} migrations)` : 'schema up to date')
  const { keys, made } = await seedDemo(databaseUrl, await remembered(), step)
  await remember(keys)
  step(made ? 'accounts and keys made' : 'market and accounts as you left them')
  const port = options.port ?? (await usualOrFreePort())
  const api = startApi(databaseUrl, keys.pepper, port)
  whenStopping(() => stopChild(api))
  const origin = `http://127.0.0.1:${port}`
  await untilReady(origin, api)
  step('api ready')
  await announce(origin, keys)
  const [code] = (await once(api, 'exit')) as [number | null]
  throw new Error(`The api ended by itself (${code ?? 'killed'}).`)
}

async function ownPostgres(reset: boolean, whenStopping: (stop: () => Promise<unknown>) => void): Promise<string> {
  const directory = join(process.cwd(), DIRECTORY, 'postgres')
  if (reset) await rm(directory, { recursive: true, force: true })
  const server = await startPostgres(directory)
  whenStopping(() => server.stop())
  return server.url
}

function startApi(databaseUrl: string, pepper: string, port: number): ChildProcess {
  return spawn(process.execPath, [API], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Its own process group: Ctrl-C reaches us first, and we stop it in order.
    detached: true,
    env: {
      ...process.env,
      DATABASE_URL: asApi(databaseUrl),
      API_KEY_PEPPERS: pepper,
      PORT: String(port),
      LOG_LEVEL: 'warn',
    },
  })
}

/** The same login, but with only the rights of the api's role. */
function asApi(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c role=brickmark_api')
  return url.href
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

async function untilReady(origin: string, api: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (api.exitCode !== null) throw new Error('The api did not start; its message is above.')
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The api did not become ready within 30 s.')
}

async function announce(origin: string, keys: DemoKeys): Promise<void> {
  const reseller = keys.accounts.find((account) => account.name === 'reseller')!
  const description = {
    base_url: `${origin}/api/v1`,
    docs_url: `${origin}/docs/`,
    accounts: keys.accounts,
    revoked_key: keys.revoked_key,
    expired_key: keys.expired_key,
  }
  // Written beside and renamed: whoever waits for the file never reads half of it.
  await writeFile(join(DIRECTORY, 'demo.json.new'), `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 })
  await rename(join(DIRECTORY, 'demo.json.new'), join(DIRECTORY, 'demo.json'))
  process.stdout.write(`
Brickmark is running with an invented market.

  API        ${description.base_url}
  Docs       ${description.docs_url}
  Key        ${reseller.api_key}   (account "reseller"; the others are in .demo/demo.json)

Try it:

  curl -H 'Authorization: Bearer ${reseller.api_key}' '${description.base_url}/set/90000-1'

Ctrl-C stops it. \`npm run demo -- --reset\` makes the data anew.
`)
}

const KEYS_FILE = join(DIRECTORY, 'keys.json')

async function remembered(): Promise<DemoKeys | undefined> {
  try {
    return JSON.parse(await readFile(KEYS_FILE, 'utf8')) as DemoKeys
  } catch {
    return undefined
  }
}

async function remember(keys: DemoKeys): Promise<void> {
  await writeFile(KEYS_FILE, JSON.stringify(keys), { mode: 0o600 })
}

async function usualOrFreePort(): Promise<number> {
  return (await canListen(USUAL_PORT)) ?? (await canListen(0)) ?? USUAL_PORT
}

async function canListen(port: number): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : undefined
  } catch {
    return undefined
  } finally {
    server.close()
  }
}

function startClock(): (what: string) => void {
  const started = performance.now()
  return (what) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5)
    process.stderr.write(`${seconds} s  ${what}\n`)
  }
}
