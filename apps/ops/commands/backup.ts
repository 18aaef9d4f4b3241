import { Command } from 'commander'
import { archiveWal } from '../backup/archive-wal.ts'
import { restore } from '../backup/restore.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { parsePositiveInt, parseTimestamp } from '../arguments.ts'
import { databaseUrl, withPool } from '../context.ts'

export const backupCommand = new Command('backup')
  .description('take and verify a base backup (docs/operations.md)')
  .argument('<folder>', 'backup directory, on a different machine than the database')
  .option('--keep <number>', 'number of backups to keep', parsePositiveInt, 7)
  .action((folder: string, { keep }: { keep: number }) =>
    withPool(async (pool) => {
      process.stdout.write(`${await takeBackup(pool, databaseUrl(), { folder, keep })}\n`)
    }),
  )

export const archiveCommand = new Command('archive')
  .description('archive WAL continuously (run as a service)')
  .argument('<folder>', 'backup directory')
  .action((folder: string) =>
    withPool(async (pool) => {
      const stopping = new AbortController()
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
      await archiveWal(pool, databaseUrl(), folder, stopping.signal)
    }),
  )

export const restoreCommand = new Command('restore')
  .description('restore a data directory from a backup and the WAL archive')
  .argument('<folder>', 'backup directory')
  .requiredOption('--into <folder>', 'new data directory; must be empty or not exist')
  .option('--time <time>', 'point in time to restore to, e.g. 2027-01-31T12:00:00Z (default: latest)', parseTimestamp)
  .action(async (folder: string, { into, time }: { into: string; time?: Date }) => {
    process.stdout.write(`${await restore({ folder, dataDir: into, time })}\n`)
  })
