import { z } from 'zod'
import type { SetRecord } from '@brickmark/core/market/values/set-record'
import { CHANGED_WITHIN_PATTERN, splitIdentifiers, createWatchFilter } from '@brickmark/core/portfolio/retail-watch'
import { parseInstant } from '@brickmark/core/primitives/instant'
import { createNumberSorter } from '@brickmark/core/catalog/set-number'
import { defineEndpoint } from '../endpoint.ts'
import { findAverageCosts } from '@brickmark/core/portfolio/held-lot-queries'
import { exampleRetailRow } from '../schemas/examples.ts'
import { EmptyParams, stringParam } from '../schemas/parameters.ts'
import { RetailWatchRowSchema, retailRowJson } from '../schemas/retail-price.ts'
import { joinChunks, PreserializedJson } from '../schemas/preserialized-json.ts'

const identifierListParam = (description: string, example: string) =>
  stringParam(description, 4000)
    .transform(splitIdentifiers)
    .meta({ openapi: { type: 'string', minLength: 1, maxLength: 4000, description, example } })

const SINCE_SCHEMA = {
  type: 'string',
  format: 'date-time',
  description: 'Only sets whose price changed at or after this time (RFC 3339).',
  example: '2026-06-27T00:00:00Z',
} as const

const Query = z.strictObject({
  changed_within: stringParam('Only sets whose price changed within this window, e.g. `30m`, `3h` or `7d`.', 16_384)
    .regex(CHANGED_WITHIN_PATTERN, 'must be a number followed by `m`, `h` or `d`, e.g. `24h`')
    .meta({ example: '24h' })
    .optional(),
  since: stringParam('Only sets whose price changed at or after this time.', 64)
    .transform((text, context) => {
      const instant = parseInstant(text)
      if (instant !== undefined) return instant
      context.addIssue({
        code: 'custom',
        message: 'must be an ISO 8601 timestamp with a time zone, e.g. `2026-06-27T00:00:00Z`',
      })
      return z.NEVER
    })
    .meta({ openapi: SINCE_SCHEMA })
    .optional(),
  asin: identifierListParam('Comma-separated ASINs (products at retailer_a).', 'B0ABCD1234,B0ABCD5678').optional(),
  upc: identifierListParam('Comma-separated UPC or EAN codes.', '036000291452').optional(),
})

/** GET /brickfolio/retail-watch: the sets the caller holds, with the average cost and current retail prices. */
export const brickfolioRetailWatch = defineEndpoint({
  method: 'GET',
  path: '/brickfolio/retail-watch',
  operationId: 'watchRetailPrices',
  tag: 'Portfolio',
  readsAccountData: true,
  summary: 'List retail prices for your sets',
  description:
    'Returns one row per set you own that is tracked at a retailer, ordered by set number. Filters are combined with AND. If you pass both `changed_within` and `since`, the later cutoff applies.',
  cost: 1,
  params: EmptyParams,
  query: Query,
  data: z.array(RetailWatchRowSchema),
  example: [exampleRetailRow],
  async handle({ catalog, db }, { query, accountId, now }) {
    const paid = await findAverageCosts(db, accountId)
    const matchesFilter = createWatchFilter(
      {
        changedWithin: query.changed_within,
        since: query.since,
        asins: query.asin,
        upcs: query.upc,
      },
      now,
    )
    const costs = new Map<SetRecord, number | null>()
    for (const [number, cost] of paid) {
      const set = catalog.set(number)
      if (set && matchesFilter(set)) costs.set(set, cost)
    }
    const rows = byNumber(costs.keys()).map((set) => retailRowJson(set, costs.get(set) ?? null, now))
    return new PreserializedJson('[', ...joinChunks(rows.filter((row) => row !== undefined)), ']')
  },
})

const byNumber = createNumberSorter((set: SetRecord) => set.set_number)
