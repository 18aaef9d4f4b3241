import { test } from 'vitest'
import { expectScenarioPasses } from './harness/expect-scenario.ts'

/** Short forms of the scenarios about data. How fast the machine is decides only how long this takes. */

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
