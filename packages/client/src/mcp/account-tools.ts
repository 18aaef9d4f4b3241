import { z } from 'zod'
import type { Schemas } from '../brickmark.ts'
import { RetailPrices, summarizeRetail } from './catalog-tools.ts'
import { collectList } from '../collect-list.ts'
import { defineTool, Usd } from './tool.ts'

/** 10 credits' worth. The result says how many lots there are and how many were scanned. */
const MAX_LOTS = 2500
const MAX_SALES = 250
const Max = z.int().min(1).max(50).default(20)

const Collection = z.object({
  id: z.int(),
  name: z.string(),
  owned_set_count: z.int(),
  total_cost_basis_usd: z.number(),
  total_current_value_usd: z.number(),
  unrealized_gain_loss_usd: z.number(),
})
const Lot = z.object({
  brickfolio_id: z.int(),
  set_number: z.string(),
  title: z.string(),
  theme: z.string(),
  quantity: z.int(),
  condition: z.string(),
  purchase_price_usd: z.number().optional(),
  purchase_date: z.string().optional(),
  status: z.string(),
  current_value_usd: Usd,
  total_current_value_usd: Usd,
  unrealized_gain_loss_usd: Usd,
  unrealized_gain_loss_pct: Usd,
})

export const getMyPortfolio = defineTool({
  name: 'brickmark_get_my_portfolio',
  title: 'My portfolio',
  description:
    "The user's collections with totals, and their top lots by value, gain or loss. Costs 1 credit plus 1 per 250 lots.",
  input: z.strictObject({
    brickfolio_id: z.int().min(1).optional().describe('Limit to one collection.'),
    order: z.enum(['value', 'gain', 'loss']).default('value').describe('Sort order.'),
    max: Max,
  }),
  output: z.object({
    collections: z.array(Collection),
    total_lots: z.int(),
    lots_scanned: z.int().describe(`At most ${MAX_LOTS}; the lots below are the top ones of these.`),
    lots: z.array(Lot),
  }),
  async run(brickmark, { brickfolio_id, order, max }) {
    const { data } = await brickmark.listBrickfolios()
    const entries = brickmark.listEntries(brickfolio_id === undefined ? {} : { brickfolio_id })
    const { rows, total, rateLimit } = await collectList(entries, MAX_LOTS)
    const amount = (holding: Schemas['Holding']) =>
      order === 'value' ? holding.total_current_value_usd : holding.unrealized_gain_loss_usd
    const ascending = rows.filter((row) => amount(row) !== null).toSorted((a, b) => amount(a)! - amount(b)!)
    const lots = (order === 'loss' ? ascending : ascending.toReversed()).slice(0, max)
    const collections = data.brickfolios.map((brickfolio) => Collection.parse(brickfolio))
    return { result: { collections, total_lots: total, lots_scanned: rows.length, lots }, rateLimit }
  },
})

const Mover = z.object({ set_number: z.string().nullable(), title: z.string().nullable() })
/** A year has a point a day; a trend is clear from far fewer, and costs the assistant less context. */
const MAX_POINTS = 14

export const getMyPerformance = defineTool({
  name: 'brickmark_get_my_performance',
  title: 'My performance',
  description:
    "The value of the user's whole collection over time against its cost, and its best and worst set. Costs 1 credit.",
  input: z.strictObject({ period: z.enum(['30d', '90d', '1y']).default('1y').describe('How far back to look.') }),
  output: z.object({
    total_sets: z.int(),
    total_items: z.int(),
    total_cost_basis_usd: z.number(),
    total_current_value_usd: z.number(),
    unrealized_gain_loss_usd: z.number(),
    unrealized_gain_loss_pct: Usd,
    top_gainer: Mover.extend({ gain_pct: z.number().nullable() }).nullable(),
    top_loser: Mover.extend({ loss_pct: z.number().nullable() }).nullable(),
    value_history: z
      .array(z.object({ date: z.string(), total_value_usd: z.number(), cost_basis_usd: z.number() }))
      .describe(`Oldest first, at most ${MAX_POINTS} points; the last is the current value.`),
  }),
  async run(brickmark, { period }) {
    const { data, meta } = await brickmark.getAnalytics({ period })
    const { value_history: points, summary } = data
    const step = Math.max(1, Math.ceil((points.length - 1) / (MAX_POINTS - 1)))
    const value_history = points
      .filter((_, index) => (points.length - 1 - index) % step === 0)
      .map(({ date, total_value_usd, cost_basis_usd }) => ({ date, total_value_usd, cost_basis_usd }))
    return { result: { ...summary, value_history }, rateLimit: meta.rateLimit }
  },
})

export const getMyPriceChanges = defineTool({
  name: 'brickmark_get_my_price_changes',
  title: 'My price changes',
  description: 'Recent retailer price changes for sets the user owns, with what they paid. Costs 1 credit.',
  input: z.strictObject({
    changed_within: z
      .string()
      .regex(/^\d+[mhd]$/, 'must be a number followed by m, h or d, e.g. 24h')
      .default('7d')
      .describe('Time window, e.g. 30m, 24h or 7d.'),
    max: Max,
  }),
  output: z.object({ total_changed: z.int(), changes: z.array(RetailPrices) }),
  async run(brickmark, { changed_within, max }) {
    const { rows, total, rateLimit } = await collectList(brickmark.watchRetailPrices({ changed_within }), Infinity)
    const lastChangedAt = (row: Schemas['RetailWatchRow']) =>
      Math.max(...[row.retailer_a, row.retailer_b].map(({ changedAt }) => Date.parse(changedAt ?? '1970-01-01')))
    const changed = rows.toSorted((a, b) => lastChangedAt(b) - lastChangedAt(a)).slice(0, max)
    return { result: { total_changed: total, changes: changed.map(summarizeRetail) }, rateLimit }
  },
})

const Sale = z.object({
  id: z.int(),
  set_number: z.string(),
  title: z.string(),
  platform: z.string(),
  sale_date: z.string(),
  quantity: z.int(),
  gross_proceeds_usd: z.number(),
  platform_fees_usd: z.number(),
  payment_fees_usd: z.number(),
  shipping_cost_usd: z.number(),
  net_proceeds_usd: z.number(),
  profit_loss_usd: Usd,
  roi_pct: z.number().nullable(),
})

export const getMySales = defineTool({
  name: 'brickmark_get_my_sales',
  title: 'My sales',
  description: `The user's recent sales with fees, net proceeds and profit, plus totals for the last ${MAX_SALES}; with dates, those of that time. Costs 1 credit.`,
  input: z.strictObject({
    from: z.iso.date().optional().describe('First day, e.g. 2026-01-01.'),
    to: z.iso.date().optional().describe('Last day.'),
    max: Max,
  }),
  output: z.object({
    total_sales: z.int(),
    recent_totals: z.object({ sales: z.int(), gross_usd: z.number(), net_usd: z.number(), profit_usd: z.number() }),
    sales: z.array(Sale),
  }),
  async run(brickmark, { max, from, to }) {
    const days = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    const list = Object.keys(days).length > 0 ? brickmark.findSales(days) : brickmark.listSales()
    const { rows, total, rateLimit } = await collectList(list, MAX_SALES)
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

const Alert = z.object({
  created_at: z.string(),
  kind: z.string(),
  item: z.enum(['set', 'minifig']),
  number: z.string(),
  title: z.string(),
  retailer: z.string().nullable(),
  reason: z.string(),
  read: z.boolean(),
})

export const getMyAlerts = defineTool({
  name: 'brickmark_get_my_alerts',
  title: 'My alerts',
  description:
    "The user's latest alerts about prices, values and retirements, with the reason of each. Costs 1 credit.",
  input: z.strictObject({ max: Max }),
  output: z.object({ total_alerts: z.int().describe('Of the last 90 days.'), alerts: z.array(Alert) }),
  async run(brickmark, { max }) {
    const { rows, total, rateLimit } = await collectList(brickmark.listAlerts(), max)
    return { result: { total_alerts: total, alerts: rows.map((alert) => Alert.parse(alert)) }, rateLimit }
  },
})
