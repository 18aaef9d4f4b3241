import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { asRole } from '../support/database.ts'
import type { TestAccount } from '../support/fixtures.ts'
import { seedAccounts } from './seed-accounts.ts'
import { seedCatalog, FULL_CATALOG } from './seed-catalog.ts'
import { withDebianPostgres } from './debian-postgres.ts'
import { startApiUnderTest, type BenchServer } from './servers.ts'
import { logProgress } from './report.ts'

const ACCOUNTS = 2000

/** A database with the full catalog and 2,000 accounts, and an API process on top of it. */
export type BenchEnvironment = {
  db: Database
  /** Connection URL of the API role. */
  apiUrl: string
  postgresPid: number
  accounts: TestAccount[]
  setNumbers: string[]
  apiServer: BenchServer
  directory: string
}

export async function withEnvironment<T>(work: (environment: BenchEnvironment) => Promise<T>): Promise<T> {
  return withDebianPostgres(async (url, postgresPid) => {
    const pool = openPool(url, { size: 4, statementTimeoutMs: 600_000 })
    const db = openDatabase(pool)
    const directory = await mkdtemp(join(tmpdir(), 'brickmark-bench-api-'))
    try {
      await seedCatalog(pool, FULL_CATALOG)
      const accounts = await seedAccounts(db, ACCOUNTS)
      const { rows } = await sql<{ n: string }>`select set_number as n from catalog.set order by 1`.execute(db)
      // What seeding wrote reaches the disk now rather than during the measurement.
      await sql`checkpoint`.execute(db)
      logProgress(`seeded ${rows.length} sets and ${ACCOUNTS} accounts`)
      const apiUrl = asRole(url, 'brickmark_api')
      const apiServer = await startApiUnderTest(apiUrl)
      try {
        return await work({
          db,
          apiUrl,
          postgresPid,
          accounts,
          setNumbers: rows.map((row) => row.n),
          apiServer,
          directory,
        })
      } finally {
        await apiServer.stop()
      }
    } finally {
      await db.destroy()
      await rm(directory, { recursive: true, force: true })
    }
  })
}
