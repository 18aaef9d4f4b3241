import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import { migrate } from '@brickmark/core/db/migrate'
import { registerCleanup } from '../support/cleanup.ts'
import { ensureDebianPackage } from './debian.ts'

export const POSTGRES_BIN = '/usr/lib/postgresql/15/bin'

/** Settings of a small server. Commits are synchronous, as in production. */
export const SETTINGS = {
  shared_buffers: '2GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  maintenance_work_mem: '512MB',
  max_connections: '400',
  jit: 'off',
}

/** Runs `work` on a migrated database of a temporary Debian PostgreSQL 15 server; installs the package if missing. */
export async function withDebianPostgres<T>(work: (url: string, pid: number) => Promise<T>): Promise<T> {
  ensureDebianPackage('postgresql-15', join(POSTGRES_BIN, 'postgres'))
  const directory = await mkdtemp(join(tmpdir(), 'brickmark-bench-'))
  const server = await startPostgres(directory, { binDir: POSTGRES_BIN, settings: SETTINGS })
  const stop = registerCleanup(async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }, server.process.pid)
  try {
    await migrate(server.url)
    return await work(server.url, server.process.pid!)
  } finally {
    await stop()
  }
}
