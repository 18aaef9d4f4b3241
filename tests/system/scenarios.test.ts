import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { expectScenarioPasses, CLI_PATH } from './expect-scenario.ts'
import { canFakeTime } from './day-rollover/clock.ts'

// The short form of every proof.

test('T1: every answer to 2,000 fuzzed requests is documented and right', { timeout: 120_000 }, async () => {
  await expectScenarioPasses('contract', '--requests', '2000', '--seed', '1')
})

test('T2, T3, T4: accounts are isolated and no licensed row is shown', { timeout: 120_000 }, async () => {
  await expectScenarioPasses('isolation', '--bodies', '3000', '--seed', '1')
})

test('T5: admission is exact over four nodes', { timeout: 120_000 }, async () => {
  await expectScenarioPasses('admission', '--keys', '60', '--clients', '32', '--seed', '1')
})

test('T8: what is taken from a key is gone at once, and five keys are five', { timeout: 120_000 }, async () => {
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
})

// These have a PostgreSQL 18 of their own, whichever the other tests use: once is enough.
describe.skipIf(process.env['TEST_DATABASE_URL'] !== undefined)('with a server that may be killed', () => {
  test('T6, T10: kills under load cost no acknowledged charge', { timeout: 180_000 }, async () => {
    await expectScenarioPasses('crash', '--nodes', '3', '--keys', '40', '--seconds', '10', '--outages', '2')
  })

  test.skipIf(!canFakeTime())('T7: the database ends the day, for every node', { timeout: 180_000 }, async () => {
    await expectScenarioPasses('day-rollover', '--keys', '20', '--waiters', '20')
  })

  test('T23: no secret is in a log, an error or a dump', { timeout: 120_000 }, async () => {
    await expectScenarioPasses('secrets', '--rounds', '1', '--requests', '1200', '--web', '0')
  })
})

test('T12: changes are served within a second, none is lost with the listener', { timeout: 120_000 }, async () => {
  await expectScenarioPasses('freshness', '--changes', '1000', '--samples', '30')
})

test(
  'T13: a slow network costs nothing, a broken one no unit and nobody more than 2 s',
  { timeout: 120_000 },
  async () => {
    await expectScenarioPasses('network', '--rate', '30', '--seconds', '2')
  },
)

test('a two-letter search costs less than ten look-ups', { timeout: 120_000 }, async () => {
  await expectScenarioPasses('search-cost', '--requests', '1500')
})

test('T19: hostile files and kills publish nothing in part', { timeout: 120_000 }, async () => {
  await expectScenarioPasses('ingest', '--mutations', '300', '--kills', '8', '--seed', '1')
})

test('observations are served in seconds, and a killed worker loses nothing', { timeout: 120_000 }, async () => {
  await expectScenarioPasses('valuation-pipeline', '--retail', '15', '--sales', '5', '--kills', '2', '--seed', '1')
})

test('a wrong name or option is told, and is no verdict', async () => {
  const codes = await Promise.all(
    [['contrct'], ['contract', '--request', '5'], ['contract', '--mutant', 'nothing'], []].map(
      (args) =>
        new Promise((resolve) => execFile(process.execPath, [CLI_PATH, ...args], (error) => resolve(error?.code))),
    ),
  )
  expect(codes).toEqual([2, 2, 2, 2])
})
