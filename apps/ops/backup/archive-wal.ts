import { join } from 'node:path'
import type pg from 'pg'
import { forPrograms, programsOf, ProgramFailed, runProgram } from './pg-commands.ts'
import { openStore } from './backup-store.ts'
import { majorVersion, mayReplicate } from './take-backup.ts'

const SLOT = 'brickmark_archive'
const RETRY_MS = 1000

/**
 * Receives the write-ahead log as it is written, until it is told to stop. After a fail-over it goes on with the new
 * primary. The slot keeps what was not received yet on the server, within max_slot_wal_keep_size.
 */
export async function archiveWal(pool: pg.Pool, url: string, folder: string, stopping: AbortSignal): Promise<void> {
  const receive = join(programsOf(await majorVersion(pool)), 'pg_receivewal')
  await mayReplicate(pool)
  const { wal } = await openStore(folder)
  const { address, env } = forPrograms(url)
  const common = [`--dbname=${address}`, `--slot=${SLOT}`, '--no-password']
  process.stderr.write(`Archiving into ${wal}. Ctrl-C ends it.\n`)
  while (!stopping.aborted) {
    try {
      await runProgram(receive, [...common, '--create-slot', '--if-not-exists'], { env }).done
      const { child, done } = runProgram(
        receive,
        [...common, `--directory=${wal}`, '--synchronous', '--no-loop', '--status-interval=1'],
        { env },
      )
      const stop = () => child.kill('SIGINT')
      stopping.addEventListener('abort', stop)
      await done.finally(() => stopping.removeEventListener('abort', stop))
    } catch (error) {
      if (isGone(error)) throw new Error(gapAdvice(folder, error as Error), { cause: error })
      process.stderr.write(`${new Date().toISOString()} ${(error as Error).message}; trying again\n`)
    }
    if (!stopping.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ProgramFailed && /has already been removed/.test(error.words)
}

function gapAdvice(folder: string, { message }: Error): string {
  return `The server no longer has what the archive needs next, so there is a gap (${message}).
Move ${folder}/wal away, start this again, and take a new backup: \`ops backup ${folder}\`.`
}
