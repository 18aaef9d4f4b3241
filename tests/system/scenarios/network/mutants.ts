import type { Mutant } from '../../harness/mutant.ts'

const DATABASE = 'packages/core/src/db/database.ts'

export const networkMutants: Mutant[] = [
  {
    name: 'no-time-limit',
    description: 'waits forever for a query that gets no response',
    edits: [{ file: DATABASE, find: 'query_timeout: statementTimeoutMs + 1000', replace: 'query_timeout: 0' }],
  },
  {
    name: 'charge-again',
    description: 'repeats a charge whose connection broke',
    edits: [
      {
        file: 'apps/api/admission/admission-controller.ts',
        find: 'const results = await charge(client, asked)',
        replace: `const results = await charge(client, asked).catch(async () => {
        const other = await this.#pool.connect()
        try {
          return await charge(other, asked)
        } finally {
          other.release()
        }
      })`,
      },
    ],
  },
  {
    name: 'disconnect-as-500',
    description: 'responds with 500 if a connection breaks during a read',
    edits: [{ file: DATABASE, find: '/connection terminated|not queryable', replace: '/not queryable' }],
  },
  {
    name: 'fail-open',
    description: 'serves requests that can’t be charged',
    edits: [
      {
        file: 'apps/api/request-handler.ts',
        find: 'const quota = requireAdmitted(outcome, cost)',
        replace: `const quota =
          outcome instanceof AdmissionUnavailableError
            ? { limit: 1000, remaining: 0, reset: new Date().toISOString() }
            : requireAdmitted(outcome, cost)`,
      },
    ],
  },
]
