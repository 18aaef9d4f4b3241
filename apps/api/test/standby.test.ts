import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApi, type ApiServer } from '../server.ts'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { startPostgres, type LocalPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import { migrate } from '@brickmark/core/db/migrate'
import { asRole } from '@brickmark/tests/support/database'
import {
  addCollection,
  addLot,
  addSet,
  createTestAccount,
  PEPPER,
  type TestAccount,
} from '@brickmark/tests/support/fixtures'
import { PG15_BIN, standbyUnavailable, startStandby } from '@brickmark/tests/support/standby'
import { timeWithoutStalls } from '@brickmark/tests/support/timing'

// A standby that was disconnected for a moment still finds the WAL it needs.
const FAST = { fsync: 'off', max_connections: '60', wal_keep_size: '256MB' }
const POLL = { timeout: 25_000, interval: 50 }
const MAX_STALENESS_MS = 2000
/** How often the API compares the servers in that time. */
const PROBES_UNTIL_STALE = 8

describe.skipIf(standbyUnavailable)(
  `private reads on a standby${standbyUnavailable ? ` (skipped: ${standbyUnavailable})` : ''}`,
  () => {
    let directory: string
    let primaryPostgres: LocalPostgres
    let standbyPostgres: LocalPostgres
    let db: Database
    let standbyDatabase: Database
    let api: ApiServer
    let account: TestAccount
    let brickfolio: number

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'brickmark-primary-'))
      primaryPostgres = await startPostgres(directory, { binDir: PG15_BIN, settings: FAST })
      await migrate(primaryPostgres.url)
      db = openDatabase(openPool(primaryPostgres.url, { size: 2 }))
      await addSet(db, { set_number: '90001-1' })
      account = await createTestAccount(db, { limit: 1_000_000 })
      brickfolio = await addCollection(db, account.accountId)
      await buy()
      standbyPostgres = await startStandby(primaryPostgres.url, FAST)
      standbyDatabase = openDatabase(openPool(standbyPostgres.url, { size: 2 }))
      api = await start(asRole(standbyPostgres.url, 'brickmark_api'))
    })
    beforeEach(async () => {
      await sql`select pg_wal_replay_resume()`.execute(standbyDatabase)
      await expect.poll(() => readsOnStandby(), POLL).toBe(true)
    })
    afterAll(async () => {
      await api.stop()
      await Promise.all([db.destroy(), standbyDatabase.destroy()])
      await standbyPostgres.stop()
      await primaryPostgres.stop()
      await rm(directory, { recursive: true, force: true })
    })

    async function start(standbyUrl: string): Promise<ApiServer> {
      const databaseUrl = asRole(primaryPostgres.url, 'brickmark_api')
      const config = { databaseUrl, standbyUrl, peppers: [PEPPER], host: '127.0.0.1', port: 0, publicUrl: undefined }
      const started = await startApi(config, pino({ level: 'warn' }))
      await started.ready
      return started
    }

    const buy = () => addLot(db, { account_id: account.accountId, collection_id: brickfolio, set_number: '90001-1' })

    async function send(server: ApiServer, key = account.key) {
      const response = await fetch(`${server.baseUrl}/brickfolio/entries`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const body = (await response.json()) as { data?: { pagination: { total: number } } }
      return { status: response.status, total: body.data?.pagination.total }
    }
    const total = async () => (await send(api)).total

    /** Whether a request sent now is read from the standby. */
    async function readsOnStandby(server: ApiServer = api): Promise<boolean> {
      const reads = async () => {
        const { rows } = await sql<{ pid: number; state_change: Date }>`
        select pid, state_change from pg_stat_activity where query like 'select * from portfolio.read%'`.execute(
          standbyDatabase,
        )
        return rows.map((row) => `${row.pid} ${row.state_change.getTime()}`)
      }
      const before = new Set(await reads())
      expect((await send(server)).status).toBe(200)
      return (await reads()).some((read) => !before.has(read))
    }

    /** Waits until the API has compared the standby with the primary a number of times; the first look sees earlier ones. */
    async function waitForProbes(count: number): Promise<void> {
      const seen = new Set<string>()
      await expect
        .poll(async () => {
          const { rows } = await sql<{ pid: number; query_start: Date }>`
            select pid, query_start from pg_stat_activity where query like 'select pg_current_wal_flush_lsn%'`.execute(
            db,
          )
          for (const { pid, query_start } of rows) seen.add(`${pid} ${query_start.getTime()}`)
          return seen.size
        }, POLL)
        .toBeGreaterThanOrEqual(count + 2)
    }

    // Retried: on a busy machine, the polls themselves take longer than the margin.
    test('serves stale data for at most two seconds, then reads from the primary', { retry: 3 }, async () => {
      const held = (await total())!
      await sql`select pg_wal_replay_pause()`.execute(standbyDatabase)
      await buy()
      const staleMs = await timeWithoutStalls(async () => {
        expect(await total()).toBe(held)
        await expect.poll(total, POLL).toBe(held + 1)
      })
      expect(staleMs).toBeLessThan(MAX_STALENESS_MS + 1500)
      expect(await readsOnStandby()).toBe(false)
    })

    test('does not treat a disconnected standby as current, although it has replayed all it received', async () => {
      const held = (await total())!
      const { rows } = await sql<{ way: string }>`select current_setting('primary_conninfo') as way`.execute(
        standbyDatabase,
      )
      await follow('host=127.0.0.1 port=1')
      await expect.poll(() => followers(), POLL).toBe(0)
      await buy()
      await expect.poll(total, POLL).toBe(held + 1)
      await waitForProbes(PROBES_UNTIL_STALE)
      expect(await readsOnStandby()).toBe(false)
      await follow(rows[0]!.way)
    })

    /** Sets the server that the standby streams from. */
    async function follow(conninfo: string): Promise<void> {
      await sql`alter system set primary_conninfo = ${sql.lit(conninfo)}`.execute(standbyDatabase)
      await sql`select pg_reload_conf()`.execute(standbyDatabase)
    }
    const followers = async () =>
      (await sql<{ many: number }>`select count(*) as many from pg_stat_replication`.execute(db)).rows[0]!.many

    test('an idle primary does not make the standby look stale', async () => {
      await waitForProbes(PROBES_UNTIL_STALE + 4)
      // Polls because a probe may be delayed on a busy machine.
      await expect.poll(() => readsOnStandby(), { timeout: 3000 }).toBe(true)
    })

    test('401: rejects a revoked key immediately, although the standby has not replayed the revocation', async () => {
      const revoked = await createTestAccount(db)
      expect((await send(api, revoked.key)).status).toBe(200)
      await sql`select pg_wal_replay_pause()`.execute(standbyDatabase)
      await sql`update account.api_key set revoked_at = now(), slot = null where id = ${revoked.keyId}`.execute(db)
      expect((await send(api, revoked.key)).status).toBe(401)
    })

    test('200: no request fails or takes longer than two seconds when the standby hangs or dies', async () => {
      for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
        const second = await startStandby(primaryPostgres.url, FAST)
        const node = await start(asRole(second.url, 'brickmark_api'))
        const statuses: number[] = []
        let longest = 0
        const clients = Array.from({ length: 4 }, async () => {
          for (const until = performance.now() + 3000; performance.now() < until;) {
            const taken = await timeWithoutStalls(async () => statuses.push((await send(node)).status))
            longest = Math.max(longest, taken)
          }
        })
        await expect.poll(() => statuses.length, POLL).toBeGreaterThan(20)
        // The signal goes to the process group, so it reaches every process of the standby.
        process.kill(-second.process.pid!, signal)
        await Promise.all(clients)
        expect(new Set(statuses), signal).toEqual(new Set([200]))
        expect(longest, signal).toBeLessThan(MAX_STALENESS_MS)
        if (signal === 'SIGSTOP') process.kill(-second.process.pid!, 'SIGCONT')
        await node.stop()
        await second.stop()
      }
    })

    test('never uses a role that bypasses row-level security or a server that is not a standby', async () => {
      for (const url of [standbyPostgres.url, asRole(primaryPostgres.url, 'brickmark_api')]) {
        const node = await start(url)
        await waitForProbes(4)
        expect(await readsOnStandby(node)).toBe(false)
        await node.stop()
      }
    })
  },
)
