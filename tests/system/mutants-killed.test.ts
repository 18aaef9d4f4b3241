import { describe, test } from 'vitest'
import { expectScenarioPasses } from './expect-scenario.ts'

// A proof that cannot fail proves nothing. The plants do not depend on the version of PostgreSQL: once is enough.
describe.skipIf(process.env['TEST_DATABASE_URL'] !== undefined)('every planted bug is caught', () => {
  // Those of the others take minutes: `npm run test:system -- ingest --plants` runs them.
  test.each(['contract', 'isolation', 'admission', 'keys', 'freshness', 'search'])(
    '%s',
    { timeout: 300_000 },
    async (name) => {
      await expectScenarioPasses(name, '--plants')
    },
  )
})
