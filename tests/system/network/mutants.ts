import type { Mutant } from '../mutant.ts'

const DATABASE = 'packages/core/src/db/database.ts'

export const networkMutants: Mutant[] = [
  {
    name: 'no-time-limit',
    description: 'a query that is not answered is waited for without end',
    edits: [{ file: DATABASE, find: 'query_timeout: statementTimeoutMs + 1000', replace: 'query_timeout: 0' }],
  },
  {
    name: 'charge-again',
    description: 'a charge whose connection broke is made again',
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
    description: 'a connection that breaks during a read is answered with 500',
    edits: [{ file: DATABASE, find: '/connection terminated|not queryable', replace: '/not queryable' }],
  },
  {
    name: 'fail-open',
    description: 'a request that cannot be charged is answered all the same',
    edits: [
      {
        file: 'apps/api/request-handler.ts',
        find: 'service.admission.admit(identity, price, startedAt)',
        replace:
          "service.admission.admit(identity, price, startedAt).catch(() => ({ kind: 'admitted', quota: { limit: 1000, remaining: 0, reset: new Date().toISOString() } }) as const)",
      },
    ],
  },
]
