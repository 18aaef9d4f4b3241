import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  accountFunction,
  callAs,
  openDatabase,
  openPool,
  readAs,
  writeAs,
  type Database,
} from '@brickmark/core/db/database'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { createTestAccount } from '@brickmark/tests/support/fixtures'

/** Tries to get rows of another account through the connections that accounts share. */

const COLLECTIONS = accountFunction('portfolio.read_collections', 1)
const ACCOUNTS = 6
/** What our handle says, and what Kysely's does. */
const ENDED = /after the end of its transaction|already committed/
const FUZZ_MS = 4000

let database: TestDatabase
let ownerDatabase: Database
const accountIds: number[] = []

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 2 }))
  for (let account = 0; account < ACCOUNTS; account++) {
    const { accountId } = await createTestAccount(ownerDatabase)
    accountIds.push(accountId)
    await ownerDatabase
      .insertInto('portfolio.collection')
      .values([1, 2, 3].map((name) => ({ account_id: accountId, name: `collection ${name}` })))
      .execute()
  }
})
afterAll(async () => {
  await ownerDatabase.destroy()
  await database.drop()
})

async function visibleAccounts(db: Database): Promise<number[]> {
  const { rows } = await sql<{ account_id: number }>`
    select distinct account_id from portfolio.collection order by 1`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

test.each([
  ['readAs', readAs],
  ['writeAs', writeAs],
])('a handle of %s throws once its work has ended, and changes nothing for the next account', async (_name, runAs) => {
  const pool = openPool(asRole(database.url, 'brickmark_web'), { size: 1, pipelined: true })
  const db = openDatabase(pool)
  const [first, second] = accountIds as [number, number]
  let kept: Database | undefined
  await runAs(db, first, async (tx) => {
    kept = tx
    expect(await visibleAccounts(tx)).toEqual([first])
  })
  await readAs(db, second, async (tx) => {
    expect(await visibleAccounts(tx)).toEqual([second])
    await expect(visibleAccounts(kept!)).rejects.toThrow(ENDED)
    await expect(callAs(kept!, first, COLLECTIONS)).rejects.toThrow(ENDED)
    expect(await visibleAccounts(tx)).toEqual([second])
  })
  await db.destroy()
})

test(
  'no read returns rows of another account, whatever fails, is canceled or comes late',
  { timeout: 60_000 },
  async () => {
    const errors: string[] = []
    const onError = () => {}
    const webPool = openPool(asRole(database.url, 'brickmark_web'), {
      size: 3,
      pipelined: true,
      statementTimeoutMs: 300,
      onError,
    })
    const apiPool = openPool(asRole(database.url, 'brickmark_api'), {
      size: 2,
      pipelined: true,
      statementTimeoutMs: 300,
      onError,
    })
    const web = openDatabase(webPool)
    const api = openDatabase(apiPool, { waitMs: 500, callsPerConnection: 2 })
    const until = Date.now() + FUZZ_MS
    const late: Promise<unknown>[] = []
    let [reads, failures] = [0, 0]
    const check = (accountId: number, visible: number[], isComplete: boolean) => {
      const expected = visible.length === 1 && visible[0] === accountId
      // A query whose transaction didn't begin sees nothing, but then the read fails.
      if (!expected && (isComplete || visible.length > 0))
        errors.push(`${accountId} saw ${visible.join() || 'nothing'}`)
    }

    async function readWeb(random: () => number): Promise<void> {
      while (Date.now() < until) {
        const accountId = accountIds[Math.floor(random() * ACCOUNTS)]!
        const mode = Math.floor(random() * 6)
        const work = async (tx: Database) => {
          if (mode === 0) await sql`select 1 / ${0}::integer`.execute(tx).catch(() => {})
          if (mode === 1) await sql`select pg_sleep(0.4)`.execute(tx)
          if (mode === 2) {
            late.push(readLate(tx, random).catch(() => {}))
            throw new Error('ended early')
          }
          const found = await Promise.all([visibleAccounts(tx), visibleAccounts(tx)])
          for (const visible of found) check(accountId, visible, false)
          return found
        }
        try {
          for (const visible of await (mode === 3 ? writeAs : readAs)(web, accountId, work)) {
            reads++
            check(accountId, visible, true)
          }
        } catch {
          failures++
        }
      }

      async function readLate(tx: Database, next: () => number): Promise<void> {
        await sleep(next() * 5)
        const visible = await visibleAccounts(tx)
        errors.push(`a late query saw ${visible.join()}`)
      }
    }

    async function readApi(random: () => number): Promise<void> {
      while (Date.now() < until) {
        const accountId = accountIds[Math.floor(random() * ACCOUNTS)]!
        try {
          if (random() < 0.2) await callAs(api, accountId, accountFunction('portfolio.read_sales', 3), 'x', 0)
          const row = await callAs<{ collections: unknown }>(api, accountId, COLLECTIONS)
          const ids = JSON.stringify(row)
          const { rows } = await sql<{ id: number }>`
          select id from portfolio.collection where account_id <> ${accountId}`.execute(ownerDatabase)
          reads++
          if (rows.some(({ id }) => new RegExp(`"id":${id}\\b`).test(ids)))
            errors.push(`the API leaked to ${accountId}`)
        } catch {
          failures++
        }
      }
    }

    async function disturb(random: () => number): Promise<void> {
      while (Date.now() < until) {
        await sleep(20 + random() * 60)
        const stop = random() < 0.8 ? 'pg_cancel_backend' : 'pg_terminate_backend'
        await sql`
        select ${sql.raw(stop)}(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'brickmark' and usename <> current_user
           and random() < 0.4`.execute(ownerDatabase)
      }
    }

    await Promise.all([
      ...Array.from({ length: 6 }, () => readWeb(Math.random)),
      ...Array.from({ length: 3 }, () => readApi(Math.random)),
      disturb(Math.random),
    ])
    await Promise.all(late)
    await Promise.all([web.destroy(), api.destroy()].map((closing: Promise<void>) => closing.catch(() => {})))
    expect(errors).toEqual([])
    expect(reads).toBeGreaterThan(100)
    expect(failures).toBeGreaterThan(10)
    expect(late.length).toBeGreaterThan(5)
  },
)
