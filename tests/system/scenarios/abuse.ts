import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fork, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { hashPassword } from '@brickmark/core/account/password'
import { createUser } from '@brickmark/core/account/user-commands'
import type { Database } from '@brickmark/core/db/database'
import { resetPrices } from '../../support/alerts.ts'
import { registerCleanup } from '../../support/cleanup.ts'
import { asRole } from '../../support/database.ts'
import type { TestAccount } from '../../support/fixtures.ts'
import { startMailServer, type MailServer } from '../../support/mail-server.ts'
import { quantile } from '../../support/quantile.ts'
import { peakMemoryMb, processCpuMs } from '../../support/timing.ts'
import { CONNECTIONS, NETWORKS, type AttackReport, type Target } from './abuse/attacks.ts'
import { abuseMutants } from './abuse/mutants.ts'
import { loadAtRate, RawConnectionPool, type StatusResult } from '../harness/raw-connections.ts'
import { SeededRandom } from '../harness/random.ts'
import {
  atLeast,
  atMost,
  none,
  timing,
  type Check,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'
import { startWorkerNode } from './valuation-pipeline/worker-node.ts'
import { startWebNode, type WebNode } from '../harness/web-node.ts'

/**
 * Attackers without an account, and with a free one, use everything they can reach at the same time. Customers don't notice:
 * their requests succeed and take at most twice as long, their usage is recorded, their mail arrives, and every process stays
 * within the memory of its container.
 */
export const abuse = {
  name: 'abuse',
  summary: 'anonymous and free-plan attackers on every route at once: customers’ p99 ≤ 2×, nothing of theirs fails',
  options: {
    seconds: {
      default: 300,
      description: 'duration of the attack; customers are measured alone for a fifth of it before',
    },
    rate: { default: 100, description: 'customers’ requests per second' },
    keys: { default: 20, description: 'customers’ keys' },
  },
  mutantOptions: { seconds: 15, rate: 40, keys: 5 },
  mutants: abuseMutants,
  run,
} satisfies Scenario

const SETS = 200
/** A shorter run says nothing about times; a mutant must be killed by what it breaks. */
const MIN_TIMED_SECONDS = 60
const [START_CENTS, THRESHOLD, LOW_CENTS] = [5000, 4200, 3900]
const PASSWORD = 'correct horse battery staple'
/** What an account and a network may have per minute, as the web app limits it. */
const [MEMBER_PAGES, PREVIEWS, FIRST_GUESSES] = [120, 30, 50]
/** The plan of a key is known from its first charge on; some requests may arrive before that. */
const FIRST_BODIES = 10
/** The containers of the API have four times the CPU shares of the others. Attackers would be on machines of their own. */
const [NICENESS, ATTACKER_NICENESS] = [6, 15]
const MEMORY_MB = { api: 512, docs: 384, web: 768, worker: 1024 }

type Processes = Record<keyof typeof MEMORY_MB, number>

async function run({
  seed,
  options,
  openEnvironment,
  onTeardown,
  root,
  log,
}: ScenarioContext): Promise<ScenarioResult> {
  const { seconds = 1, rate = 1, keys: keyCount = 1 } = options
  const environment = await openEnvironment({ nodes: 0, maxSeconds: 180 + 2 * seconds, synchronousCommit: false })
  const { db } = environment
  const random = new SeededRandom(seed)
  const numbers = await resetPrices(db, SETS, START_CENTS)
  const mail = await startMailServer()
  onTeardown(() => mail.stop())
  const api = await environment.startNode({ env: { TRUST_PROXY: '1', LOG_LEVEL: 'error' } })
  await api.waitUntilReady()
  const web = await startWebNode(root, {
    DATABASE_URL: asRole(environment.url, 'brickmark_web'),
    WEB_SECRET: 'w'.repeat(32),
    MAIL_URL: mail.url,
    PUBLIC_PAGES: 'values',
    TRUST_PROXY: '1',
  })
  const docs = await startDocsNode(root)
  const worker = await startWorkerNode(root, asRole(environment.url, 'brickmark_worker'), { LOG_LEVEL: 'info' })
  const processes: Processes = { api: api.pid!, docs: docs.pid, web: web.pid, worker: worker.pid }
  const customers = await Promise.all(Array.from({ length: keyCount }, () => environment.createAccount({ limit: 1e9 })))
  const sentinel = await addSentinel(environment, numbers[0]!)
  await addAccountsWithManyRules(environment, numbers)
  const target = await prepareTarget(environment, web, { api: api.port, docs: docs.port }, numbers)

  await waitUntilIdle(Object.values(processes))
  for (const pid of [docs.pid, web.pid, worker.pid]) await lowerPriority(pid, NICENESS)
  const connections = await RawConnectionPool.open(api.port, 16)
  const send = () =>
    connections.get(`/api/v1/set/${random.pick(numbers)}`, { authorization: `Bearer ${random.pick(customers).key}` })
  await loadAtRate(send, rate, 3)
  const alone = await loadAtRate(send, rate, Math.max(5, seconds / 5))
  log(`customers alone: p99 ${p99(alone)} ms; the attack begins`)
  const attack = fork(new URL('./abuse/attack-process.ts', import.meta.url))
  registerCleanup(async () => void attack.kill('SIGKILL'), attack.pid)
  await lowerPriority(attack.pid!, ATTACKER_NICENESS)
  attack.send({ target, seconds })
  const reported = once(attack, 'message') as Promise<[Record<string, AttackReport>]>
  const changing = changePrices(db, numbers.slice(1), performance.now() + seconds * 1000, random)
  const arrived = Promise.all([waitForAlertMail(db, mail, sentinel), waitForSignUpMail(web, mail)])
  const attacked = await loadAtRate(send, rate, seconds)
  await changing
  const missingMail = (await arrived).filter((isThere) => !isThere).length
  const [reports] = await reported
  attack.kill()
  connections.close()
  const memory = await peakMemory(processes)
  await api.stop()
  const failures = [...alone, ...attacked].filter(({ status }) => status !== 200)
  const recorded = await countRecorded(db, customers)
  const sent = 3 * rate + alone.length + attacked.length
  log(`customers under attack: p99 ${p99(attacked)} ms`)
  return {
    checks: [
      timing(none('customers’ requests that failed', failures.length)),
      ...(seconds < MIN_TIMED_SECONDS
        ? []
        : [timing(atMost('customers’ p99, under attack ÷ alone', 2, rounded(p99(attacked) / p99(alone))))]),
      none('customers’ requests missing in their usage', Math.max(0, sent - recorded)),
      timing(none('emails to customers that didn’t arrive', missingMail)),
      ...Object.entries(memory).map(([name, mb]) =>
        atMost(`memory of ${name}, peak in MB`, MEMORY_MB[name as keyof Processes], mb),
      ),
      ...attackChecks(reports, seconds),
    ],
    measurements: {
      'customers alone': { p50: quantileOf(alone, 0.5), p99: p99(alone) },
      'customers under attack': { p50: quantileOf(attacked, 0.5), p99: p99(attacked) },
      attacks: Object.fromEntries(
        Object.entries(reports).map(([name, { statuses, leftOpen }]) => [
          name,
          JSON.stringify({ ...statuses, leftOpen }),
        ]),
      ),
    },
    failures: [
      ...new Set(failures.map(({ status, problem }) => problem ?? `customer got ${status}`)),
      ...Object.keys(reports).filter((name) => reports[name]!.statuses['500'] !== undefined),
    ],
  }
}

/** What attackers may get at most, whatever the speed of the machine. */
function attackChecks(reports: Record<string, AttackReport>, seconds: number): Check[] {
  const report = (name: string) => reports[name]!
  const count = (name: string, ...statuses: number[]) =>
    statuses.reduce((sum, status) => sum + (report(name).statuses[status] ?? 0), 0)
  // Each limit counts from its first use, which may be in another attack that begins a little earlier.
  const minutes = (name: string) => Math.ceil((report(name).seconds + 5) / 60)
  const holders = Object.entries(reports).filter(([, { statuses }]) => 'connections' in statuses)
  const all = Object.values(reports)
  return [
    none(
      'responses with status 500',
      all.reduce((sum, { statuses }) => sum + (statuses['500'] ?? 0), 0),
    ),
    none(
      'idle connections left open',
      holders.reduce((sum, [, { leftOpen }]) => sum + leftOpen, 0),
    ),
    atLeast('idle connections opened', 3 * CONNECTIONS, holders.length * CONNECTIONS),
    atMost(
      'guessed keys looked up',
      NETWORKS * (FIRST_GUESSES + Math.ceil(report('guessed keys').seconds) + 1),
      count('guessed keys', 401),
    ),
    atMost(
      'bodies read without a plan',
      FIRST_BODIES,
      total(report('bodies without a plan').statuses) - count('bodies without a plan', 403),
    ),
    atMost('longest answer to unknown fields, in bytes', 1000, report('bodies of a key that has run out').longestBody),
    atMost('previews for two networks', 2 * PREVIEWS * minutes('link previews'), count('link previews', 200)),
    atMost(
      'pages for a free account',
      MEMBER_PAGES * minutes('pages of a free account'),
      count('pages of a free account', 200),
    ),
    atLeast(
      'requests of attackers',
      100 * seconds,
      all.reduce((sum, { statuses }) => sum + total(statuses), 0),
    ),
  ]
}

function total(statuses: Record<string, number>): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0)
}

async function prepareTarget(
  environment: TestEnvironment,
  web: WebNode,
  ports: { api: number; docs: number },
  sets: string[],
): Promise<Target> {
  const free = await environment.createAccount({ plan: 'hobby' })
  const spent = await environment.createAccount({ limit: 1 })
  const email = await addUser(environment.db, free.accountId)
  const { host, port, origin } = new URL(web.origin)
  const signedIn = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'x-forwarded-for': '192.0.2.1' },
    body: new URLSearchParams({ email, password: PASSWORD }),
  })
  const freeCookie = signedIn.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  if (freeCookie === '') throw new Error(`The free account can’t sign in: ${signedIn.status}`)
  return {
    ports: { ...ports, web: Number(port) },
    webHost: host,
    freeKey: free.key,
    spentKey: spent.key,
    freeCookie,
    sets,
  }
}

async function addUser(db: Database, accountId: number): Promise<string> {
  const email = `user-${accountId}@example.com`
  const passwordHash = await hashPassword(PASSWORD, Buffer.alloc(16, 1))
  await createUser(db, { id: randomUUID(), accountId, name: 'Person', email, passwordHash })
  return email
}

/** A customer with one rule, whose mail is waited for. */
async function addSentinel(environment: TestEnvironment, setNumber: string) {
  const { db } = environment
  const { accountId } = await environment.createAccount()
  await sql`
    insert into alert.rule (account_id, kind, set_number, threshold)
    values (${accountId}, 'price_at_most', ${setNumber}, ${THRESHOLD})`.execute(db)
  return { email: await addUser(db, accountId), setNumber }
}

/** Two accounts with as many rules as they may have, all of which apply to everything that changes. */
async function addAccountsWithManyRules(environment: TestEnvironment, numbers: string[]): Promise<void> {
  const { db } = environment
  for (let account = 0; account < 2; account++) {
    const { accountId } = await environment.createAccount()
    await addUser(db, accountId)
    await sql`insert into portfolio.watched_item (account_id, set_number) select ${accountId}, unnest(${numbers}::text[])`.execute(
      db,
    )
    await sql`
      insert into alert.rule (account_id, kind, threshold)
      select ${accountId}, 'price_at_most', 4000 + n from generate_series(1, 50) n`.execute(db)
    await sql`
      insert into alert.rule (account_id, kind, set_number, threshold)
      select ${accountId}, 'price_at_most', number, 4000 + n
        from unnest(${numbers.slice(0, 19)}::text[]) as number, generate_series(1, 50) n`.execute(db)
  }
}

async function changePrices(db: Database, numbers: string[], until: number, random: SeededRandom): Promise<void> {
  while (performance.now() < until) {
    await sql`
      update market.retail_state set price_cents = ${random.pick([START_CENTS, LOW_CENTS])}
       where set_number = any (${numbers.slice(0, 100)}::text[]) and retailer = 'retailer_a'`.execute(db)
    await sleep(2000)
  }
}

async function waitForAlertMail(
  db: Database,
  mail: MailServer,
  { email, setNumber }: { email: string; setNumber: string },
): Promise<boolean> {
  await sleep(5000)
  await sql`
    update market.retail_state set price_cents = ${LOW_CENTS}
     where set_number = ${setNumber} and retailer = 'retailer_a'`.execute(db)
  return isThereSoon(() => mail.countEmails(email) > 0)
}

async function waitForSignUpMail({ origin }: WebNode, mail: MailServer): Promise<boolean> {
  await sleep(5000)
  const email = 'newcomer@example.com'
  await fetch(`${origin}/sign-up`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'x-forwarded-for': '192.0.2.2' },
    body: new URLSearchParams({ name: 'Newcomer', email, password: PASSWORD }),
  })
  return isThereSoon(() => mail.countEmails(email) > 0)
}

async function isThereSoon(isThere: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 300 && !isThere(); tries++) await sleep(100)
  return isThere()
}

/** Lowers the priority of all threads of a process; those that it starts later inherit it. */
async function lowerPriority(pid: number, niceness: number): Promise<void> {
  for (const thread of await readdir(`/proc/${pid}/task`)) setPriority(Number(thread), niceness)
  // Where the kernel groups processes by session, priorities count within a session only: then the session gets it, too.
  const sessionOf = (process: number | 'self') => readFile(`/proc/${process}/autogroup`, 'utf8').catch(() => '')
  if ((await sessionOf(pid)) !== (await sessionOf('self'))) await writeFile(`/proc/${pid}/autogroup`, String(niceness))
}

/** Waits until the processes have done what they do at the start, such as computing values. */
async function waitUntilIdle(pids: number[]): Promise<void> {
  const total = async () => (await Promise.all(pids.map(processCpuMs))).reduce((sum, ms) => sum + ms, 0)
  for (let tries = 0, before = await total(); tries < 60; tries++) {
    await sleep(2000)
    const now = await total()
    if (now - before < 200) return
    before = now
  }
}

async function startDocsNode(root: string): Promise<{ pid: number; port: number }> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(root, 'apps/docs/server/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: { PATH: process.env['PATH'], API_URL: 'http://localhost:1/api/v1', PORT: String(port) },
  })
  registerCleanup(async () => {
    child.kill('SIGKILL')
  }, child.pid)
  await once(child.stdout, 'data')
  return { pid: child.pid!, port }
}

async function peakMemory(processes: Processes): Promise<Processes> {
  const peaks = await Promise.all(
    Object.entries(processes).map(async ([name, pid]) => {
      return [name, await peakMemoryMb(pid)] as const
    }),
  )
  return Object.fromEntries(peaks) as Processes
}

async function countRecorded(db: Database, customers: TestAccount[]): Promise<number> {
  const { rows } = await sql<{ requests: number }>`
    select coalesce(sum(requests), 0)::integer as requests from account.api_key_usage
     where account_id = any (${customers.map(({ accountId }) => accountId)}::bigint[])`.execute(db)
  return rows[0]!.requests
}

function quantileOf(results: StatusResult[], share: number): number {
  return rounded(
    quantile(
      results.map(({ ms }) => ms),
      share,
    ),
  )
}

const p99 = (results: StatusResult[]) => quantileOf(results, 0.99)

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
