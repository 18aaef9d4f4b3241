import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { Listener } from '@brickmark/core/db/listener'
import { FaultyProxy } from '@brickmark/tests/support/faulty-proxy'
import { createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

let database: TestDatabase
let other: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  other = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
  await other.drop()
})

function listen(url: string) {
  const events: string[] = []
  const listener = new Listener({
    url,
    db,
    channel: 'news',
    applicationName: 'listener test',
    onNotification: (payload) => events.push(`notified ${payload}`),
    onConnect: async () => void events.push('connected'),
    onDisconnect: () => events.push('disconnected'),
    onError: (error) => events.push(error.message),
  })
  return { listener, events }
}

test('a listener receives what is notified, also after its connection was cut', async () => {
  const { listener, events } = listen(database.url)
  await listener.connected
  await sql`select pg_notify('news', 'one')`.execute(db)
  await expect.poll(() => events).toEqual(['connected', 'notified one'])
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listener test'`.execute(db)
  await expect.poll(() => events.filter((event) => event === 'connected')).toHaveLength(2)
  await sql`select pg_notify('news', 'two')`.execute(db)
  await expect.poll(() => events.at(-1)).toBe('notified two')
  await listener.stop()
})

test('a session to which nothing is delivered never counts as connected', async () => {
  // Like a pooler in transaction mode: LISTEN succeeds, and notifications go elsewhere.
  const { listener, events } = listen(other.url)
  await expect.poll(() => events.join('\n'), { timeout: 10_000 }).toContain('a notification did not arrive')
  expect(events).not.toContain('connected')
  await listener.stop()
})

test('a connection that is open but delivers no more is given up within ten seconds', async () => {
  const { hostname: host, port } = new URL(database.url)
  const proxy = await FaultyProxy.start(() => ({ host, port: Number(port) }))
  const url = new URL(database.url)
  url.port = String(proxy.port)
  const { listener, events } = listen(url.href)
  await listener.connected
  proxy.blackholeConnections()
  await expect.poll(() => events, { timeout: 10_000 }).toContain('disconnected')
  await expect.poll(() => events.at(-1), { timeout: 10_000 }).toBe('connected')
  await listener.stop()
  await proxy.close()
})
