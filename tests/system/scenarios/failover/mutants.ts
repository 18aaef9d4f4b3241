import type { Mutant } from '../../harness/mutant.ts'

export const failoverMutants: Mutant[] = [
  {
    name: 'asynchronous',
    description: 'acknowledges a commit before the standby has it',
    edits: [{ file: 'deploy/ha/patroni.yml', find: "synchronous_commit: 'on'", replace: 'synchronous_commit: local' }],
  },
  {
    name: 'first-server-only',
    description: 'connects only to the first server listed',
    edits: [
      {
        file: 'packages/core/src/db/primary-discovery.ts',
        find: 'servers.length === 1 ? pg.Client : createPrimaryClient(servers)',
        replace: 'servers.length === 0 ? createPrimaryClient(servers) : pg.Client',
      },
    ],
  },
  {
    name: 'unavailable-as-500',
    description: 'responds with 500 while the primary is unreachable',
    edits: [
      {
        file: 'packages/core/src/db/database.ts',
        find: '/^(ECONN|EPIPE|ETIMEDOUT|08|25006|57P0|57014|55P03|53)/',
        replace: '/^(EPIPE|ETIMEDOUT|25006|57014|53)/',
      },
    ],
  },
]
