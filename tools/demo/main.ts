import { Command, InvalidArgumentError } from 'commander'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { startPostgres } from '../local-postgres/local-postgres.ts'
import { migrate } from '@brickmark/core/db/migrate'
import { appointOperator, dropDemo, linkPictures, seedAccounts, seedMarket, type DemoCredentials } from './seed.ts'
import { buildApps, spawnApi, spawnDocs, spawnWeb, spawnWorker, stopChild, waitUntilReady } from './processes.ts'

const DEMO_DIR = '.demo'
const MAIL_DIR = join(DEMO_DIR, 'mail')
const API_PORT = 8080
const WEB_PORT = 8090
const DOCS_PORT = 8100

type DemoOptions = { reset: boolean; watch: boolean; port: number | undefined; databaseUrl: string | undefined }

/** Runs PostgreSQL with sample data, the API, the docs, the web app and a worker on this machine until Ctrl-C. */
async function runDemo(options: DemoOptions): Promise<void> {
  await mkdir(DEMO_DIR, { recursive: true })
  const stops: (() => Promise<unknown>)[] = []
  const stopAll = async () => {
    for (const stop of stops.toReversed()) await stop()
    await rm(join(DEMO_DIR, 'demo.json'), { force: true })
  }
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  try {
    await Promise.race([ended, startAll(options, (stop) => stops.push(stop))])
  } finally {
    await stopAll()
  }
}

/** Starts all processes in order; rejects when one of them exits. */
async function startAll(options: DemoOptions, onStop: (stop: () => Promise<unknown>) => void): Promise<never> {
  const step = createStepLogger()
  // Computing the values keeps only one core busy.
  const builds = options.watch ? Promise.resolve() : buildApps()
  builds.catch(() => {})
  const databaseUrl = options.databaseUrl ?? (await startDemoPostgres(options.reset, onStop))
  step(options.databaseUrl === undefined ? 'PostgreSQL started in .demo/' : 'connected to PostgreSQL (DATABASE_URL)')
  if (options.reset && options.databaseUrl !== undefined) await dropDemo(databaseUrl)
  const migrations = await migrate(databaseUrl)
  step(migrations.length > 0 ? `${migrations.length} migrations applied` : 'schema up to date')
  const known = await loadSavedCredentials()
  const pepper = known?.pepper ?? randomBytes(32).toString('hex')
  if (!(await seedMarket(databaseUrl, step))) step('using existing sample data')
  const port = options.port ?? (await preferredOrFreePort(API_PORT))
  const apiOrigin = `http://127.0.0.1:${port}`
  const webPort = await preferredOrFreePort(WEB_PORT)
  // localhost instead of 127.0.0.1, because passkeys don't work on IP addresses.
  const webOrigin = `http://localhost:${webPort}`
  const docsPort = await preferredOrFreePort(DOCS_PORT)
  const docsOrigin = `http://127.0.0.1:${docsPort}`
  await linkPictures(databaseUrl, webOrigin)
  await builds
  const api = spawnApi(databaseUrl, pepper, port, docsOrigin, options)
  onStop(() => stopChild(api))
  const docs = spawnDocs(docsPort, `${apiOrigin}/api/v1`, webOrigin, options)
  onStop(() => stopChild(docs))
  const keys = await seedAccounts(databaseUrl, known, pepper)
  await saveCredentials(keys)
  step('accounts and API keys ready')
  await waitUntilReady(`${apiOrigin}/readyz`, api)
  step('API ready')
  await waitUntilReady(`${docsOrigin}/docs/quickstart`, docs)
  step('docs ready')
  const web = spawnWeb(
    databaseUrl,
    keys,
    webPort,
    webOrigin,
    `${apiOrigin}/api/v1`,
    join(process.cwd(), MAIL_DIR),
    options,
  )
  onStop(() => stopChild(web))
  await waitUntilReady(`http://127.0.0.1:${webPort}/healthz`, web)
  step('web app ready')
  const worker = spawnWorker(databaseUrl, keys, options)
  onStop(() => stopChild(worker))
  await printSummary(apiOrigin, webOrigin, docsOrigin, keys)
  const appointing = appointWhenEnrolled(databaseUrl, keys)
  onStop(async () => clearInterval(appointing))
  const processes = { API: api, docs, 'web app': web, worker }
  const exits = Object.entries(processes).map(([name, child]) => once(child, 'exit').then(() => name))
  throw new Error(`The ${await Promise.race(exits)} exited unexpectedly.`)
}

/** Makes the operator of the demo an operator as soon as its user has a second factor. */
function appointWhenEnrolled(databaseUrl: string, credentials: DemoCredentials): NodeJS.Timeout {
  const timer = setInterval(() => {
    appointOperator(databaseUrl, credentials).then(
      (isAppointed) => isAppointed && clearInterval(timer),
      () => {},
    )
  }, 2000)
  return timer
}

async function startDemoPostgres(reset: boolean, onStop: (stop: () => Promise<unknown>) => void): Promise<string> {
  const directory = join(process.cwd(), DEMO_DIR, 'postgres')
  if (reset) await rm(directory, { recursive: true, force: true })
  const server = await startPostgres(directory)
  onStop(() => server.stop())
  return server.url
}

async function printSummary(
  origin: string,
  webOrigin: string,
  docsOrigin: string,
  credentials: DemoCredentials,
): Promise<void> {
  const reseller = credentials.accounts.find((account) => account.name === 'reseller')!
  const operator = credentials.accounts.find((account) => account.operator)!
  const description = {
    base_url: `${origin}/api/v1`,
    docs_url: `${docsOrigin}/docs/`,
    web_url: webOrigin,
    accounts: credentials.accounts,
    revoked_key: credentials.revoked_key,
    expired_key: credentials.expired_key,
  }
  // Written to a temporary file and renamed, so that readers never see a partial file.
  await writeFile(join(DEMO_DIR, 'demo.json.new'), `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 })
  await rename(join(DEMO_DIR, 'demo.json.new'), join(DEMO_DIR, 'demo.json'))
  process.stdout.write(`
Brickmark is running with sample data.

  Web        ${webOrigin}   ${reseller.email} / ${reseller.password}
  Admin      ${webOrigin}/admin   ${operator.email} / ${operator.password} (turn on two-factor authentication first)
  API        ${description.base_url}
  Docs       ${description.docs_url}
  API key    ${reseller.api_key}
  Email      saved to ${MAIL_DIR}/

More accounts: .demo/demo.json

Try it:

  curl -H 'Authorization: Bearer ${reseller.api_key}' '${description.base_url}/set/90000-1'

Press Ctrl-C to stop. Run \`npm run demo -- --reset\` to start over.
`)
}

const KEYS_FILE = join(DEMO_DIR, 'keys.json')

async function loadSavedCredentials(): Promise<DemoCredentials | undefined> {
  try {
    return JSON.parse(await readFile(KEYS_FILE, 'utf8')) as DemoCredentials
  } catch {
    return undefined
  }
}

async function saveCredentials(credentials: DemoCredentials): Promise<void> {
  await writeFile(KEYS_FILE, JSON.stringify(credentials), { mode: 0o600 })
}

async function preferredOrFreePort(usual: number): Promise<number> {
  return (await tryListen(usual)) ?? (await tryListen(0)) ?? usual
}

async function tryListen(port: number): Promise<number | undefined> {
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

function createStepLogger(): (what: string) => void {
  const started = performance.now()
  return (what) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5)
    process.stderr.write(`${seconds} s  ${what}\n`)
  }
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65535) throw new InvalidArgumentError('Must be between 1 and 65535.')
  return port
}

const program = new Command('demo')
  .description('Run everything locally with sample data.')
  .option('--reset', 'delete the data and start over', false)
  .option('--watch', 'reload pages and restart processes when files change', false)
  .option('--port <number>', 'port of the API', parsePort)
  .action(({ reset, watch, port }: { reset: boolean; watch: boolean; port?: number }) =>
    runDemo({ reset, watch, port, databaseUrl: process.env['DATABASE_URL'] }),
  )

try {
  await program.parseAsync()
  process.exit()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
