import type { Mutant } from '../../harness/mutant.ts'

const RESTORE = 'apps/ops/commands/restore.ts'

export const restoreMutants: Mutant[] = [
  {
    name: 'ignores-wal-gap',
    description: 'takes a gap in the archive for its end',
    edits: [{ file: RESTORE, find: '  if (gap !== undefined)', replace: '  if (gap === id)' }],
  },
  {
    name: 'unverified',
    description: 'restores without verifying the repository',
    edits: [{ file: RESTORE, find: '  if (!/^status: ok$/m.test(report))', replace: "  if (report === 'error')" }],
  },
  {
    name: 'ignores-time',
    description: 'restores to the end of the archive instead of the given time',
    edits: [{ file: RESTORE, find: 'const target = time === undefined ?', replace: 'const target = stanza !== "" ?' }],
  },
  {
    name: 'no-archive-timeout',
    description: 'archives a segment only when it is full',
    edits: [{ file: 'deploy/backup/postgresql.conf', find: 'archive_timeout = 10s\n', replace: '' }],
  },
  {
    name: 'unencrypted',
    description: 'stores backups without encryption',
    edits: [
      {
        file: 'deploy/backup/pgbackrest.conf',
        find: 'repo1-cipher-type=aes-256-cbc\n',
        replace: 'repo1-cipher-type=none\n',
      },
      { file: 'deploy/backup/pgbackrest.conf', find: 'repo1-cipher-pass=CHANGE-ME\n', replace: '' },
    ],
  },
]
