import { z } from 'zod'
import type { Schemas } from '../brickmark.ts'
import { collectList } from '../collect-list.ts'
import { defineTool } from './tool.ts'

const MAX_ITEMS = 20
const SetNumber = z.string().describe('Set number, e.g. 90000-1. The -1 suffix is optional.')

export const search = defineTool({
  name: 'search',
  title: 'Search sets and minifigs',
  description:
    "Search sets or minifigs by number or name. Doesn't return values; use get_items for those. Costs 1 credit.",
  input: z.strictObject({
    query: z.string().min(2).describe('Name or number.'),
    kind: z.enum(['sets', 'minifigs']).default('sets'),
    max: z.int().min(1).max(MAX_ITEMS).default(10),
  }),
  async run(brickmark, { query, kind, max }) {
    const { rows, total, rateLimit } =
      kind === 'sets'
        ? await collectList<Found>(brickmark.searchSets(query), max)
        : await collectList<Found>(brickmark.searchMinifigs(query), max)
    return { result: { matches: total, results: rows.map(summarizeResult) }, rateLimit }
  },
})

type Found = Schemas['SetSearchResult'] | Schemas['MinifigSearchResult']

function summarizeResult(found: Found): object {
  if ('minifig_number' in found) {
    const { minifig_number, name, category, year_released } = found
    return { minifig_number, name, category, year_released }
  }
  const { set_number, title, theme, pieces, year, retired } = found
  return { set_number, title, theme, pieces, year, retired }
}

export const getItems = defineTool({
  name: 'get_items',
  title: 'Get sets and minifigs',
  description: `Details and estimated USD values for up to ${MAX_ITEMS} sets and minifigs. Costs 1 credit each. To value the user's own collection, use my_portfolio instead; it is much cheaper.`,
  input: z
    .strictObject({
      sets: z.array(SetNumber).default([]),
      minifigs: z.array(z.string().describe('Minifig number, e.g. hbr001.')).default([]),
    })
    .refine(({ sets, minifigs }) => sets.length + minifigs.length > 0, 'Pass at least one set or minifig.')
    .refine(({ sets, minifigs }) => sets.length + minifigs.length <= MAX_ITEMS, `Pass at most ${MAX_ITEMS} items.`),
  async run(brickmark, items) {
    const { data, meta } = await brickmark.getBatch(items)
    return {
      result: { sets: data.sets.map(summarizeSet), minifigs: data.minifigs.map(summarizeMinifig) },
      rateLimit: meta.rateLimit,
    }
  },
})

function summarizeSet(set: Schemas['BatchData']['sets'][number]): object {
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

function summarizeMinifig(minifig: Schemas['BatchData']['minifigs'][number]): object {
  if (!minifig.found) return minifig
  const { minifig_number, name, category, year_released, current_value_usd, value_range, sets } = minifig
  return { minifig_number, name, category, year_released, current_value_usd, value_range, sets: sets.slice(0, 10) }
}

export const valueHistory = defineTool({
  name: 'value_history',
  title: 'Value history',
  description: 'Monthly estimated USD value of a set. Costs 1 credit.',
  input: z.strictObject({
    set: SetNumber,
    condition: z.enum(['sealed', 'used']).default('sealed'),
    months: z.int().min(1).max(120).default(24),
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

export const retailPrice = defineTool({
  name: 'retail_price',
  title: 'Retail prices',
  description: 'Live prices for a set at two retailers, with the latest change and all-time low. Costs 1 credit.',
  input: z
    .strictObject({
      set: SetNumber.optional(),
      asin: z.string().optional().describe('ASIN.'),
      upc: z.string().optional().describe('UPC or EAN.'),
    })
    .refine((input) => Object.values(input).some(Boolean), 'Pass set, asin or upc.'),
  async run(brickmark, input) {
    const { data, meta } = await brickmark.findRetailPrices(input as Parameters<typeof brickmark.findRetailPrices>[0])
    return { result: { retail: data && summarizeRetail(data) }, rateLimit: meta.rateLimit }
  },
})

/** Omits unknown fields, and returns null for a retailer without any observation of this set. */
export function summarizeRetail({ setNumber, name, paid, ...row }: Schemas['RetailWatchRow']): object {
  const withoutNulls = (block: Schemas['PriceBlock']) =>
    block.price === null && block.inStock === null
      ? null
      : Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null))
  return {
    set_number: setNumber,
    name,
    ...(paid !== undefined && { you_paid_usd: paid }),
    retailer_a: withoutNulls(row.retailer_a),
    retailer_b: withoutNulls(row.retailer_b),
    ...(row.retailer_aExit.netFba !== undefined && { net_resale_at_retailer_a_usd: row.retailer_aExit.netFba }),
  }
}
