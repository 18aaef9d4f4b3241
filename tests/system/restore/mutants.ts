import type { Mutant } from '../mutant.ts'

const RESTORE = 'apps/ops/backup/restore.ts'

export const restoreMutants: Mutant[] = [
  {
    name: 'ignores-wal-gap',
    description: 'treats a gap in the archive as its end',
    edits: [{ file: RESTORE, find: '  if (firstGap !== undefined)\n', replace: '  if (segments.length < 0)\n' }],
  },
  {
    name: 'end-unchecked',
    description: 'trusts what PostgreSQL considers the end of the WAL',
    edits: [
      {
        file: RESTORE,
        find: 'if (end === undefined || segmentContaining(end, segmentBytes) < last - 1)',
        replace: 'if (last < 0)',
      },
    ],
  },
  {
    name: 'unverified',
    description: 'restores a backup without verifying its checksums and WAL',
    edits: [
      {
        file: RESTORE,
        find: "  await runCommand(join(programs, 'pg_verifybackup'), [backup.path]).done\n",
        replace: '  runCommand(programs, []).done.catch(() => {})\n',
      },
    ],
  },
  {
    name: 'whole-segments',
    description: 'skips the partial segment in a restore',
    edits: [
      {
        file: 'apps/ops/backup/recover.ts',
        find: " || cp '${wal}/%f.partial' '%p' 2>/dev/null`",
        replace: '`',
      },
    ],
  },
  {
    name: 'settings-expected',
    description: 'expects the configuration in the data directory, where Debian has none',
    edits: [{ file: 'apps/ops/backup/recover.ts', find: '    config_file: config,\n', replace: '' }],
  },
]
