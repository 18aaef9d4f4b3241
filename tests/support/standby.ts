import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgres, asUnprivileged, type LocalPostgres } from '@brickmark/tools/local-postgres/local-postgres'

export const PG15_BIN = '/usr/lib/postgresql/15/bin'

/** The reason a standby can't be started on this machine; undefined if it can. */
export const standbyUnavailable = existsSync(join(PG15_BIN, 'pg_basebackup'))
  ? undefined
  : 'Debian package postgresql-15 is not installed'

/** Starts a streaming standby of a Debian PostgreSQL 15 server, created with pg_basebackup. Stopping it deletes it. */
export async function startStandby(primaryUrl: string, settings: Record<string, string> = {}): Promise<LocalPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'brickmark-standby-'))
  if (process.getuid?.() === 0) await chown(directory, 65534, 65534)
  const data = join(directory, 'data')
  const { hostname, port } = new URL(primaryUrl)
  const backup = ['-h', hostname, '-p', port, '-U', 'postgres', '-D', data, '-R', '-X', 'stream', '-c', 'fast', '-N']
  await promisify(execFile)(...asUnprivileged(join(PG15_BIN, 'pg_basebackup'), backup))
  const server = await startPostgres(directory, { binDir: PG15_BIN, settings })
  return {
    ...server,
    async stop() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
