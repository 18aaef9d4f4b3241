import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { parseTimestamp } from '../arguments.ts'
import { findWalGap } from '../wal-gap.ts'

const SEGMENT_BYTES = 16 * 2 ** 20

type Backup = { label: string; archive: { start: string }; timestamp: { stop: number }; database: { id: number } }
type StanzaInfo = { backup: Backup[]; archive: { id: string; database: { id: number } }[]; status: { message: string } }

/**
 * Restores with pgBackRest, after two checks that it doesn't make itself: `pgbackrest verify` must find every file valid (a
 * restore only checks the files of the backup), and the archive must have no gap (recovery would end there, silently).
 */
async function restore(stanza: string, dataDir: string, time: Date | undefined): Promise<string> {
  const pgbackrest = async (...args: string[]) => {
    const options = { maxBuffer: 1e9 }
    const { stdout } = await promisify(execFile)('pgbackrest', [`--stanza=${stanza}`, ...args], options)
    return stdout
  }
  const [info] = JSON.parse(await pgbackrest('info', '--output=json')) as StanzaInfo[]
  const backup = info && selectBackup(info, time)
  if (backup === undefined) throw new Error(`No backup to restore from: ${info?.status.message ?? 'unknown stanza'}.`)
  const report = await pgbackrest('verify', '--output=text', '--verbose')
  if (!/^status: ok$/m.test(report)) throw new Error(`The repository is damaged:\n${report}`)
  await checkArchive(pgbackrest, stanza, info!, backup)
  const target = time === undefined ? [] : ['--type=time', `--target=${formatTarget(time)}`, '--target-action=promote']
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await pgbackrest('restore', `--set=${backup.label}`, `--pg1-path=${dataDir}`, ...target)
  return `Restored backup ${backup.label} to ${dataDir}. Start PostgreSQL on it: it replays the WAL archive ${
    time === undefined ? 'to its end' : `to ${time.toISOString()}`
  }.`
}

/** Formats a time as pgBackRest and recovery_target_time expect it. */
function formatTarget(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '+00')
}

/** Returns the newest backup, or the newest one that was finished before `time`. */
function selectBackup({ backup }: StanzaInfo, time: Date | undefined): Backup | undefined {
  return backup.findLast(({ timestamp }) => time === undefined || timestamp.stop * 1000 <= time.getTime())
}

async function checkArchive(
  pgbackrest: (...args: string[]) => Promise<string>,
  stanza: string,
  { archive }: StanzaInfo,
  backup: Backup,
): Promise<void> {
  const id = archive.find(({ database }) => database.id === backup.database.id)?.id
  const listing = await pgbackrest('repo-ls', '--recurse', '--output=json', `archive/${stanza}/${id}`)
  const gap = findWalGap(Object.keys(JSON.parse(listing) as object), backup.archive.start, SEGMENT_BYTES)
  if (gap !== undefined) throw new Error(`The WAL archive has a gap: segment ${gap} is missing.`)
}

export const restoreCommand = new Command('restore')
  .description('verify the backups of pgBackRest and restore a data directory from them (see the docs site)')
  .requiredOption('--into <folder>', 'new data directory; must be empty or not exist')
  .option('--time <time>', 'point in time to restore to, e.g. 2027-01-31T12:00:00Z (default: latest)', parseTimestamp)
  .option('--stanza <name>', 'pgBackRest stanza', 'brickmark')
  .action(async ({ into, time, stanza }: { into: string; time?: Date; stanza: string }) => {
    process.stdout.write(`${await restore(stanza, into, time)}\n`)
  })
