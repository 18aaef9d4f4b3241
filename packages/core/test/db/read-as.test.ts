import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, readAs, readBatchAs, type Database } from '@brickmark/core/db/database'
import { findHoldings } from '@brickmark/core/portfolio/lot-queries'
import { createDatabase, type TestDatabase } from '@brickmark/tests/support/database'

let database: TestDatabase
let db: Database
let pieces = 0

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  const pool = openPool(database.url, { size: 1, pipelined: true })
  pool.on('connect', (client) => {
    const { stream } = (client as unknown as { connection: { stream: { _handle: Record<string, unknown> } } })
      .connection
    for (const name of ['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String']) {
      const write = stream._handle[name] as (...given: unknown[]) => unknown
      stream._handle[name] = (...given: unknown[]) => {
        pieces++
        return write.apply(stream._handle, given)
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
  ['in two pieces: the transaction with every query of the first turn, and its end', readAs, 2],
  ['in one piece, when all is asked at once', readBatchAs, 1],
])('a private read goes out %s', async (_, read, expected) => {
  await read(db, 1, (tx) => findHoldings(tx, 1, page))
  // The only connection is free again when its transaction has ended.
  await read(db, 1, async () => {})
  pieces = 0
  await read(db, 1, (tx) => findHoldings(tx, 1, page))
  expect(pieces).toBe(expected)
})

test('what is asked after all was asked at once is an error, not an answer without rows', async () => {
  const reading = readBatchAs(db, 1, async (tx) => {
    await findHoldings(tx, 1, page)
    return findHoldings(tx, 1, page)
  })
  await expect(reading).rejects.toThrow('use readAs')
})

test('of several queries that go out together the first that fails says why, whatever reads next', async () => {
  const failing = (tx: Database) =>
    tx
      .selectFrom('portfolio.holding')
      .select('no_such' as 'id')
      .execute()
  for (const read of [readAs, readBatchAs]) {
    const reading = read(db, 1, async (tx) => {
      // The second is looked at first, and long after the connection may have gone to the next.
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
  ['read at once', readBatchAs],
])('a %s that fails leaves the connection usable, and its transaction ended', async (_, read) => {
  await expect(
    read(db, 1, (tx) =>
      tx
        .selectFrom('portfolio.holding')
        .select('no_such' as 'id')
        .execute(),
    ),
  ).rejects.toThrow('no_such')
  expect(await read(db, 1, (tx) => findHoldings(tx, 1, page))).toEqual({ holdings: [], total: 0 })
})
