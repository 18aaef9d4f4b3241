import { createECDH } from 'node:crypto'
import { pino } from 'pino'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { turnMailOff } from '@brickmark/core/alert/mail-settings-commands'
import { setSuspended } from '@brickmark/core/account/account-commands'
import { addRule } from '@brickmark/core/alert/rule-commands'
import { openDatabase, openPool, writeAs, type Database } from '@brickmark/core/db/database'
import { addEndpoint, MAX_ENDPOINTS, sendTestEvent } from '@brickmark/core/webhook/endpoint-commands'
import { findEndpoints } from '@brickmark/core/webhook/endpoint-queries'
import { findWebhookBacklog } from '@brickmark/core/webhook/delivery-queries'
import { claimEndpoints } from '@brickmark/core/webhook/delivery-commands'
import { claimPushSubscriptions } from '@brickmark/core/webhook/push-delivery-commands'
import {
  addPushSubscription,
  deleteAllPush,
  deleteDevicePush,
  deletePushSubscription,
  MAX_PUSH_SUBSCRIPTIONS,
} from '@brickmark/core/webhook/push-subscription-commands'
import { findPushBacklog, findPushSubscriptions } from '@brickmark/core/webhook/push-subscription-queries'
import { WorkerMetrics } from '@brickmark/worker/metrics'
import { startPushLoop } from '@brickmark/worker/webhooks/push-loop'
import { applyAlertRules } from './support/alerts.ts'
import { asRole, createDatabase, type TestDatabase } from './support/database.ts'
import { addRetailers, addRetailState, addSet, addValue, createTestAccount } from './support/fixtures.ts'
import { decrypt, newVapidKeys, startPushService, type FakeBrowser } from './support/push-service.ts'

/** From an alert to a notification, as the roles of the worker and of the web application. The push service is a fake. */

const KEYS = newVapidKeys()

let database: TestDatabase
let ownerDatabase: Database
let workerDatabase: Database
let webDatabase: Database
let accountId: number
let service: Awaited<ReturnType<typeof startPushService>>
let log: string[]
let metrics: WorkerMetrics
let loops: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 2 }))
  workerDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_worker'), { size: 2 }))
  webDatabase = openDatabase(openPool(asRole(database.url, 'brickmark_web'), { size: 2 }))
  await addRetailers(ownerDatabase)
  for (const set_number of ['90001-1', '90002-1']) {
    await addSet(ownerDatabase, { set_number, title: `Set ${set_number}` })
    await addValue(ownerDatabase, { set_number })
    await addRetailState(ownerDatabase, { set_number, price_cents: 5000 })
  }
  await applyAlertRules(workerDatabase)
})
beforeEach(async () => {
  await Promise.all(loops.map((loop) => loop.stop()))
  loops = []
  await service?.stop()
  service = await startPushService(KEYS.publicKey)
  await sql`delete from webhook.endpoint`.execute(ownerDatabase)
  log = []
  metrics = new WorkerMetrics()
  ;({ accountId } = await createTestAccount(ownerDatabase))
})
afterAll(async () => {
  await Promise.all(loops.map((loop) => loop.stop()))
  await service.stop()
  await Promise.all([ownerDatabase.destroy(), workerDatabase.destroy(), webDatabase.destroy()])
  await database.drop()
})

function startLoop({ keys = KEYS, allowedNetworks = ['127.0.0.1/32'] } = {}): void {
  const context = { log: pino({ level: 'info' }, { write: (line) => void log.push(line) }) }
  loops.push(startPushLoop(asRole(database.url, 'brickmark_worker'), { ...keys, allowedNetworks }, context, metrics))
}

const asOwnerOf = <T>(work: (db: Database) => Promise<T>, id = accountId) => writeAs(webDatabase, id, work)
const browsersOf = (id = accountId) => asOwnerOf((db) => findPushSubscriptions(db, id), id)
const subscribe = (
  { endpoint, p256dh, auth }: FakeBrowser,
  { id = accountId, url = endpoint, deviceHash }: { id?: number; url?: string; deviceHash?: Buffer } = {},
) =>
  asOwnerOf((db) => addPushSubscription(db, id, { url, p256dh, auth, client: 'Firefox/140 Windows', deviceHash }), id)
const sendTest = async () => {
  for (const { id } of await browsersOf()) await asOwnerOf((db) => sendTestEvent(db, accountId, id))
}
const countPushes = async () =>
  Object.fromEntries(
    (await metrics.registry.getSingleMetric('brickmark_pushes_total')!.get()).values.map(({ labels, value }) => [
      labels['outcome'],
      value,
    ]),
  )
const deliveries = async () =>
  (
    await sql<{ status: string; attempts: number; wait: number | null }>`
      select status, attempts, extract(epoch from next_attempt_at - now())::float8 as wait
        from webhook.delivery where account_id = ${accountId} order by at`.execute(ownerDatabase)
  ).rows
/** Ends all waiting: retries are due, and browsers may get the next notification. */
const skipTime = async () => {
  await sql`update webhook.push_subscription set paused_until = now()`.execute(ownerDatabase)
  await sql`update webhook.delivery set next_attempt_at = now() where status = 'waiting'`.execute(ownerDatabase)
  await sql`update webhook.endpoint set next_attempt_at = now() where next_attempt_at is not null`.execute(
    ownerDatabase,
  )
}

async function addTarget(setNumber: string, id = accountId): Promise<void> {
  await addRule(ownerDatabase, id, {
    kind: 'price_at_most',
    scope: { kind: 'set', number: setNumber },
    threshold: 4200,
  })
}

async function dropPrices(...setNumbers: string[]): Promise<void> {
  for (const price of [5000, 3999])
    await sql`
      update market.retail_state set price_cents = ${price}, in_stock = true
       where set_number = any(${setNumbers})`.execute(ownerDatabase)
  await applyAlertRules(workerDatabase)
}

test('the fake decrypts the example of RFC 8291', () => {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
  expect(decrypt(Buffer.from(body, 'base64url'), { pair, p256dh: pair.getPublicKey(), auth })).toBe(
    'When I grow up, I want to be a watermelon',
  )
})

test('an alert arrives once, encrypted and signed, at every browser of its account, also if email is off', async () => {
  const { accountId: other } = await createTestAccount(ownerDatabase)
  const [phone, laptop, foreign] = [service.newBrowser(), service.newBrowser(), service.newBrowser()]
  await subscribe(phone)
  await subscribe(laptop)
  await subscribe(foreign, { id: other })
  await asOwnerOf((db) => turnMailOff(db, accountId))
  await addTarget('90001-1')
  startLoop()
  startLoop()
  await dropPrices('90001-1')
  await vi.waitFor(() => expect([phone.received.length, laptop.received.length]).toEqual([1, 1]), 20_000)
  await vi.waitFor(async () =>
    expect((await deliveries()).map(({ status }) => status)).toEqual(['delivered', 'delivered']),
  )
  await skipTime()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect([phone, laptop, foreign].map(({ received }) => received.length)).toEqual([1, 1, 0])
  expect(phone.received[0]).toMatchObject({
    ttl: 86_400,
    urgency: 'high',
    notification: {
      title: 'Set 90001-1',
      body: '$39.99 ≤ your $42.00 at Retailer A',
      path: '/set/90001-1',
      tag: expect.stringMatching(/^msg_\w{32}$/) as string,
    },
  })
  expect(service.problems).toEqual([])
  expect((await browsersOf()).map(({ lastSuccessAt }) => lastSuccessAt !== null)).toEqual([true, true])
  expect(await browsersOf(other)).toMatchObject([{ lastSuccessAt: null }])
  expect(await countPushes()).toEqual({ delivered: 2, waiting: 0, failed: 0, gone: 0 })
  expect((await findPushBacklog(workerDatabase)).subscriptions).toBe(0)
})

test('what happens within a minute comes in one notification', async () => {
  const phone = service.newBrowser()
  await subscribe(phone)
  await addTarget('90001-1')
  await addTarget('90002-1')
  startLoop()
  await sendTest()
  await vi.waitFor(() => expect(phone.received).toHaveLength(1), 20_000)
  await dropPrices('90001-1', '90002-1')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(phone.received).toHaveLength(1)
  // Nothing is overdue while the pace is kept.
  expect(await findPushBacklog(workerDatabase)).toEqual({ subscriptions: 0, oldestSeconds: 0 })
  await skipTime()
  await vi.waitFor(() => expect(phone.received).toHaveLength(2), 20_000)
  expect(phone.received[1]!.notification).toMatchObject({ title: '2 alerts', path: '/alerts' })
  expect(phone.received[1]!.notification.body.split(', ').toSorted()).toEqual(['Set 90001-1', 'Set 90002-1'])
})

describe('what isn’t delivered', () => {
  test.each([404, 410])('%s deletes the subscription', async (status) => {
    await subscribe(service.newBrowser())
    service.answerWith(status)
    await sendTest()
    startLoop()
    await vi.waitFor(async () => expect(await browsersOf()).toEqual([]), 20_000)
    await vi.waitFor(async () => expect(await countPushes()).toMatchObject({ gone: 1 }))
    expect(log.join('')).toContain('deleted a push subscription that no longer exists')
    expect(await deliveries()).toEqual([])
  })

  test.each([
    [429, '120', 120, 140],
    [503, '90', 90, 110],
    [503, undefined, 4, 6],
  ])('%s with Retry-After %s is tried again', async (status, retryAfter, from, to) => {
    const phone = service.newBrowser()
    await subscribe(phone)
    service.answerWith(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
    await sendTest()
    startLoop()
    await vi.waitFor(async () => expect(await deliveries()).toMatchObject([{ attempts: 1 }]), 20_000)
    const wait = (await deliveries())[0]!.wait!
    expect(wait).toBeGreaterThan(from - 3)
    expect(wait).toBeLessThan(to)
    // Another event doesn't come earlier than the push service asks for.
    if (retryAfter !== undefined) {
      const before = service.requests()
      await sendTest()
      await new Promise((resolve) => setTimeout(resolve, 2500))
      expect(service.requests()).toBe(before)
    }
    service.answerWith(201)
    await skipTime()
    await vi.waitFor(() => expect(phone.received).toHaveLength(1), 20_000)
  })

  test('a notification is given up after a day', async () => {
    const phone = service.newBrowser()
    await subscribe(phone)
    await sendTest()
    await sql`update webhook.event set at = now() - interval '25 hours' where account_id = ${accountId}`.execute(
      ownerDatabase,
    )
    startLoop()
    await vi.waitFor(async () => expect(await deliveries()).toMatchObject([{ status: 'failed' }]), 20_000)
    expect([phone.received, service.requests()]).toEqual([[], 0])
  })

  test('keys that browsers didn’t subscribe with are refused, which the log says', async () => {
    const phone = service.newBrowser()
    await subscribe(phone)
    await sendTest()
    startLoop({ keys: newVapidKeys() })
    await vi.waitFor(() => expect(log.join('')).toContain('a push service refused a notification'), 20_000)
    expect([phone.received, service.problems]).toEqual([
      [],
      ['The key isn’t the one that the browser subscribed with.'],
    ])
    expect(await browsersOf()).toHaveLength(1)
  })

  test.each<[string, (port: string) => string]>([
    ['127.0.0.1', (port) => `https://127.0.0.1:${port}`],
    ['a name of this machine', (port) => `https://localhost:${port}`],
    ['http without TLS', (port) => `http://127.0.0.1:${port}`],
    ['a cloud’s metadata', () => 'https://169.254.169.254/latest'],
    ['a name that doesn’t exist', () => 'https://nowhere.invalid'],
  ])('nothing goes to %s unless the operator allows it', async (_, target) => {
    let connections = 0
    service.server.on('connection', () => connections++)
    await subscribe(service.newBrowser(), { url: target(new URL(service.origin).port) })
    await sendTest()
    startLoop({ allowedNetworks: [] })
    await vi.waitFor(async () => expect(await deliveries()).toMatchObject([{ status: 'waiting', attempts: 1 }]), 20_000)
    const { rows } = await sql<{ response: string }>`
      select response from webhook.attempt where account_id = ${accountId}`.execute(ownerDatabase)
    expect(rows[0]!.response).toMatch(/doesn’t point to a public address|must start with https/)
    expect(connections).toBe(0)
  })
})

test('notifications of a suspended account wait until it is restored', async () => {
  const phone = service.newBrowser()
  await subscribe(phone)
  await sendTest()
  const suspend = (isSuspended: boolean) =>
    setSuspended(ownerDatabase, { accountId, suspend: isSuspended, reason: 'Chargeback' })
  expect(await suspend(true)).toBe('done')
  expect(await claimPushSubscriptions(workerDatabase, 100, 30)).toEqual([])
  startLoop()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect([phone.received, await findPushBacklog(workerDatabase)]).toEqual([[], { subscriptions: 0, oldestSeconds: 0 }])
  expect(await suspend(false)).toBe('done')
  await vi.waitFor(() => expect(phone.received).toHaveLength(1), 20_000)
})

test('workers that don’t push leave browsers alone, and they aren’t webhook endpoints', async () => {
  await subscribe(service.newBrowser())
  await sendTest()
  expect(await claimEndpoints(workerDatabase, 100, 30)).toEqual([])
  expect((await findWebhookBacklog(workerDatabase)).endpoints).toBe(0)
  expect((await findPushBacklog(workerDatabase)).subscriptions).toBe(1)
  expect(await asOwnerOf((db) => findEndpoints(db, accountId))).toEqual([])
  for (let added = 0; added < MAX_ENDPOINTS; added++)
    expect(await asOwnerOf((db) => addEndpoint(db, accountId, 'https://example.com'))).toBeDefined()
  expect(await asOwnerOf((db) => addEndpoint(db, accountId, 'https://example.com'))).toBeUndefined()
})

test('an account has ten browsers at most, each once, and sees none of others', async () => {
  const { accountId: other } = await createTestAccount(ownerDatabase)
  const browsers = Array.from({ length: MAX_PUSH_SUBSCRIPTIONS + 2 }, () => service.newBrowser())
  const added = await Promise.all(browsers.map((browser) => subscribe(browser)))
  expect(added.filter(Boolean)).toHaveLength(MAX_PUSH_SUBSCRIPTIONS)
  expect(await subscribe(browsers[added.indexOf(true)]!)).toBe(true)
  const own = await browsersOf()
  expect(own).toHaveLength(MAX_PUSH_SUBSCRIPTIONS)
  expect(await browsersOf(other)).toEqual([])
  await asOwnerOf((db) => deletePushSubscription(db, accountId, own[0]!.id), other)
  await asOwnerOf((db) => deleteAllPush(db, accountId), other)
  expect(await browsersOf()).toEqual(own)
  await asOwnerOf((db) => deletePushSubscription(db, accountId, own[0]!.id))
  expect(await browsersOf()).toEqual(own.slice(1))
})

test('signing out ends notifications in this browser, in the others or in all', async () => {
  const devices = [1, 2].map((byte) => Buffer.alloc(32, byte))
  const turnOn = async () => {
    await asOwnerOf((db) => deleteAllPush(db, accountId))
    for (const deviceHash of [...devices, undefined])
      await subscribe(service.newBrowser(), deviceHash === undefined ? {} : { deviceHash })
    return (await browsersOf()).map(({ id }) => id)
  }
  const [, second, unknown] = await turnOn()
  const left = async () => (await browsersOf()).map(({ id }) => id)
  await asOwnerOf((db) => deleteDevicePush(db, accountId, devices[0]!))
  expect(await left()).toEqual([second, unknown])
  const [first] = await turnOn()
  await asOwnerOf((db) => deleteAllPush(db, accountId, devices[0]))
  expect(await left()).toEqual([first])
})
