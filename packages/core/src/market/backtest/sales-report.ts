import { drawItemChart } from './item-chart.ts'
import type { SalesBacktest, ShareFigures } from './sales-backtest.ts'
import { evaluateSalesGoals } from './sales-goals.ts'
import { outcomesOf, type SalesMarket } from './sales-market.ts'
import { worstItems, type WorstItem } from './worst-items.ts'

/** Returns the figures of a backtest without the scores of single items and days. */
export function toJsonReport(result: SalesBacktest) {
  return {
    ...result,
    goals: evaluateSalesGoals(result),
    shares: result.shares.map(({ scores, ...figures }) => ({ ...figures, worst: worstItems(scores) })),
  }
}

/** Formats a backtest for the terminal. */
export function formatSalesReport(result: SalesBacktest): string {
  const { sets, sales, from, to, shares, moves } = result
  const lines = [
    `${sales.toLocaleString('en-US')} sales of ${sets} sets, ${from} to ${to}. Each week, values are compared with the next sale and with the`,
    'median of the next seven days. Errors are divided by those of the best of eleven simple methods: below 1 is better.',
    '',
    ...evaluateSalesGoals(result).map(
      ({ name, goal, value, pass }) =>
        `${pass ? 'pass' : 'MISS'}  ${name.padEnd(60)} ${String(value).padStart(8)}  ${goal}`,
    ),
    ...shares.flatMap(formatShare),
    '',
    'Days behind moves of 15 % or more'.padEnd(36) + columns('moves', 'median days', 'relapses'),
    ...moves.map(
      ({ share, moves: count, medianDays, relapses }) =>
        `${100 * share} % of sales`.padEnd(36) + columns(count, medianDays, relapses),
    ),
  ]
  const worst = shares[0] === undefined ? [] : worstItems(shares[0].scores)
  if (worst.length > 0)
    lines.push(
      '',
      'Worst items, mean error in percent'.padEnd(36) + columns('cases', 'ours', 'simple'),
      ...worst.map(
        ({ number, condition, cases, ours, simple }) =>
          `${number} ${condition}`.padEnd(36) + columns(cases, ours, simple),
      ),
    )
  return `${lines.join('\n')}\n`
}

function formatShare({ share, nextSale, tiers, ages, ...all }: ShareFigures): string[] {
  const row = (
    name: string,
    figures: Pick<ShareFigures, 'cases' | 'nextSale' | 'nextWeek' | 'coverage' | 'width' | 'doubtful'>,
  ) =>
    name.padEnd(36) +
    columns(
      figures.cases,
      figures.nextSale?.ratio.median,
      figures.nextSale?.ratio.mean,
      figures.nextWeek?.ratio.median,
      figures.nextWeek?.ratio.mean,
      figures.coverage,
      figures.width,
      figures.doubtful,
    )
  return [
    '',
    `${100 * share} % of sales (best: ${nextSale?.best.median ?? 'none'})`.padEnd(36) +
      columns('cases', 'next, md', 'next, mean', '7 days, md', '7 d, mean', 'coverage', 'width', 'in doubt'),
    row('all', { ...all, nextSale }),
    ...tiers.map((tier) => row(tier.name, tier)),
    ...ages.map((age) => row(age.name, age)),
  ]
}

/** Draws the worst items of all sales. */
export function drawWorstItems(market: SalesMarket, result: SalesBacktest): { item: WorstItem; svg: string }[] {
  const scores = result.shares[0]?.scores ?? []
  return worstItems(scores).map((item) => {
    const own = scores.filter(({ number, condition }) => number === item.number && condition === item.condition)
    const packed = market.items.find(({ number, condition }) => number === item.number && condition === item.condition)!
    return { item, svg: drawItemChart(`${item.number}, ${item.condition}`, own, outcomesOf(packed)) }
  })
}

function columns(...cells: (string | number | undefined)[]): string {
  return cells
    .map((cell) => (typeof cell === 'number' ? String(Math.round(cell * 100) / 100) : (cell ?? '')).padStart(12))
    .join('')
}
