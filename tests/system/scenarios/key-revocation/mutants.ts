import type { Mutant } from '../../harness/mutant.ts'

const ACCOUNT = 'packages/core/migrations/0007-account.sql'

export const keysMutants: Mutant[] = [
  {
    name: 'late-revocation',
    description: 'a revocation takes effect after a second, as with a cache of valid keys',
    edits: [
      {
        file: ACCOUNT,
        find: 'k.revoked_at is not null',
        replace: "k.revoked_at < now() - interval '1 second'",
      },
    ],
  },
  {
    name: 'plan-ignored',
    description: 'doesn’t check whether the plan includes API access',
    edits: [{ file: ACCOUNT, find: 'not p.api_access', replace: 'false' }],
  },
  {
    name: 'old-limit',
    description: 'keeps the limit with which the day began',
    edits: [
      {
        file: ACCOUNT,
        find: 'r.cost, r.count, p.daily_limit,',
        replace: 'r.cost, r.count, coalesce(q.daily_limit, p.daily_limit) as daily_limit,',
      },
      {
        file: ACCOUNT,
        find: 'select q.used from account.api_key_quota',
        replace: 'select q.used, q.daily_limit from account.api_key_quota',
      },
      {
        file: ACCOUNT,
        find: 'r.cost > p.daily_limit and',
        replace: 'r.cost > coalesce(q.daily_limit, p.daily_limit) and',
      },
    ],
  },
  {
    name: 'no-slot-constraint',
    description: 'looks for free slots without a lock and without a unique constraint',
    edits: [
      { file: 'packages/core/src/account/api-key-commands.ts', find: '.forUpdate()', replace: '' },
      { file: ACCOUNT, find: '  unique (account_id, slot),\n', replace: '' },
    ],
  },
]
