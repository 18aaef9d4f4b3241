import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { backtestSales } from '@brickmark/core/market/backtest/sales-backtest'
import { drawWorstItems, formatSalesReport, toJsonReport } from '@brickmark/core/market/backtest/sales-report'
import { MARKET_SHAPES, type MarketName } from '../synthetic/market-shape.ts'
import { BASELINES } from './baselines.ts'
import { backtest, type Backtest } from './backtest.ts'
import { readSalesFiles } from './read-sales-files.ts'

const { values } = parseArgs({
  options: {
    sales: { type: 'string' },
    catalog: { type: 'string' },
    charts: { type: 'string', default: 'backtest-charts' },
    market: { type: 'string', default: 'base' },
    seed: { type: 'string', default: '1' },
    sets: { type: 'string', default: '700' },
    origins: { type: 'string', default: '12' },
    json: { type: 'boolean', default: false },
  },
})

const isEveryGoalMet =
  values.sales === undefined && values.catalog === undefined
    ? runSynthetic()
    : await runSales(values.sales, values.catalog)
process.exitCode = isEveryGoalMet ? 0 : 1

/** Backtests recorded sales: a sales feed and a catalog feed. */
async function runSales(sales: string | undefined, catalog: string | undefined): Promise<boolean> {
  if (sales === undefined || catalog === undefined) fail('Name both files: --sales FILE --catalog FILE.')
  const market = await readSalesFiles(sales, catalog).catch((error: Error) => fail(error.message))
  if (market.items.length === 0) fail(`No sale in ${sales} is of a set in ${catalog}.`)
  if (market.skipped > 0)
    process.stderr.write(`Skipped ${market.skipped} rows that are invalid or not of a listed set.\n`)
  const result = backtestSales(market)
  const report = toJsonReport(result)
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : formatSalesReport(result))
  await mkdir(values.charts, { recursive: true })
  for (const { item, svg } of drawWorstItems(market, result))
    await writeFile(join(values.charts, `${item.number}-${item.condition}.svg`), svg)
  process.stderr.write(`Charts of the worst items: ${values.charts}\n`)
  return report.goals.every(({ pass }) => pass)
}

/** Backtests a synthetic market. */
function runSynthetic(): boolean {
  if (!Object.hasOwn(MARKET_SHAPES, values.market))
    fail(`Unknown market: ${values.market}. Use one of ${Object.keys(MARKET_SHAPES).join(', ')}.`)
  const result = backtest(Number(values.seed), {
    market: values.market as MarketName,
    sets: Number(values.sets),
    origins: Number(values.origins),
  })
  process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : formatReport(result))
  return result.goals.every(({ pass }) => pass)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function formatReport({
  market,
  seed,
  sets,
  origins,
  tunedSeeds,
  goals,
  conditions,
  manipulation,
  jumps,
}: Backtest): string {
  const lines = [
    `Market ${market}, seed ${seed}: ${sets} synthetic sets, ${origins} origins. The market has assumed parameters: results show how the`,
    `algorithm behaves, not its accuracy on a real market. It was tuned on the seeds ${tunedSeeds.join(', ')}.`,
    '',
    ...goals.map(
      ({ name, goal, value, pass }) =>
        `${pass ? 'pass' : 'MISS'}  ${name.padEnd(76)} ${String(value).padStart(8)}  ${goal}`,
    ),
    '',
    'True MdAPE in percent'.padEnd(30) + columns('cases', 'ours', ...BASELINES),
    ...conditions.flatMap(({ condition, all, buckets }) =>
      [{ sales: 'all', ...all }, ...buckets].map(
        ({ sales, cases, ours, ...errors }) =>
          `${condition}, ${sales} sales`.padEnd(30) + columns(cases, ours, ...BASELINES.map((name) => errors[name])),
      ),
    ),
    '',
    'Next-sale MdAPE'.padEnd(30) + columns('ours', 'median 6 m', 'oracle', 'coverage', 'as recorded'),
    ...conditions.map(
      ({ condition, nextSale, coverage, coverageAsRecorded }) =>
        condition.padEnd(30) + columns(nextSale.ours, nextSale.median6, nextSale.oracle, coverage, coverageAsRecorded),
    ),
    '',
    'Bias of the worst month'.padEnd(30) + columns('ours', 'by chance'),
    ...conditions.map(({ condition, worstBias: { ours, byChance } }) => condition.padEnd(30) + columns(ours, byChance)),
    '',
    'p90 shift in percent'.padEnd(30) + columns('3-9', 'median 6 m', '10+', 'median 6 m'),
    ...manipulation.map(
      ({ attack, at3to9, at10up }) =>
        attack.padEnd(30) + columns(at3to9.ours, at3to9.median6, at10up.ours, at10up.median6),
    ),
    '',
    'Days to 80 % of a jump'.padEnd(30) + columns('ours', 'median 6 m', 'limit'),
    ...jumps.map(
      ({ factor, salesPerMonth, ours, median6, limit }) =>
        `${100 * factor} %, ${salesPerMonth} sales per month`.padEnd(30) + columns(ours, median6, limit),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function columns(...cells: (string | number)[]): string {
  return cells
    .map((cell) => (typeof cell === 'number' ? String(Math.round(cell * 100) / 100) : cell).padStart(13))
    .join('')
}
