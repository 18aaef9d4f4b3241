import type { Mutant } from '../mutant.ts'

export const failoverMutants: Mutant[] = [
  {
    name: 'asynchronous',
    description: 'a commit is acknowledged before the standby has it',
    edits: [{ file: 'deploy/ha/patroni.yml', find: "synchronous_commit: 'on'", replace: 'synchronous_commit: local' }],
  },
  {
    name: 'first-server-only',
    description: 'a process only ever connects to the first server that is named',
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
    description: 'a primary that cannot be reached is answered with 500',
    edits: [
      {
        file: 'packages/core/src/db/database.ts',
        find: '/^(ECONN|EPIPE|ETIMEDOUT|08|25006|57P0|57014|55P03|53)/',
        replace: '/^(EPIPE|ETIMEDOUT|25006|57014|53)/',
      },
    ],
  },
]
