import { z } from 'zod'
import type { Schemas } from '../brickmark.ts'
import { summarizeRetail } from './catalog-tools.ts'
import { collectList } from '../collect-list.ts'
import { defineTool } from './tool.ts'

/** 10 credits' worth. The result says how many lots there are and how many were scanned. */
const MAX_HOLDINGS = 2500
const MAX_SALES = 250
const Max = z.int().min(1).max(50).default(20)

export const myPortfolio = defineTool({
  name: 'my_portfolio',
  title: "The user's collections and holdings",
  description:
    "The user's collections with totals, and the holdings with the most value, gain or loss. Costs 1 unit and 1 for each 250 holdings.",
  input: z.strictObject({
    brickfolio_id: z.int().min(1).optional().describe('Only holdings of this collection.'),
    order: z.enum(['value', 'gain', 'loss']).default('value').describe('Which holdings come first.'),
    max: Max,
  }),
  async run(brickmark, { brickfolio_id, order, max }) {
    const { data } = await brickmark.listBrickfolios()
    const entries = brickmark.listEntries(brickfolio_id === undefined ? {} : { brickfolio_id })
    const { rows, total, rateLimit } = await collectList(entries, MAX_HOLDINGS)
    const amount = (holding: Schemas['Holding']) =>
      order === 'value' ? holding.total_current_value_usd : holding.unrealized_gain_loss_usd
    const ascending = rows.filter((row) => amount(row) !== null).toSorted((a, b) => amount(a)! - amount(b)!)
    const holdings = (order === 'loss' ? ascending : ascending.toReversed()).slice(0, max)
    const collections = data.brickfolios.map(summarizeCollection)
    return { result: { collections, holdings_in_all: total, holdings_looked_at: rows.length, holdings }, rateLimit }
  },
})

function summarizeCollection(brickfolio: Schemas['BrickfolioSummary']): object {
  const { id, name, owned_set_count, total_cost_basis_usd, total_current_value_usd, unrealized_gain_loss_usd } =
    brickfolio
  return { id, name, owned_set_count, total_cost_basis_usd, total_current_value_usd, unrealized_gain_loss_usd }
}

export const myWatch = defineTool({
  name: 'my_watch',
  title: 'Price changes of what the user holds',
  description: 'Retailer prices of the sets the user holds that changed lately, with what the user paid. Costs 1 unit.',
  input: z.strictObject({
    changed_within: z
      .string()
      .regex(/^\d+[mhd]$/, 'must be digits and m, h or d, like 24h')
      .default('7d')
      .describe('Like 30m, 3h, 24h, 7d.'),
    max: Max,
  }),
  async run(brickmark, { changed_within, max }) {
    const { rows, total, rateLimit } = await collectList(brickmark.watchRetailPrices({ changed_within }), Infinity)
    const lastChangedAt = (row: Schemas['RetailWatchRow']) =>
      Math.max(...[row.retailer_a, row.retailer_b].map(({ changedAt }) => Date.parse(changedAt ?? '1970-01-01')))
    const changed = rows.toSorted((a, b) => lastChangedAt(b) - lastChangedAt(a)).slice(0, max)
    return { result: { changed_in_all: total, newest_first: changed.map(summarizeRetail) }, rateLimit }
  },
})

export const mySales = defineTool({
  name: 'my_sales',
  title: "The user's sales",
  description: `The user's last sales with fees, net and profit, and sums over the last ${MAX_SALES}. Costs 1 unit.`,
  input: z.strictObject({ max: Max }),
  async run(brickmark, { max }) {
    const { rows, total, rateLimit } = await collectList(brickmark.listSales(), MAX_SALES)
    const sum = (field: 'gross_proceeds_usd' | 'net_proceeds_usd' | 'profit_loss_usd') =>
      Math.round(rows.reduce((cents, sale) => cents + (sale[field] ?? 0) * 100, 0)) / 100
    const sums = {
      sales: rows.length,
      gross_usd: sum('gross_proceeds_usd'),
      net_usd: sum('net_proceeds_usd'),
      profit_usd: sum('profit_loss_usd'),
    }
    return { result: { sales_in_all: total, sums_over_the_last: sums, newest_first: rows.slice(0, max) }, rateLimit }
  },
})
