import type { Plant } from '../mutant.ts'

export const failoverPlants: Plant[] = [
  {
    name: 'asynchronous',
    what: 'a commit is acknowledged before the standby has it',
    edits: [{ file: 'deploy/ha/patroni.yml', find: "synchronous_commit: 'on'", replace: 'synchronous_commit: local' }],
  },
  {
    name: 'stuck-client',
    what: 'a process only ever connects to the first server that is named',
    edits: [
      {
        file: 'packages/core/src/db/primary-discovery.ts',
        find: 'servers.length === 1 ? pg.Client : createPrimaryClient(servers)',
        replace: 'servers.length === 0 ? createPrimaryClient(servers) : pg.Client',
      },
    ],
  },
  {
    name: 'says-500',
    what: 'a primary that cannot be reached is answered with 500',
    edits: [
      {
        file: 'packages/core/src/db/database.ts',
        find: '/^(ECONN|EPIPE|ETIMEDOUT|08|25006|57P0|57014|55P03|53)/',
        replace: '/^(EPIPE|ETIMEDOUT|25006|57014|53)/',
      },
    ],
  },
]
