/**
 * Regression tests: a lost database, a moved code, a malformed notification. Trailing comments show the result before
 * the fix.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { startApi } from '../server.ts'
import { CatalogReplica } from '../catalog/replica.ts'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addSet, createTestAccount, PEPPER } from '@brickmark/tests/support/fixtures'

let api: TestApi
let database: TestDatabase
let db: Database
let replica: CatalogReplica
const silent = pino({ level: 'silent' })

beforeAll(async () => {
  api = await startTestApi((fresh) => addSet(fresh, { set_number: '90001-1' }))
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  await addSet(db, { set_number: 'A', asin: 'B000000001', upc: '036000291452' })
  await addSet(db, { set_number: 'B' })
  await addSet(db, { set_number: 'C' })
  await sql`insert into catalog.minifig (minifig_number, name) values ('m1', 'One')`.execute(db)
  await sql`insert into catalog.set_minifig values ('A', 'm1', 1)`.execute(db)
  replica = new CatalogReplica(asRole(database.url, 'brickmark_api'), silent)
  await replica.start()
})
afterAll(async () => {
  await replica.stop()
  await db.destroy()
  await database.drop()
  await api.stop()
})
const soon = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 5 })

test('503 (not 500): a read whose database connection was lost or froze', async () => {
  const { port, hostname } = new URL(api.databaseUrl)
  const sockets = new Set<Socket>()
  let frozen = false
  let swallowed = 0
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => (near.destroy(), far.destroy()))
    }
    near.on('data', (bytes) => (frozen ? swallowed++ : far.write(bytes)))
    far.on('data', (bytes) => frozen || near.write(bytes))
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(asRole(api.databaseUrl, 'brickmark_api'))
  url.port = String((proxy.address() as AddressInfo).port)
  const config = { databaseUrl: url.href, peppers: [PEPPER], host: '127.0.0.1', port: 0, publicUrl: undefined }
  const node = await startApi(config, silent)
  await node.ready
  const { key } = await api.createAccount()
  const send = async () =>
    (await fetch(`${node.baseUrl}/brickfolio`, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await send()).toBe(200)
  frozen = true
  const stuck = await send() // 500: 'Query read timeout' has no code
  const swallowedBefore = swallowed
  const waiting = send()
  await expect.poll(() => swallowed, { timeout: 10_000 }).toBeGreaterThan(swallowedBefore)
  for (const socket of sockets) socket.destroy()
  const cut = await waiting // 500: 'Connection terminated unexpectedly' and '… not queryable' have no code
  proxy.close()
  await node.stop()
  expect([stuck, cut]).toEqual([503, 503])
})

test('503: rejects requests before the catalog is loaded, without charging them', async () => {
  const outdatedDatabase = await createDatabase(inject('serverUrl'))
  const outdated = openDatabase(openPool(outdatedDatabase.url, { size: 1 }))
  await addSet(outdated, { set_number: '90001-1' })
  const { key } = await createTestAccount(outdated)
  await sql`delete from public.migration where name = '0006-change'`.execute(outdated)
  const databaseUrl = asRole(outdatedDatabase.url, 'brickmark_api')
  const node = await startApi(
    { databaseUrl, peppers: [PEPPER], host: '127.0.0.1', port: 0, publicUrl: undefined },
    silent,
  )
  void node.ready.catch(() => {})
  const response = await fetch(`${node.baseUrl}/set/90001-1`, { headers: { authorization: `Bearer ${key}` } })
  await node.stop()
  await outdated.destroy()
  await outdatedDatabase.drop()
  expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([503, null]) // 404, 999
})

test('finds an ASIN that moved in a transaction that updated the new owner first', async () => {
  await db.transaction().execute(async (t) => {
    await sql`update catalog.set set title = 'x' where set_number = 'B'`.execute(t)
    await sql`update catalog.set set asin = null, upc = null where set_number = 'A'`.execute(t)
    await sql`update catalog.set set asin = 'B000000001', upc = '036000291452' where set_number = 'B'`.execute(t)
  })
  await soon(() => expect(replica.catalog.set('B')?.asin).toBe('B000000001'))
  await soon(() => expect(replica.catalog.set('A')?.asin).toBeNull())
  expect(replica.catalog.setByAsin('B000000001')?.set_number).toBe('B') // undefined
  expect(replica.catalog.setByBarcode('036000291452')?.set_number).toBe('B')
})

test('removes a minifig link from the old set when it moves to another', async () => {
  await sql`update catalog.set_minifig set set_number = 'B' where set_number = 'A'`.execute(db)
  await soon(() => expect(replica.catalog.set('B')?.minifigs).toEqual(['m1']))
  await soon(() => expect(replica.catalog.setNumbersWithMinifig('m1')).toEqual(['B'])) // ['A', 'B']
})

test('removes a renumbered set under its old number', async () => {
  await sql`update catalog.set set set_number = 'D' where set_number = 'C'`.execute(db)
  await soon(() => expect(replica.catalog.set('D')).toBeDefined())
  await soon(() => expect(replica.catalog.set('C')).toBeUndefined()) // still there
})

test('survives a notification that is not JSON', async () => {
  const errors: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => errors.push(error))
  const web = new pg.Client(asRole(database.url, 'brickmark_web')) // any role that may connect
  await web.connect()
  await web.query('notify catalog_changed')
  await web.end()
  // Notifications arrive in order.
  await sql`update catalog.set set title = 'after the notification' where set_number = 'B'`.execute(db)
  await soon(() => expect(replica.catalog.set('B')?.title).toBe('after the notification'))
  process.removeAllListeners('uncaughtException')
  for (const listener of listeners) process.on('uncaughtException', listener)
  expect(errors).toEqual([]) // SyntaxError: Unexpected end of JSON input
})

test('malformed path encoding: 401 without a key, 403 without the plan, else 400 with X-RateLimit-*', async () => {
  const responses = [
    await api.get('/set/%ZZ'),
    await api.get('/set/%ZZ', await api.createAccount({ plan: 'hobby' })),
    await api.get('/set/%ZZ', await api.createAccount()),
  ]
  expect(responses.map(({ status, headers }) => [status, headers['x-ratelimit-limit']])).toEqual([
    [401, undefined], // all three: [400, undefined]
    [403, '1000'],
    [400, '1000'],
  ])
})

test('200: changed_within accepts any number of digits', async () => {
  const response = await api.get(
    `/brickfolio/retail-watch?changed_within=${'9'.repeat(9000)}d`,
    await api.createAccount(),
  )
  expect(response.status).toBe(200) // 400
})

test('200: a batch counts 1,001 duplicates as one item', async () => {
  const sets = Array.from({ length: 1001 }, () => '90001-1')
  expect((await api.post('/catalog/batch', await api.createAccount(), { sets })).status).toBe(200) // 400
})

test("brickmark_web cannot change its own account's plan", async () => {
  const { accountId } = await createTestAccount(db, { plan: 'hobby' })
  const web = new pg.Client(asRole(database.url, 'brickmark_web'))
  await web.connect()
  await web.query('select set_config($1, $2, false)', ['brickmark.account_id', String(accountId)])
  await expect(web.query("update account.account set plan = 'reseller'")).rejects.toThrow('permission denied')
  await web.end()
})
