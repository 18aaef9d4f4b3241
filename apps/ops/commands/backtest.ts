import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { backtestSales } from '@brickmark/core/market/backtest/sales-backtest'
import { loadSalesMarket } from '@brickmark/core/market/backtest/sales-market-queries'
import { drawWorstItems, formatSalesReport, toJsonReport } from '@brickmark/core/market/backtest/sales-report'
import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { withMarket } from '../context.ts'

type Options = { sets: number; json?: true; charts?: string }

export const backtestCommand = new Command('backtest')
  .description('measure how accurate values would have been on your own sales, before you publish them')
  .option('--sets <count>', 'sets to value, chosen at random', parseCount, 500)
  .option('--json', 'print the report as JSON')
  .option('--charts <folder>', 'write charts of the ten worst items as SVG to a folder')
  .action(({ sets, json, charts }: Options) =>
    withMarket(async ({ db, now }) => {
      const market = await loadSalesMarket(db, sets, utcDayOf(now()))
      const result = backtestSales(market)
      process.stdout.write(json ? `${JSON.stringify(toJsonReport(result), null, 2)}\n` : formatSalesReport(result))
      if (charts === undefined) return
      await mkdir(charts, { recursive: true })
      for (const { item, svg } of drawWorstItems(market, result))
        await writeFile(join(charts, `${item.number}-${item.condition}.svg`), svg)
    }),
  )

function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('Use a whole number of at least 1.')
  return count
}
