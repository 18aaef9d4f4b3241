import type { Mutant } from '../mutant.ts'

const RESTORE = 'apps/ops/backup/restore.ts'

export const restoreMutants: Mutant[] = [
  {
    name: 'ignores-wal-gap',
    description: 'a gap in the archive is taken for its end',
    edits: [{ file: RESTORE, find: '  if (firstGap !== undefined)\n', replace: '  if (segments.length < 0)\n' }],
  },
  {
    name: 'end-unchecked',
    description: 'whatever PostgreSQL takes for the end of the log is believed',
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
    description: 'a backup is restored without a look at its checksums and its log',
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
    description: 'the segment that is being written is left out of a restore',
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
    description: 'a restore relies on settings in the data directory, where Debian has none',
    edits: [{ file: 'apps/ops/backup/recover.ts', find: '    config_file: config,\n', replace: '' }],
  },
]
