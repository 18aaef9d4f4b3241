import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, readAs, readBatchAs, type Database } from '@brickmark/core/db/database'
import { findHoldings } from '@brickmark/core/portfolio/lot-queries'
import { createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

let database: TestDatabase
let db: Database
let packets = 0

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  const pool = openPool(database.url, { size: 1, pipelined: true })
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

const page = { brickfolioId: undefined, limit: 50, offset: 0 }

test.each([
  ['in two packets: the transaction start with all queries of the first tick, and the commit', readAs, 2],
  ['in one packet with readBatchAs', readBatchAs, 1],
])('sends a private read %s', async (_, read, expected) => {
  await read(db, 1, (tx) => findHoldings(tx, 1, page))
  // The only connection is free again once its transaction has ended.
  await read(db, 1, async () => {})
  packets = 0
  await read(db, 1, (tx) => findHoldings(tx, 1, page))
  expect(packets).toBe(expected)
})

test('a query issued after the batch was committed is an error, not an empty result', async () => {
  const reading = readBatchAs(db, 1, async (tx) => {
    await findHoldings(tx, 1, page)
    return findHoldings(tx, 1, page)
  })
  await expect(reading).rejects.toThrow('use readAs')
})

test('reports the first error of pipelined queries, even if another read follows', async () => {
  const failing = (tx: Database) =>
    tx
      .selectFrom('portfolio.lot')
      .select('no_such' as 'id')
      .execute()
  for (const read of [readAs, readBatchAs]) {
    const reading = read(db, 1, async (tx) => {
      // Await the second query first, long after the connection may have been passed on.
      const [first, second] = [failing(tx), findHoldings(tx, 1, page)]
      first.catch(() => {})
      await second.catch(async (error: unknown) => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        throw error
      })
    })
    const next = read(db, 1, (tx) => findHoldings(tx, 1, page))
    await expect(reading).rejects.toThrow('no_such')
    expect(await next).toEqual({ holdings: [], total: 0 })
  }
})

test.each([
  ['read', readAs],
  ['batch read', readBatchAs],
])('a failed %s ends its transaction and leaves the connection usable', async (_, read) => {
  await expect(
    read(db, 1, (tx) =>
      tx
        .selectFrom('portfolio.lot')
        .select('no_such' as 'id')
        .execute(),
    ),
  ).rejects.toThrow('no_such')
  expect(await read(db, 1, (tx) => findHoldings(tx, 1, page))).toEqual({ holdings: [], total: 0 })
})
