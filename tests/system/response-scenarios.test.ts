import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { expectScenarioPasses, CLI_PATH } from './harness/expect-scenario.ts'

/** Short forms of the scenarios about what responses and logs contain. How fast the machine is decides only how long this takes. */

test('every response to 2,000 fuzzed requests is documented and correct', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('contract', '--requests', '2000', '--seed', '1')
})

test('accounts are isolated and no licensed row is exposed', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('isolation', '--bodies', '3000', '--seed', '1')
})

// Starts its own PostgreSQL 18, whichever version the other tests use, so one run is enough.
test.skipIf(process.env['TEST_DATABASE_URL'] !== undefined)(
  'logs, errors and dumps contain no secrets',
  { timeout: 600_000 },
  async () => {
    await expectScenarioPasses('secrets', '--rounds', '1', '--requests', '1200', '--web', '0')
  },
)

test('a two-letter search costs less CPU than ten lookups', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('search-cost', '--requests', '1500')
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
