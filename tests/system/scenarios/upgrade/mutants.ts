import type { Mutant } from '../../harness/mutant.ts'

const MIGRATION = 'packages/core/migrations/9999-mutant.sql'

export const upgradeMutants: Mutant[] = [
  {
    name: 'long-lock',
    description: 'the migration holds an exclusive lock on the quota for three seconds',
    edits: [
      { file: MIGRATION, add: 'lock table account.api_key_quota in access exclusive mode;\nselect pg_sleep(3);\n' },
    ],
  },
  {
    name: 'renamed',
    description: 'the migration renames a column that the previous version reads',
    edits: [{ file: MIGRATION, add: 'alter table portfolio.collection rename column name to title;\n' }],
  },
  {
    name: 'no-migration-lock-timeout',
    description: 'a migration waits indefinitely for its lock, blocking all queries queued behind it',
    edits: [
      {
        file: 'packages/core/src/db/migrate.ts',
        find: 'const LOCK_TIMEOUT_MS = 100',
        replace: 'const LOCK_TIMEOUT_MS = 60_000',
      },
      { file: MIGRATION, add: 'alter table portfolio.lot add column mutant integer;\n' },
    ],
  },
]
