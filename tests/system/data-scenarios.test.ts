import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { expectScenarioPasses, CLI_PATH } from './harness/expect-scenario.ts'

/** Short forms of the scenarios about data. How fast the machine is decides only how long this takes. */

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

test('malformed files and kills never cause a partial publish', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('ingest', '--mutations', '300', '--kills', '8', '--seed', '1')
})

test('an import with wrong prices is undone, however often that is killed', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('import-undo', '--rows', '30000', '--sets', '60', '--kills', '2', '--seed', '1')
})

test(
  'an empty service gets an operator, a catalog and prices, whenever it is killed',
  { timeout: 600_000 },
  async () => {
    await expectScenarioPasses('day-one', '--sets', '1500', '--kills', '3', '--pages', '40', '--seed', '1')
  },
)

test('observations are served within seconds, and a killed worker loses nothing', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('valuation-pipeline', '--retail', '15', '--sales', '5', '--kills', '2', '--seed', '1')
})

test('killed workers miss no alert and send none twice', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('alerts', '--rules', '2000', '--changes', '1500', '--kills', '4', '--samples', '5')
})

test('webhooks are neither lost nor delayed by bad receivers', { timeout: 600_000 }, async () => {
  await expectScenarioPasses('webhooks', '--events', '3000', '--kills', '1', '--samples', '10')
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
