import type { Mutant } from '../mutant.ts'

const ADMISSION = 'apps/api/admission/admission-controller.ts'

export const pauseMutants: Mutant[] = [
  {
    name: 'long-admission-wait',
    description: 'a call waits for its verdict for as long as a client does',
    edits: [
      { file: ADMISSION, find: 'const ADMISSION_TIMEOUT_MS = 1800', replace: 'const ADMISSION_TIMEOUT_MS = 30_000' },
    ],
  },
  {
    name: 'no-time-limit',
    description: 'a query that is not answered is waited for without end',
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
    description: 'a charge whose answer did not come is made again',
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
