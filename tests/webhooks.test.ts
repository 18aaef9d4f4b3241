import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { addRule } from '@brickmark/core/alert/rule-commands'
import { openDatabase, openPool, writeAs, type Database } from '@brickmark/core/db/database'
import { deleteOldEvents } from '@brickmark/core/webhook/delivery-commands'
import { findDeliveries, findWebhookBacklog } from '@brickmark/core/webhook/delivery-queries'
import {
  addEndpoint,
  deleteEndpoint,
  enableEndpoint,
  MAX_ENDPOINTS,
  replayDelivery,
  rotateSecret,
  sendTestEvent,
} from '@brickmark/core/webhook/endpoint-commands'
import { findEndpoints } from '@brickmark/core/webhook/endpoint-queries'
import { AlertEvent } from '@brickmark/core/webhook/event'
import { deriveSecret, messageId } from '@brickmark/core/webhook/signature'
import { WorkerMetrics } from '@brickmark/worker/metrics'
import { startWebhookLoop } from '@brickmark/worker/webhooks/webhook-loop'
import { applyAlertRules } from './support/alerts.ts'
import { asRole, createDatabase, type TestDatabase } from './support/database.ts'
import { addRetailers, addRetailState, addSet, addValue, createTestAccount } from './support/fixtures.ts'

/** From an alert to a request at the receiver, as the roles of the worker and of the web application. */

const KEY = 'k'.repeat(32)

let database: TestDatabase
let ownerDatabase: Database
let workerDatabase: Database
let webDatabase: Database
let accountId: number
let receiver: Server
let url: string
let received: { headers: IncomingHttpHeaders; body: string }[]
let respond: (response: ServerResponse) => void
let loops: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 2 }))
  workerDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_worker'), { size: 2 }))
  webDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 2 }))
  await addRetailers(ownerDatabase)
  await addSet(ownerDatabase, { set_number: '90001-1' })
  await addValue(ownerDatabase, { set_number: '90001-1' })
  await addRetailState(ownerDatabase, { set_number: '90001-1', price_cents: 5000 })
  await applyAlertRules(workerDatabase)
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ headers: request.headers, body: await text(request) })
    respond(response)
  }
  receiver = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
beforeEach(async () => {
  await Promise.all(loops.map((loop) => loop.stop()))
  loops = []
  await sql`delete from webhook.endpoint`.execute(ownerDatabase)
  received = []
  respond = (response) => response.end('ok')
  ;({ accountId } = await createTestAccount(ownerDatabase))
})
afterAll(async () => {
  await Promise.all(loops.map((loop) => loop.stop()))
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
  await Promise.all([ownerDatabase.destroy(), workerDatabase.destroy(), webDatabase.destroy()])
  await database.drop()
})

function startLoop(allowedNetworks = ['127.0.0.1/32']): void {
  const log = pino({ level: 'silent' })
  const context = { pool: undefined as never, db: workerDatabase, log, now: () => new Date() }
  const databaseUrl = asRole(database.url, 'brickmark_worker')
  loops.push(startWebhookLoop(databaseUrl, { key: KEY, allowedNetworks }, context, new WorkerMetrics()))
}

const asOwnerOf = <T>(work: (db: Database) => Promise<T>) => writeAs(webDatabase, accountId, work)
const newEndpoint = async (target = url) => (await asOwnerOf((db) => addEndpoint(db, accountId, target)))!
const sendTest = (id: number) => asOwnerOf((db) => sendTestEvent(db, accountId, id))
const deliveriesTo = (id: number) => asOwnerOf((db) => findDeliveries(db, accountId, id, 10))
const endpoint = async (id: number) =>
  (await asOwnerOf((db) => findEndpoints(db, accountId))).find((known) => known.id === id)!
const secretOf = async (id: number) => deriveSecret(KEY, (await endpoint(id)).salt)
const verify = (secret: string, { headers, body }: (typeof received)[number]) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

/** Waits until this many attempts have been made. */
const waitForAttempts = (id: number, attempts = 1) =>
  vi.waitFor(
    async () => {
      const deliveries = await deliveriesTo(id)
      expect(deliveries.flatMap((delivery) => delivery.attempts)).toHaveLength(attempts)
      return deliveries
    },
    { timeout: 20_000 },
  )

test('an alert arrives as a signed event, at every endpoint of its account', async () => {
  const ids = [await newEndpoint(), await newEndpoint()]
  const { accountId: other } = await createTestAccount(ownerDatabase)
  await addRule(ownerDatabase, accountId, {
    kind: 'price_at_most',
    scope: { kind: 'set', number: '90001-1' },
    threshold: 4200,
  })
  await addRule(ownerDatabase, other, {
    kind: 'price_at_most',
    scope: { kind: 'set', number: '90001-1' },
    threshold: 4200,
  })
  await sql`update market.retail_state set price_cents = 3999, in_stock = true`.execute(ownerDatabase)
  await applyAlertRules(workerDatabase)
  startLoop()
  for (const id of ids) await waitForAttempts(id)
  expect(received).toHaveLength(2)
  expect(received[0]!.headers['webhook-id']).toBe(received[1]!.headers['webhook-id'])
  const secrets = await Promise.all(ids.map(secretOf))
  expect(new Set(secrets).size).toBe(2)
  const events = secrets.map((secret) => received.flatMap((message) => tryVerify(secret, message)))
  expect(events.map((own) => own.length)).toEqual([1, 1])
  expect(AlertEvent.parse(events[0]![0])).toMatchObject({
    type: 'alert.price_at_most',
    data: {
      item_number: '90001-1',
      retailer: 'retailer_a',
      reason: '$39.99 ≤ your $42.00 at Retailer A',
      price_usd: 39.99,
      previous_usd: 50,
      threshold_usd: 42,
      value_usd: null,
    },
  })
  expect(await deliveriesTo(ids[0]!)).toMatchObject([
    { status: 'delivered', nextAttemptAt: null, attempts: [{ statusCode: 200, response: 'ok' }] },
  ])
  expect((await findWebhookBacklog(workerDatabase)).endpoints).toBe(0)
})

function tryVerify(secret: string, message: (typeof received)[number]): unknown[] {
  try {
    return [verify(secret, message)]
  } catch {
    return []
  }
}

test('a failed attempt is repeated after five seconds with the same id and body', async () => {
  const id = await newEndpoint()
  respond = (response) => response.writeHead(received.length === 1 ? 503 : 200).end(`attempt ${received.length}`)
  await sendTest(id)
  startLoop()
  const [waiting] = await waitForAttempts(id)
  expect(waiting).toMatchObject({ status: 'waiting', attempts: [{ statusCode: 503, response: 'attempt 1' }] })
  const wait = waiting!.nextAttemptAt!.getTime() - waiting!.attempts[0]!.at.getTime()
  expect(wait).toBeGreaterThanOrEqual(5000)
  expect(wait).toBeLessThan(20_000)
  expect(await waitForAttempts(id, 2)).toMatchObject([{ status: 'delivered' }])
  expect(received.map(({ headers, body }) => [headers['webhook-id'], body])).toEqual(
    Array.from({ length: 2 }, () => [messageId(waiting!.event.id), received[0]!.body]),
  )
  for (const message of received) verify(await secretOf(id), message)
})

test('during a rotation, messages are valid with the old and the new secret', async () => {
  const id = await newEndpoint()
  const old = await secretOf(id)
  await asOwnerOf((db) => rotateSecret(db, accountId, id))
  const current = await secretOf(id)
  expect(current).not.toBe(old)
  await sendTest(id)
  startLoop()
  await waitForAttempts(id)
  for (const secret of [old, current]) expect(verify(secret, received[0]!)).toMatchObject({ type: 'test' })
  await sql`update webhook.endpoint set old_salt_until = now() where id = ${id}`.execute(ownerDatabase)
  await sendTest(id)
  await waitForAttempts(id, 2)
  expect(() => verify(old, received[1]!)).toThrow('No matching signature')
  verify(current, received[1]!)
})

describe('what isn’t delivered', () => {
  test('410 disables the endpoint; enabled again, it gets what is sent again', async () => {
    const id = await newEndpoint()
    respond = (response) => response.writeHead(410).end()
    await sendTest(id)
    startLoop()
    const [failed] = await waitForAttempts(id)
    expect(failed).toMatchObject({ status: 'failed', attempts: [{ statusCode: 410 }] })
    expect((await endpoint(id)).disabledReason).toBe('gone')
    await sendTest(id)
    respond = (response) => response.end()
    await asOwnerOf((db) => replayDelivery(db, accountId, id, failed!.event.id))
    expect(received).toHaveLength(1)
    await asOwnerOf((db) => enableEndpoint(db, accountId, id, true))
    await waitForAttempts(id, 3)
    expect((await deliveriesTo(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  })

  test.each<[string, number, string, string?]>([
    ['a redirect isn’t followed', 302, 'Redirects aren’t followed.'],
    ['a body is cut', 500, 'x'.repeat(1000)],
    ['a body is cut in the middle of a character', 500, `${'x'.repeat(999)}\u{fffd}`, `${'x'.repeat(999)}🧱 and so on`],
    ['a body has a NUL', 500, 'a\u{fffd}b', 'a\0b'],
  ])('%s', async (_, statusCode, expected, body = 'x'.repeat(100_000)) => {
    const id = await newEndpoint()
    respond = (response) => response.writeHead(statusCode, { location: url }).end(body)
    await sendTest(id)
    startLoop()
    expect(await waitForAttempts(id)).toMatchObject([
      { status: 'waiting', attempts: [{ statusCode, response: expected }] },
    ])
    expect(received).toHaveLength(1)
  })

  test.each<[string, (port: string) => string]>([
    ['127.0.0.1', (port: string) => `https://127.0.0.1:${port}`],
    ['a name of this machine', (port: string) => `https://localhost:${port}`],
    ['http without TLS', (port: string) => `http://127.0.0.1:${port}`],
    ['a name that doesn’t exist', () => 'https://nowhere.invalid'],
  ])('nothing goes to %s unless the operator allows it', async (_, target) => {
    let connections = 0
    const count = () => connections++
    receiver.on('connection', count)
    const id = await newEndpoint(target(new URL(url).port))
    await sendTest(id)
    startLoop([])
    const [delivery] = await waitForAttempts(id)
    expect(delivery!.attempts[0]).toMatchObject({
      statusCode: null,
      response: expect.stringMatching(/doesn’t point to a public address|must start with https/) as string,
    })
    receiver.off('connection', count)
    expect(connections).toBe(0)
  })

  test('a receiver that never answers is given up after 15 seconds', async () => {
    const id = await newEndpoint()
    respond = (response) => response.writeHead(200).write('slow')
    await sendTest(id)
    startLoop()
    expect(await waitForAttempts(id)).toMatchObject([
      { status: 'waiting', attempts: [{ statusCode: null, response: 'No complete response within 15 seconds.' }] },
    ])
  })
})

test('two workers send an event once', async () => {
  const ids = await Promise.all(Array.from({ length: 3 }, () => newEndpoint()))
  startLoop()
  startLoop()
  for (let event = 0; event < 10; event++) for (const id of ids) await sendTest(id)
  for (const id of ids)
    await vi.waitFor(async () => {
      const deliveries = await deliveriesTo(id)
      expect(deliveries.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'delivered'))
    }, 20_000)
  const attempts = (await Promise.all(ids.map(deliveriesTo))).flat().flatMap((delivery) => delivery.attempts)
  expect(attempts.map(({ response }) => response)).toEqual(Array.from({ length: 30 }, () => 'ok'))
})

test('limits, deletion and retention', async () => {
  const added = await Promise.all(Array.from({ length: MAX_ENDPOINTS + 2 }, () => newEndpoint()))
  expect(added.filter((id) => id !== undefined)).toHaveLength(MAX_ENDPOINTS)
  const [id, gone] = added.filter((known) => known !== undefined)
  await sendTest(id!)
  await sendTest(gone!)
  await asOwnerOf((db) => deleteEndpoint(db, accountId, gone!))
  await sql`update webhook.event set at = now() - interval '31 days' where account_id = ${accountId}`.execute(
    ownerDatabase,
  )
  expect(await deleteOldEvents(workerDatabase)).toBe(2)
  expect(await deliveriesTo(id!)).toEqual([])
})
