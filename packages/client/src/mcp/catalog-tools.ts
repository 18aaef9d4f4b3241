import { z } from 'zod'
import type { Schemas } from '../brickmark.ts'
import { collectList } from '../collect-list.ts'
import { defineTool, Usd } from './tool.ts'

const MAX_ITEMS = 20
const SetNumber = z.string().describe('Set number, e.g. 90000-1. The -1 suffix is optional.')

const SetResult = z.object({
  set_number: z.string(),
  title: z.string(),
  theme: z.string(),
  pieces: z.int().nullable(),
  year: z.int().nullable(),
  retired: z.boolean(),
})
const MinifigResult = z.object({
  minifig_number: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  year_released: z.int().nullable(),
})

/** Values of `status_id`, from 1. */
const STATUSES = ['upcoming', 'available', 'retiring_soon', 'retired', 'unknown'] as const

export const search = defineTool({
  name: 'brickmark_search',
  title: 'Search sets and minifigs',
  description:
    "Search sets or minifigs by number or name, or list sets by theme, year and status. Doesn't return values; use brickmark_get_items for those. Costs 1 credit.",
  input: z
    .strictObject({
      query: z.string().min(2).optional().describe('Name or number. Required for minifigs.'),
      kind: z.enum(['sets', 'minifigs']).default('sets'),
      theme: z.string().optional().describe('Only sets of this theme.'),
      year_from: z.int().min(1900).max(2100).optional(),
      year_to: z.int().min(1900).max(2100).optional(),
      status: z.enum(STATUSES).optional(),
      max: z.int().min(1).max(MAX_ITEMS).default(10),
    })
    .refine(({ query, kind, ...input }) => query !== undefined || (kind === 'sets' && hasFilter(input)), {
      message: 'Pass a query, or for sets a theme, year or status.',
    })
    .refine(({ kind, ...input }) => kind === 'sets' || !hasFilter(input), {
      message: 'Theme, year and status are of sets.',
    }),
  output: z.object({
    matches: z.int().describe('How many there are; `results` has the first of them.'),
    results: z.array(z.union([SetResult, MinifigResult])),
  }),
  async run(brickmark, { query: q = '', kind, max, ...filter }) {
    if (kind === 'sets') {
      const { theme, year_from, year_to, status } = filter
      const list = hasFilter(filter)
        ? brickmark.listSets({
            ...(q !== '' && { q }),
            ...(theme !== undefined && { theme }),
            ...(year_from !== undefined && { year_from }),
            ...(year_to !== undefined && { year_to }),
            ...(status !== undefined && { status_id: STATUSES.indexOf(status) + 1 }),
          })
        : brickmark.searchSets(q)
      const { rows, total, rateLimit } = await collectList(list, max)
      return { result: { matches: total, results: rows.map((row) => SetResult.parse(row)) }, rateLimit }
    }
    const { rows, total, rateLimit } = await collectList(brickmark.searchMinifigs(q), max)
    return { result: { matches: total, results: rows.map((row) => MinifigResult.parse(row)) }, rateLimit }
  },
})

type Filter = {
  theme?: string | undefined
  year_from?: number | undefined
  year_to?: number | undefined
  status?: string | undefined
}

/** Whether sets are asked for by more than words, which only servers with extensions can do. */
function hasFilter({ theme, year_from, year_to, status }: Filter): boolean {
  return [theme, year_from, year_to, status].some((one) => one !== undefined)
}

const Range = z.object({ low: Usd, high: Usd })
const SetItem = z.object({
  set_number: z.string(),
  title: z.string(),
  theme: z.string(),
  pieces: z.int().nullable(),
  msrp_usd: Usd,
  release_date: z.string().nullable(),
  retire_date: z.string().nullable(),
  sealed_value_usd: Usd,
  used_value_usd: Usd,
  sealed_value_range_80pct: Range,
  data_tier: z.string().describe('Confidence: market, thin, modelled or none.'),
  as_of: z.string().nullable(),
  retailers: z.array(
    z.object({ retailer_name: z.string(), current_price: Usd, in_stock: z.boolean(), as_of: z.string() }),
  ),
})
const MinifigItem = MinifigResult.extend({
  current_value_usd: Usd,
  value_range: Range,
  sets: z.array(z.string()).describe('The first ten sets that contain it.'),
})
const Missing = z.object({ found: z.literal(false) })

export const getItems = defineTool({
  name: 'brickmark_get_items',
  title: 'Get sets and minifigs',
  description: `Details and estimated USD values for up to ${MAX_ITEMS} sets and minifigs. Costs 1 credit each. To value the user's own collection, use brickmark_get_my_portfolio instead; it is much cheaper.`,
  input: z
    .strictObject({
      sets: z.array(SetNumber).default([]),
      minifigs: z.array(z.string().describe('Minifig number, e.g. hbr001.')).default([]),
    })
    .refine(({ sets, minifigs }) => sets.length + minifigs.length > 0, 'Pass at least one set or minifig.')
    .refine(({ sets, minifigs }) => sets.length + minifigs.length <= MAX_ITEMS, `Pass at most ${MAX_ITEMS} items.`),
  output: z.object({
    sets: z.array(z.union([SetItem, Missing.extend({ set_number: z.string() })])),
    minifigs: z.array(z.union([MinifigItem, Missing.extend({ minifig_number: z.string() })])),
  }),
  async run(brickmark, items) {
    const { data, meta } = await brickmark.getBatch(items)
    return {
      result: { sets: data.sets.map(summarizeSet), minifigs: data.minifigs.map(summarizeMinifig) },
      rateLimit: meta.rateLimit,
    }
  },
})

function summarizeSet(set: Schemas['BatchData']['sets'][number]) {
  if (!set.found) return set
  const { calculated_at: as_of, ...range } = set.value_range
  return {
    set_number: set.set_number,
    title: set.title,
    theme: set.theme,
    pieces: set.pieces,
    msrp_usd: set.msrp_usd,
    release_date: set.release_date,
    retire_date: set.retire_date,
    sealed_value_usd: set.new_value_usd,
    used_value_usd: set.used_value_usd,
    sealed_value_range_80pct: range,
    data_tier: set.data_tier,
    as_of,
    retailers: set.retailers.map(({ retailer_name, current_price, in_stock, last_checked_at }) => ({
      retailer_name,
      current_price,
      in_stock,
      as_of: last_checked_at,
    })),
  }
}

function summarizeMinifig(minifig: Schemas['BatchData']['minifigs'][number]) {
  if (!minifig.found) return minifig
  const { minifig_number, name, category, year_released, current_value_usd, value_range, sets } = minifig
  return { minifig_number, name, category, year_released, current_value_usd, value_range, sets: sets.slice(0, 10) }
}

export const getValueHistory = defineTool({
  name: 'brickmark_get_value_history',
  title: 'Value history',
  description: 'Monthly estimated USD value of a set. Costs 1 credit.',
  input: z.strictObject({
    set: SetNumber,
    condition: z.enum(['sealed', 'used']).default('sealed'),
    months: z.int().min(1).max(120).default(24),
  }),
  output: z.object({
    set_number: z.string(),
    condition: z.enum(['sealed', 'used']),
    history: z.array(
      z.object({
        month: z.string(),
        value_usd: Usd,
        range: z.array(Usd).optional().describe('Low and high end of the 80% range; missing in months with few sales.'),
        event: z.string().optional(),
      }),
    ),
  }),
  async run(brickmark, { set, condition, months }) {
    const { data, meta } = await brickmark.getSetHistory(set, { condition })
    const history = data.history.slice(-months).map(({ month, value_usd, range_low, range_high, event }) => ({
      month,
      value_usd,
      ...(range_low !== null && { range: [range_low, range_high] }),
      ...(event !== null && { event }),
    }))
    return { result: { set_number: data.set_number, condition, history }, rateLimit: meta.rateLimit }
  },
})

/** Unknown fields are left out. */
const RetailerPrice = z
  .object({
    price: z.number().optional(),
    sellerType: z.string().optional(),
    changedAt: z.string().optional(),
    lastChange: z.number().optional(),
    flip1pTo3p: z.boolean(),
    atLowest: z.boolean(),
    lowest: z.number().optional(),
    inStock: z.boolean().optional(),
  })
  .nullable()
export const RetailPrices = z.object({
  set_number: z.string(),
  name: z.string(),
  you_paid_usd: z.number().optional().describe('Average price that the user paid per unit.'),
  retailer_a: RetailerPrice,
  retailer_b: RetailerPrice,
  net_resale_at_retailer_a_usd: z.number().optional().describe('What would be left after fees.'),
})

export const getRetailPrices = defineTool({
  name: 'brickmark_get_retail_prices',
  title: 'Retail prices',
  description:
    'Live prices for a set at two retailers, with the latest change and the lowest price seen. Costs 1 credit.',
  input: z
    .strictObject({
      set: SetNumber.optional(),
      asin: z.string().optional().describe('ASIN.'),
      upc: z.string().optional().describe('UPC or EAN.'),
    })
    .refine((input) => Object.values(input).some(Boolean), 'Pass set, asin or upc.'),
  output: z.object({ retail: RetailPrices.nullable() }),
  async run(brickmark, input) {
    const { data, meta } = await brickmark.findRetailPrices(input as Parameters<typeof brickmark.findRetailPrices>[0])
    return { result: { retail: data && summarizeRetail(data) }, rateLimit: meta.rateLimit }
  },
})

/** Omits unknown fields, and returns null for a retailer without any observation of this set. */
export function summarizeRetail({ setNumber, name, paid, ...row }: Schemas['RetailWatchRow']) {
  return {
    set_number: setNumber,
    name,
    ...(paid !== undefined && { you_paid_usd: paid }),
    retailer_a: withoutNulls(row.retailer_a),
    retailer_b: withoutNulls(row.retailer_b),
    ...(row.retailer_aExit.netFba !== undefined && { net_resale_at_retailer_a_usd: row.retailer_aExit.netFba }),
  }
}

function withoutNulls(block: Schemas['PriceBlock']): z.input<typeof RetailerPrice> {
  if (block.price === null && block.inStock === null) return null
  const known = Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null))
  return RetailerPrice.parse(known)
}
