import type { Mutant } from '../../harness/mutant.ts'

export const midnightMutants: Mutant[] = [
  {
    name: 'node-day',
    description: 'charges the day of the node clock',
    edits: [
      {
        file: 'packages/core/migrations/0007-account.sql',
        find: 'today date := (now() ',
        replace: "today date := (current_setting('brickmark.today')::timestamptz ",
      },
      {
        file: 'packages/core/src/account/admission-commands.ts',
        find: 'const { rows } = await client.query<{ charged_at',
        replace: `await client.query("select set_config('brickmark.today', $1, false)", [new Date().toISOString()])
  const { rows } = await client.query<{ charged_at`,
      },
    ],
  },
  {
    name: 'node-reset',
    description: 'computes reset from the node clock',
    edits: [
      {
        file: 'packages/core/src/account/admission-commands.ts',
        find: 'resetsAt.toISOString()',
        replace: 'new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString()',
      },
    ],
  },
  {
    name: 'node-retry',
    description: 'computes Retry-After from the node clock',
    edits: [
      {
        file: 'packages/core/src/account/admission-commands.ts',
        find: '      chargedAt,\n',
        replace: '      chargedAt: new Date(),\n',
      },
    ],
  },
  {
    name: 'retry-early',
    description: 'rounds Retry-After down',
    edits: [{ file: 'packages/core/src/account/quota.ts', find: 'Math.ceil(', replace: 'Math.floor(' }],
  },
]
