import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createUser } from '@brickmark/core/account/user-commands'
import type { Database } from '@brickmark/core/db/database'
import { asRole } from '../../support/database.ts'
import { toCsv } from '../../support/feed-fixtures.ts'
import { startMailServer, type MailServer } from '../../support/mail-server.ts'
import { quantile } from '../../support/quantile.ts'
import { Ingester, registerSources } from './ingest/ingester.ts'
import { SeededRandom } from '../harness/random.ts'
import {
  atLeast,
  atMost,
  none,
  timing,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'
import { startWorkerNode } from './valuation-pipeline/worker-node.ts'
import { startWebNode } from '../harness/web-node.ts'

const MAILER = 'apps/web/host/mailer.ts'

/**
 * Prices are ingested from files, and the mail about them is waited for at a mail server. Then the mail server takes no mail
 * while web processes are killed: afterwards every account must get its mail.
 */
export const alertMail = {
  name: 'alert-mail',
  summary:
    'sends mail about alerts within 10 s of an observation, and loses none while the mail server or the web app is down',
  options: {
    samples: { default: 200, description: 'observations whose mail is timed' },
    accounts: { default: 500, description: 'accounts with an alert while the mail server is down' },
    kills: { default: 20, description: 'web processes killed with SIGKILL' },
  },
  mutantOptions: { samples: 3, accounts: 20, kills: 1 },
  mutants: [
    {
      name: 'one-attempt',
      description: 'gives mail up when the mail server is down',
      edits: [{ file: MAILER, find: 'if (isAddressRefused(error)) {', replace: 'if (error) {' }],
    },
    {
      name: 'never-deleted',
      description: 'sends mail again that the mail server has taken',
      edits: [
        {
          file: MAILER,
          find: "      await deleteMessage(this.#database, message.id)\n      this.#metrics.recordEmail('sent')",
          replace: "      await retryMessage(this.#database, message.id, { inSeconds: 1, error: '' })",
        },
      ],
    },
    {
      name: 'forgets-first',
      description: 'takes the alerts of an account without writing mail about them',
      edits: [
        {
          file: MAILER,
          find: 'const due = await takeDueMail(transaction, ACCOUNTS_PER_BATCH)',
          replace: 'const due = (await takeDueMail(transaction, ACCOUNTS_PER_BATCH)).slice(1)',
        },
      ],
    },
  ],
  run,
} satisfies Scenario

const ORIGIN = { source: 'prove', license: 'prove-license' }
const SETS = 40
const [HIGH, THRESHOLD, LOW] = [6000, 4200, 3900]
const MAIL_TIMEOUT_MS = 30_000
const WEB_LIFE_MS = { min: 100, max: 1500 }

type Recipient = { email: string; setNumber: string }

async function run({
  seed,
  options,
  openEnvironment,
  onTeardown,
  root,
  log,
}: ScenarioContext): Promise<ScenarioResult> {
  const { samples = 1, accounts = 1, kills = 1 } = options
  const environment = await openEnvironment({ nodes: 0, maxSeconds: 300 + 5 * kills, synchronousCommit: true })
  const { db } = environment
  const random = new SeededRandom(seed)
  const mailServer = await startMailServer()
  onTeardown(() => mailServer.stop())
  const ingester = await Ingester.open(environment, root)
  onTeardown(() => ingester.close())
  const numbers = await prepareProducts(db)
  const observe = (prices: Map<string, number>) => ingestPrices(ingester, prices)
  const worker = await startWorkerNode(root, asRole(environment.url, 'brickmark_worker'))
  const startWeb = () =>
    startWebNode(root, {
      DATABASE_URL: asRole(environment.url, 'brickmark_web'),
      WEB_SECRET: 's'.repeat(32),
      MAIL_URL: mailServer.url,
    })
  const web = await startWeb()
  await observe(new Map(numbers.map((number) => [number, HIGH])))
  await waitForPrices(db, HIGH, numbers.length)

  const delays: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const [recipient] = await addRecipients(environment, [numbers[sample % numbers.length]!])
    await observe(new Map([[recipient!.setNumber, LOW]]))
    delays.push(await waitForMail(mailServer, recipient!))
    await observe(new Map([[recipient!.setNumber, HIGH]]))
  }
  log(`${samples} emails timed`)
  await waitForPrices(db, HIGH, numbers.length)
  await web.stop()

  mailServer.pause()
  const recipients = await addRecipients(
    environment,
    Array.from({ length: accounts }, () => random.pick(numbers)),
  )
  await observe(new Map(numbers.map((number) => [number, LOW])))
  for (let killed = 0; killed < kills; killed++) {
    const node = await startWeb()
    await sleep(random.int(WEB_LIFE_MS.min, WEB_LIFE_MS.max))
    await node.kill()
  }
  const waiting = await countWaiting(db)
  mailServer.resume()
  // Instead of waiting until the claims of the killed processes end.
  await sql`update mail.message set next_attempt_at = now()`.execute(db)
  const last = await startWeb()
  const missing = await drain(db, mailServer, recipients)
  await last.stop()
  await worker.stop()
  const twice = recipients.filter(({ email }) => new Set(mailServer.messageIds(email)).size > 1)
  const repeated = recipients.filter(
    ({ email }) => mailServer.countEmails(email) > new Set(mailServer.messageIds(email)).size,
  )
  const p99 = Math.round(quantile(delays, 0.99))
  return {
    checks: [
      none('observations without mail', delays.filter((ms) => ms === Infinity).length),
      atLeast('emails that waited for the mail server', 1, waiting),
      none('accounts without mail about their alert', missing.length),
      none('accounts with two emails about one alert', twice.length),
      none('emails that arrived twice with the same id', repeated.length),
      timing(atMost('from a committed observation to mail handed over, p99 in ms', 10_000, p99)),
    ],
    measurements: { samples, 'median ms': Math.round(quantile(delays, 0.5)), 'p99 ms': p99, accounts, kills },
    failures: missing.slice(0, 5).map(({ email }) => `no mail to ${email}`),
  }
}

/** Gives some sets a product at a retailer and nothing else, and returns their numbers. */
async function prepareProducts(db: Database): Promise<string[]> {
  await registerSources(db, ORIGIN.license, [ORIGIN.source])
  await sql`delete from source.retail_product`.execute(db)
  await sql`
    insert into source.retail_product (retailer, product_id, set_number, product_url)
    select 'retailer_a', 'P' || set_number, set_number, 'https://a.example/' || set_number
      from market.retail_state where retailer = 'retailer_a' order by set_number limit ${SETS}`.execute(db)
  const { rows } = await sql<{ set_number: string }>`select set_number from source.retail_product order by 1`.execute(
    db,
  )
  return rows.map((row) => row.set_number)
}

let observations = 0

/** Ingests current prices in one file. */
async function ingestPrices(ingester: Ingester, prices: Map<string, number>): Promise<void> {
  const rows = Array.from(prices, ([number, cents]) => ({
    ...ORIGIN,
    event_id: `p-${++observations}`,
    retailer: 'retailer_a',
    product_id: `P${number}`,
    observed_at: new Date().toISOString(),
    price: (cents / 100).toFixed(2),
    in_stock: 'true',
  }))
  const { quarantined } = await ingester.ingestOrThrow('retail', Buffer.from(toCsv('retail', rows)), 'prices')
  if (quarantined > 0) throw new Error(`${quarantined} valid prices were quarantined.`)
}

/** Adds accounts with a user and a rule on one of these sets each. */
async function addRecipients(environment: TestEnvironment, numbers: string[]): Promise<Recipient[]> {
  const recipients: Recipient[] = []
  for (const setNumber of numbers) {
    const { accountId } = await environment.createAccount()
    const id = randomUUID()
    const email = `${id}@example.com`
    await createUser(environment.db, { id, accountId, name: 'Robin', email, passwordHash: '' })
    await environment.db
      .insertInto('alert.rule')
      .values({ account_id: accountId, kind: 'price_at_most', set_number: setNumber, threshold: THRESHOLD })
      .execute()
    recipients.push({ email, setNumber })
  }
  return recipients
}

/** Returns how long mail took in ms; infinity if there was none. */
async function waitForMail(mailServer: MailServer, { email }: Recipient): Promise<number> {
  const started = performance.now()
  while (performance.now() - started < MAIL_TIMEOUT_MS) {
    if (mailServer.countEmails(email) > 0) return performance.now() - started
    await sleep(5)
  }
  return Infinity
}

async function waitForPrices(db: Database, cents: number, count: number): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const { rows } = await sql<{ count: number }>`
      select count(*) from market.retail_state join source.retail_product using (retailer, set_number)
       where price_cents = ${cents} and in_stock`.execute(db)
    if (rows[0]!.count === count) return
    if (Date.now() > deadline) throw new Error(`Only ${rows[0]!.count} of ${count} prices were published.`)
    await sleep(50)
  }
}

async function countWaiting(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from mail.message) + (select count(*) from alert.mail_schedule where due_at is not null) as count`.execute(
    db,
  )
  return rows[0]!.count
}

/** Waits until all mail has been sent, and returns who got none. */
async function drain(db: Database, mailServer: MailServer, recipients: Recipient[]): Promise<Recipient[]> {
  const withoutMail = () => recipients.filter(({ email }) => mailServer.countEmails(email) === 0)
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(500)) {
    const { rows } = await sql`select from mail.message`.execute(db)
    if (rows.length === 0 && withoutMail().length === 0) break
  }
  return withoutMail()
}
