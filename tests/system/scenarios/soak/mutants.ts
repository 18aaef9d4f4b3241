import type { Mutant } from '../../harness/mutant.ts'

const NOTES = 'apps/api/admission/usage-recorder.ts'

export const soakMutants: Mutant[] = [
  {
    name: 'leaks-memory',
    description: 'keeps every completed request in memory',
    edits: [
      { file: NOTES, find: '  #timer: NodeJS', replace: '  readonly #all: unknown[] = []\n  #timer: NodeJS' },
      {
        file: NOTES,
        find: '    const name = key.keyId * 1000',
        replace: '    this.#all.push({ ...request, at: new Date() })\n    const name = key.keyId * 1000',
      },
    ],
  },
  {
    name: 'leaks-descriptors',
    description: 'opens a file on every flush and never closes it',
    edits: [
      {
        file: NOTES,
        find: "import type pg from 'pg'",
        replace: "import { openSync } from 'node:fs'\nimport type pg from 'pg'",
      },
      {
        file: NOTES,
        find: '    this.#timer = undefined\n',
        replace: "    this.#timer = undefined\n    openSync('/dev/null')\n",
      },
    ],
  },
]
