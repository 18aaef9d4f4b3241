import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { accountFunction, callAs, openDatabase, openPool, readAs, type Database } from '@brickmark/core/db/database'
import { findHeldLots } from '@brickmark/core/portfolio/held-lot-queries'
import { createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

let database: TestDatabase
let pool: pg.Pool
let db: Database
let packets = 0

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  pool = openPool(database.url, { size: 1, pipelined: true })
  pool.on('connect', (client) => {
    const { stream } = (client as unknown as { connection: { stream: { _handle: Record<string, unknown> } } })
      .connection
    for (const name of ['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String']) {
      const write = stream._handle[name] as (...args: unknown[]) => unknown
      stream._handle[name] = (...args: unknown[]) => {
        packets++
        return write.apply(stream._handle, args)
      }
    }
  })
  db = openDatabase(pool)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const page = { limit: 50, offset: 0 }
const empty = { lots: [], total: 0 }

test.each<[string, () => Promise<unknown>, number]>([
  ['one packet', () => findHeldLots(db, 1, page), 1],
  [
    'four packets with readAs: the start of the transaction, the account, the read and the commit',
    () => readAs(db, 1, (tx) => findHeldLots(tx, 1, page)),
    4,
  ],
])('sends a private read in %s', async (_, read, expected) => {
  const readToEnd = async () => {
    await read()
    await vi.waitUntil(() => pool.idleCount === 1)
  }
  await readToEnd()
  packets = 0
  await readToEnd()
  expect(packets).toBe(expected)
})

const failing = (tx: Database) =>
  tx
    .selectFrom('portfolio.lot')
    .select('no_such' as 'id')
    .execute()

test('reports the first error of pipelined queries, even if another read follows', async () => {
  const reading = readAs(db, 1, async (tx) => {
    // Await the second query first, long after the connection may have been passed on.
    const [first, second] = [failing(tx), findHeldLots(tx, 1, page)]
    first.catch(() => {})
    await second.catch(async (error: unknown) => {
      await sleep(50)
      throw error
    })
  })
  const next = readAs(db, 1, (tx) => findHeldLots(tx, 1, page))
  await expect(reading).rejects.toThrow('no_such')
  expect(await next).toEqual(empty)
})

test.each<[string, () => Promise<unknown>]>([
  ['read', () => readAs(db, 1, failing)],
  ['call', () => callAs(db, 1, accountFunction('portfolio.no_such', 1))],
])('a failed %s leaves the connection usable', async (_, read) => {
  await expect(read()).rejects.toThrow('no_such')
  expect(await findHeldLots(db, 1, page)).toEqual(empty)
})
