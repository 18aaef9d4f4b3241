import { parseArgs } from 'node:util'
import { MARKET_SHAPES, type MarketName } from '../synthetic/market-shape.ts'
import { BASELINES } from './baselines.ts'
import { backtest, type Backtest } from './backtest.ts'

const { values } = parseArgs({
  options: {
    market: { type: 'string', default: 'base' },
    seed: { type: 'string', default: '1' },
    sets: { type: 'string', default: '700' },
    origins: { type: 'string', default: '12' },
    json: { type: 'boolean', default: false },
  },
})

if (!Object.hasOwn(MARKET_SHAPES, values.market)) {
  process.stderr.write(`Unknown market: ${values.market}. Use one of ${Object.keys(MARKET_SHAPES).join(', ')}.\n`)
  process.exit(2)
}
const result = backtest(Number(values.seed), {
  market: values.market as MarketName,
  sets: Number(values.sets),
  origins: Number(values.origins),
})
process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : formatReport(result))
process.exitCode = result.goals.every(({ pass }) => pass) ? 0 : 1

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
    'Bias of the worst month'.padEnd(30) + columns('ours', 'Bayes', 'by chance'),
    ...conditions.map(
      ({ condition, worstBias: { ours, floor, byChance } }) =>
        condition.padEnd(30) + columns(ours, floor ?? '', byChance),
    ),
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
