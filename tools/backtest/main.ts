import { parseArgs } from 'node:util'
import { backtest, type Backtest } from './backtest.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    sets: { type: 'string', default: '700' },
    origins: { type: 'string', default: '6' },
    json: { type: 'boolean', default: false },
  },
})

const result = backtest(Number(values.seed), { sets: Number(values.sets), origins: Number(values.origins) })
process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : formatReport(result))
process.exitCode = result.goals.every(({ pass }) => pass) ? 0 : 1

function formatReport({ seed, sets, origins, goals, conditions, manipulation, jumps }: Backtest): string {
  const lines = [
    `Seed ${seed}: ${sets} synthetic sets, ${origins} origins. The market has assumed parameters: results show how the`,
    'algorithm behaves, not its accuracy on a real market.',
    '',
    ...goals.map(
      ({ name, goal, value, pass }) =>
        `${pass ? 'pass' : 'MISS'}  ${name.padEnd(76)} ${String(value).padStart(8)}  ${goal}`,
    ),
    '',
    'True MdAPE in percent'.padEnd(30) + columns('cases', 'ours', 'last sale', 'mean 6 m', 'median 6 m'),
    ...conditions.flatMap(({ condition, all, buckets }) =>
      [{ sales: 'all', ...all }, ...buckets].map(
        ({ sales, cases, ours, lastSale, mean6, median6 }) =>
          `${condition}, ${sales} sales`.padEnd(30) + columns(cases, ours, lastSale, mean6, median6),
      ),
    ),
    '',
    'Next-sale MdAPE'.padEnd(30) + columns('ours', 'median 6 m', 'oracle', 'coverage', 'as recorded'),
    ...conditions.map(
      ({ condition, nextSale, coverage, coverageAsRecorded }) =>
        condition.padEnd(30) + columns(nextSale.ours, nextSale.median6, nextSale.oracle, coverage, coverageAsRecorded),
    ),
    '',
    'p90 shift in percent'.padEnd(30) + columns('3-9', 'median 6 m', '10+', 'median 6 m'),
    ...manipulation.map(
      ({ attack, at3to9, at10up }) =>
        attack.padEnd(30) + columns(at3to9.ours, at3to9.median6, at10up.ours, at10up.median6),
    ),
    '',
    'Days to 80 % of a jump'.padEnd(30) + columns('ours', 'median 6 m'),
    ...jumps.map(
      ({ salesPerMonth, ours, median6 }) => `${salesPerMonth} sales per month`.padEnd(30) + columns(ours, median6),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function columns(...cells: (string | number)[]): string {
  return cells
    .map((cell) => (typeof cell === 'number' ? String(Math.round(cell * 100) / 100) : cell).padStart(13))
    .join('')
}
