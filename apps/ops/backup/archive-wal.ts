import { join } from 'node:path'
import type pg from 'pg'
import { libpqConnection, findPgBinDir, CommandError, runCommand } from './pg-commands.ts'
import { openBackupStore } from './backup-store.ts'
import { serverMajorVersion, assertCanReplicate } from './take-backup.ts'

const SLOT = 'brickmark_archive'
const RETRY_MS = 1000

/**
 * Receives the write-ahead log as it is written, until it is told to stop. After a fail-over it goes on with the new
 * primary. The slot keeps what was not received yet on the server, within max_slot_wal_keep_size.
 */
export async function archiveWal(pool: pg.Pool, url: string, folder: string, signal: AbortSignal): Promise<void> {
  const receive = join(findPgBinDir(await serverMajorVersion(pool)), 'pg_receivewal')
  await assertCanReplicate(pool)
  const { wal } = await openBackupStore(folder)
  const { address, env } = libpqConnection(url)
  const common = [`--dbname=${address}`, `--slot=${SLOT}`, '--no-password']
  process.stderr.write(`Archiving into ${wal}. Ctrl-C ends it.\n`)
  while (!signal.aborted) {
    try {
      await runCommand(receive, [...common, '--create-slot', '--if-not-exists'], { env }).done
      const { child, done } = runCommand(
        receive,
        [...common, `--directory=${wal}`, '--synchronous', '--no-loop', '--status-interval=1'],
        { env },
      )
      const stop = () => child.kill('SIGINT')
      signal.addEventListener('abort', stop)
      await done.finally(() => signal.removeEventListener('abort', stop))
    } catch (error) {
      if (isWalRemoved(error)) throw new Error(gapMessage(folder, error as Error), { cause: error })
      process.stderr.write(`${new Date().toISOString()} ${(error as Error).message}; trying again\n`)
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

function isWalRemoved(error: unknown): boolean {
  return error instanceof CommandError && /has already been removed/.test(error.stderr)
}

function gapMessage(folder: string, { message }: Error): string {
  return `The server no longer has what the archive needs next, so there is a gap (${message}).
Move ${folder}/wal away, start this again, and take a new backup: \`ops backup ${folder}\`.`
}
