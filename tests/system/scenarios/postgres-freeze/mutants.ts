import type { Mutant } from '../../harness/mutant.ts'

const ADMISSION = 'apps/api/admission/admission-controller.ts'

export const pauseMutants: Mutant[] = [
  {
    name: 'long-admission-wait',
    description: 'a call waits for its admission verdict for 30 s',
    edits: [
      { file: ADMISSION, find: 'const ADMISSION_TIMEOUT_MS = 1800', replace: 'const ADMISSION_TIMEOUT_MS = 30_000' },
    ],
  },
  {
    name: 'no-time-limit',
    description: 'waits forever for a query that gets no response',
    edits: [
      {
        file: 'packages/core/src/db/database.ts',
        find: 'query_timeout: statementTimeoutMs + 1000',
        replace: 'query_timeout: 0',
      },
      {
        file: 'packages/core/src/db/with-timeout.ts',
        find: 'Promise.race([work, timeout])',
        replace: 'Promise.race([work, timeout.catch(() => work)])',
      },
    ],
  },
  {
    name: 'charge-again',
    description: 'repeats a charge that got no response',
    edits: [
      {
        file: ADMISSION,
        find: 'const results = await charge(client, asked)',
        replace: `const results = await charge(client, asked).catch(async () => {
        for (;;) {
          const other = await this.#pool.connect().catch(() => undefined)
          if (other === undefined) continue
          try {
            return await charge(other, asked)
          } finally {
            other.release()
          }
        }
      })`,
      },
    ],
  },
]
