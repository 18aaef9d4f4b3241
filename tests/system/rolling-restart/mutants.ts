import type { Plant } from '../mutant.ts'

export const rollingPlants: Plant[] = [
  {
    name: 'ends-at-once',
    what: 'SIGTERM ends the process, whatever is under way',
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
    what: 'a process that stops closes its door before anybody can know',
    edits: [{ file: 'apps/api/server.ts', find: 'await sleep(drainMs)', replace: 'await sleep(0)' }],
  },
  {
    name: 'looks-ready',
    what: 'a process that stops says that it is ready',
    edits: [{ file: 'apps/api/server.ts', find: "notReadyReason = 'stopping'\n      await", replace: 'await' }],
  },
  {
    name: 'ready-too-early',
    what: 'a process says that it is ready before it has its catalog',
    edits: [
      {
        file: 'apps/api/server.ts',
        find: "notReadyReason = 'the catalog is not loaded yet'",
        replace: 'notReadyReason = undefined',
      },
    ],
  },
]
