import { describe, test } from 'vitest'
import { canFakeTime } from './scenarios/day-rollover/clock.ts'
import { expectScenarioPasses } from './harness/expect-scenario.ts'

/** Short forms of the scenarios about quotas and keys. How fast the machine is decides only how long this takes. */

test('admission is exact across four nodes', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('admission', '--keys', '60', '--clients', '32', '--seed', '1')
})

test(
  'revocations and downgrades apply immediately, and an account has at most five keys',
  { timeout: 600_000 },
  async () => {
    await expectScenarioPasses(
      'key-revocation',
      '--nodes',
      '2',
      '--revocations',
      '60',
      '--downgrades',
      '15',
      '--accounts',
      '2',
    )
  },
)

// These start their own PostgreSQL 18, whichever version the other tests use, so one run is enough.
describe.skipIf(process.env['TEST_DATABASE_URL'] !== undefined)('with a dedicated server', () => {
  test('kills under load lose no acknowledged charge', { timeout: 600_000 }, async () => {
    await expectScenarioPasses('crash', '--nodes', '3', '--keys', '40', '--seconds', '10', '--outages', '2')
  })

  test.skipIf(!canFakeTime())('the database’s clock ends the day for every node', { timeout: 600_000 }, async () => {
    await expectScenarioPasses('day-rollover', '--keys', '20', '--waiters', '20')
  })
})

test('changes are served within a second, even after the listener is lost', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('freshness', '--changes', '1000', '--samples', '30')
})

test(
  'a slow network causes no errors; a broken one loses no credit and delays no response by more than 2 s',
  { timeout: 600_000 },
  async () => {
    await expectScenarioPasses('network', '--rate', '30', '--seconds', '2')
  },
)
