import { describe, test } from 'vitest'
import { expectScenarioPasses } from './harness/expect-scenario.ts'

// A test that can't fail proves nothing. Mutants don't depend on the PostgreSQL version, so one run is enough.
describe.skipIf(process.env['TEST_DATABASE_URL'] !== undefined)('every mutant is killed', () => {
  // The mutants of the other scenarios take minutes: run them with `npm run test:system -- NAME --mutants`.
  test.each(['contract', 'isolation', 'admission'])('%s', { timeout: 900_000 }, async (name) => {
    await expectScenarioPasses(name, '--mutants')
  })
})
