import type { Mutant } from '../../harness/mutant.ts'

export const rollingMutants: Mutant[] = [
  {
    name: 'exits-immediately',
    description: 'exits on SIGTERM regardless of requests in flight',
    edits: [
      {
        file: 'apps/api/main.ts',
        find: '      void api.stop(',
        replace: '      process.exit(0)\n      void api.stop(',
      },
    ],
  },
  {
    name: 'no-drain',
    description: 'stops listening before the load balancer can notice',
    edits: [{ file: 'apps/api/server.ts', find: 'await sleep(drainMs)', replace: 'await sleep(0)' }],
  },
  {
    name: 'ready-while-stopping',
    description: 'reports ready while stopping',
    edits: [{ file: 'apps/api/server.ts', find: "notReadyReason = 'stopping'\n      await", replace: 'await' }],
  },
  {
    name: 'ready-too-early',
    description: 'reports ready before the catalog is loaded',
    edits: [
      {
        file: 'apps/api/server.ts',
        find: "notReadyReason = 'the catalog is not loaded yet'",
        replace: 'notReadyReason = undefined',
      },
    ],
  },
]
