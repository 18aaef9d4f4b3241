import { z } from 'zod'
import type { Schemas } from '../brickmark.ts'
import { summarizeRetail } from './catalog-tools.ts'
import { collectList } from '../collect-list.ts'
import { defineTool } from './tool.ts'

/** 10 credits' worth. The result says how many lots there are and how many were scanned. */
const MAX_LOTS = 2500
const MAX_SALES = 250
const Max = z.int().min(1).max(50).default(20)

export const myPortfolio = defineTool({
  name: 'my_portfolio',
  title: 'My portfolio',
  description:
    "The user's collections with totals, and their top lots by value, gain or loss. Costs 1 credit plus 1 per 250 lots.",
  input: z.strictObject({
    brickfolio_id: z.int().min(1).optional().describe('Limit to one collection.'),
    order: z.enum(['value', 'gain', 'loss']).default('value').describe('Sort order.'),
    max: Max,
  }),
  async run(brickmark, { brickfolio_id, order, max }) {
    const { data } = await brickmark.listBrickfolios()
    const entries = brickmark.listEntries(brickfolio_id === undefined ? {} : { brickfolio_id })
    const { rows, total, rateLimit } = await collectList(entries, MAX_LOTS)
    const amount = (holding: Schemas['Holding']) =>
      order === 'value' ? holding.total_current_value_usd : holding.unrealized_gain_loss_usd
    const ascending = rows.filter((row) => amount(row) !== null).toSorted((a, b) => amount(a)! - amount(b)!)
    const lots = (order === 'loss' ? ascending : ascending.toReversed()).slice(0, max)
    const collections = data.brickfolios.map(summarizeCollection)
    return { result: { collections, total_lots: total, lots_scanned: rows.length, lots }, rateLimit }
  },
})

function summarizeCollection(brickfolio: Schemas['BrickfolioSummary']): object {
  const { id, name, owned_set_count, total_cost_basis_usd, total_current_value_usd, unrealized_gain_loss_usd } =
    brickfolio
  return { id, name, owned_set_count, total_cost_basis_usd, total_current_value_usd, unrealized_gain_loss_usd }
}

export const myWatch = defineTool({
  name: 'my_watch',
  title: 'My watchlist',
  description: 'Recent retailer price changes for sets the user owns, with what they paid. Costs 1 credit.',
  input: z.strictObject({
    changed_within: z
      .string()
      .regex(/^\d+[mhd]$/, 'must be a number followed by m, h or d, e.g. 24h')
      .default('7d')
      .describe('Time window, e.g. 30m, 24h or 7d.'),
    max: Max,
  }),
  async run(brickmark, { changed_within, max }) {
    const { rows, total, rateLimit } = await collectList(brickmark.watchRetailPrices({ changed_within }), Infinity)
    const lastChangedAt = (row: Schemas['RetailWatchRow']) =>
      Math.max(...[row.retailer_a, row.retailer_b].map(({ changedAt }) => Date.parse(changedAt ?? '1970-01-01')))
    const changed = rows.toSorted((a, b) => lastChangedAt(b) - lastChangedAt(a)).slice(0, max)
    return { result: { total_changed: total, changes: changed.map(summarizeRetail) }, rateLimit }
  },
})

export const mySales = defineTool({
  name: 'my_sales',
  title: 'My sales',
  description: `The user's recent sales with fees, net proceeds and profit, plus totals for the last ${MAX_SALES}. Costs 1 credit.`,
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
    return { result: { total_sales: total, recent_totals: sums, sales: rows.slice(0, max) }, rateLimit }
  },
})
