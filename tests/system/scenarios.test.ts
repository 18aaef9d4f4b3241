import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { expectScenarioPasses, CLI_PATH } from './expect-scenario.ts'
import { canFakeTime } from './day-rollover/clock.ts'

// Runs a short form of the scenarios. How fast the machine is decides only how long this takes.

test('T1: every response to 2,000 fuzzed requests is documented and correct', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('contract', '--requests', '2000', '--seed', '1')
})

test('T2, T3, T4: accounts are isolated and no licensed row is exposed', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('isolation', '--bodies', '3000', '--seed', '1')
})

test('T5: admission is exact across four nodes', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('admission', '--keys', '60', '--clients', '32', '--seed', '1')
})

test(
  'T8: revocations and downgrades apply immediately, and an account has at most five keys',
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
  test('T6, T10: kills under load lose no acknowledged charge', { timeout: 600_000 }, async () => {
    await expectScenarioPasses('crash', '--nodes', '3', '--keys', '40', '--seconds', '10', '--outages', '2')
  })

  test.skipIf(!canFakeTime())(
    'T7: the database’s clock ends the day for every node',
    { timeout: 600_000 },
    async () => {
      await expectScenarioPasses('day-rollover', '--keys', '20', '--waiters', '20')
    },
  )

  test('T23: logs, errors and dumps contain no secrets', { timeout: 600_000 }, async () => {
    await expectScenarioPasses('secrets', '--rounds', '1', '--requests', '1200', '--web', '0')
  })
})

test('T12: changes are served within a second, even after the listener is lost', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('freshness', '--changes', '1000', '--samples', '30')
})

test(
  'T13: a slow network causes no errors; a broken one loses no credit and delays no response by more than 2 s',
  { timeout: 600_000 },
  async () => {
    await expectScenarioPasses('network', '--rate', '30', '--seconds', '2')
  },
)

test('a two-letter search costs less CPU than ten lookups', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('search-cost', '--requests', '1500')
})

test('T19: malformed files and kills never cause a partial publish', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('ingest', '--mutations', '300', '--kills', '8', '--seed', '1')
})

test('observations are served within seconds, and a killed worker loses nothing', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('valuation-pipeline', '--retail', '15', '--sales', '5', '--kills', '2', '--seed', '1')
})

test('exits with 2 on unknown scenarios and options', async () => {
  const codes = await Promise.all(
    [['contrct'], ['contract', '--request', '5'], ['contract', '--mutant', 'nothing'], []].map(
      (args) =>
        new Promise((resolve) => execFile(process.execPath, [CLI_PATH, ...args], (error) => resolve(error?.code))),
    ),
  )
  expect(codes).toEqual([2, 2, 2, 2])
})
