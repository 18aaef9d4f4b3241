import type { Mutant } from '../mutant.ts'

export const rollingMutants: Mutant[] = [
  {
    name: 'exits-immediately',
    description: 'SIGTERM ends the process, whatever is under way',
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
    description: 'a process that stops closes its door before anybody can know',
    edits: [{ file: 'apps/api/server.ts', find: 'await sleep(drainMs)', replace: 'await sleep(0)' }],
  },
  {
    name: 'ready-while-stopping',
    description: 'a process that stops says that it is ready',
    edits: [{ file: 'apps/api/server.ts', find: "notReadyReason = 'stopping'\n      await", replace: 'await' }],
  },
  {
    name: 'ready-too-early',
    description: 'a process says that it is ready before it has its catalog',
    edits: [
      {
        file: 'apps/api/server.ts',
        find: "notReadyReason = 'the catalog is not loaded yet'",
        replace: 'notReadyReason = undefined',
      },
    ],
  },
]
