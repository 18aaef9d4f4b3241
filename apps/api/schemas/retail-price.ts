import { z } from 'zod'
import type { RetailExit, RetailState, SetRecord } from '@brickmark/core/market/values/set-record'
import { usd, usdJson, usdOrNull } from '@brickmark/core/primitives/money'
import { memoizePerDay } from './preserialized-json.ts'
import {
  booleanField,
  timestampField,
  nullableTimestampField,
  numberField,
  nullableNumberField,
  integerField,
  enumField,
  nullableOpenEnumField,
  stringField,
  nullableStringField,
} from './fields.ts'

export const RetailerSummarySchema = z
  .strictObject({
    retailer: enumField(['retailer_a', 'retailer_b'], 'Retailer ID.', 'retailer_a'),
    retailer_name: stringField('Retailer name.', 'Retailer A'),
    current_price: nullableNumberField(
      'Last observed price: the current price unless `in_stock` is false. Null if never observed.',
      79.99,
    ),
    list_price: nullableNumberField(
      "The retailer's list price, or the MSRP if it shows none; null if neither is known.",
      99.99,
    ),
    discount_percent: nullableNumberField('Discount off the list price, in percent; negative if above it.', 20),
    in_stock: booleanField('Whether it is in stock.', true),
    is_first_party: booleanField('Whether it is sold by the retailer (first party).', true),
    product_url: stringField('Product page URL.', 'https://retailer-a.example/dp/B0ABCD1234'),
    last_checked_at: timestampField('When the price was last checked.', '2026-06-27T14:05:00.000Z'),
  })
  .meta({ id: 'RetailerSummary', description: "A retailer's current price for a set." })

const PriceBlockSchema = z
  .strictObject({
    price: nullableNumberField('Current price; null if out of stock or unknown.', 79.99),
    sellerType: nullableOpenEnumField(
      ['retailer', 'third_party'],
      'Who sells it: the retailer itself (first party) or only third parties.',
      'retailer',
    ),
    changedAt: nullableTimestampField('When the price last changed; null if it never has.', '2026-06-27T09:30:00.000Z'),
    lastChange: nullableNumberField('Amount of the last price change.', -5),
    flip1pTo3p: booleanField('Whether the listing switched from first-party to third-party only.', false),
    atLowest: booleanField('Whether `price` equals `lowest`.', true),
    lowest: nullableNumberField('All-time low since tracking began.', 79.99),
    inStock: z.boolean().nullable().meta({ description: 'Whether it is in stock.', example: true }),
  })
  .meta({ id: 'PriceBlock', description: "A set's price and price history summary at one retailer." })

const RetailExitSchema = z
  .strictObject({
    lowestFba: numberField('Lowest FBA offer.', 94.5).optional(),
    fbaSellers: integerField('Number of FBA sellers; 0 if there are none.', 7).optional(),
    buyBox: numberField('Buy box price.', 96).optional(),
    netFba: numberField('Net proceeds after referral and fulfillment fees.', 71.36).optional(),
  })
  .meta({
    id: 'RetailExit',
    description: 'Resale estimate at retailer_a. Unknown fields are omitted.',
  })

export const RetailWatchRowSchema = z
  .strictObject({
    setNumber: stringField('Set number.', '90001-1'),
    name: stringField('Title of the set.', 'Tidewater Lighthouse'),
    asin: stringField('ASIN (product ID at retailer_a). Omitted if unknown.', 'B0ABCD1234').optional(),
    upc: stringField('UPC, 12 digits. Omitted if unknown.', '036000291452').optional(),
    ean: nullableStringField('EAN, 13 digits.', '0036000291452'),
    paid: numberField('Your average purchase price per unit.', 64.5).optional(),
    retailer_a: PriceBlockSchema,
    retailer_b: PriceBlockSchema,
    retailer_aExit: RetailExitSchema,
  })
  .meta({ id: 'RetailWatchRow', description: 'Live prices of one set at both retailers.' })

type PriceBlock = z.output<typeof PriceBlockSchema>

/** Returns the retail row of a set, or null if there is none. `paid` is the caller's average unit cost in cents. */
export function serializeRetailRow(
  set: SetRecord,
  paid: number | null = null,
): z.output<typeof RetailWatchRowSchema> | null {
  const { retailer_a, retailer_b } = set.retail
  if (!retailer_a && !retailer_b) return null
  return {
    setNumber: set.set_number,
    name: set.title,
    ...(set.asin !== null && { asin: set.asin }),
    ...(set.upc !== null && { upc: set.upc }),
    ean: set.ean,
    ...(paid === null ? {} : { paid: usd(paid) }),
    retailer_a: serializePriceBlock(retailer_a),
    retailer_b: serializePriceBlock(retailer_b),
    retailer_aExit: serializeExit(set.exit),
  }
}

const cachedRowJson = memoizePerDay((set: SetRecord) => {
  const text = JSON.stringify(serializeRetailRow(set))
  // Quotes inside a string are escaped, so this can only match the key.
  const index = text.indexOf(',"retailer_a":')
  return { beforePaid: text.slice(0, index), afterPaid: text.slice(index) }
})

/** Returns the same row as JSON chunks. Only `paid` differs between callers; the rest is memoized. */
export function retailRowJson(set: SetRecord, paid: number | null, now: Date): string[] | undefined {
  if (!set.retail.retailer_a && !set.retail.retailer_b) return undefined
  const { beforePaid, afterPaid } = cachedRowJson(set, now)
  return paid === null ? [beforePaid, afterPaid] : [beforePaid, `,"paid":${usdJson(paid)}`, afterPaid]
}

function serializePriceBlock(state: RetailState | undefined): PriceBlock {
  return {
    price: usdOrNull(state?.price ?? null),
    sellerType: state?.seller_type ?? null,
    changedAt: state?.changed_at?.toISOString() ?? null,
    lastChange: usdOrNull(state?.last_change ?? null),
    flip1pTo3p: state?.flip_1p_to_3p ?? false,
    atLowest: state?.at_lowest ?? false,
    lowest: usdOrNull(state?.lowest ?? null),
    inStock: state?.in_stock ?? null,
  }
}

const NO_EXIT: RetailExit = { lowest_fba: null, fba_sellers: null, buy_box: null, net_fba: null }

function serializeExit(exit: RetailExit | undefined): z.output<typeof RetailExitSchema> {
  const { lowest_fba, fba_sellers, buy_box, net_fba } = exit ?? NO_EXIT
  return {
    ...(lowest_fba !== null && { lowestFba: usd(lowest_fba) }),
    ...(fba_sellers !== null && { fbaSellers: fba_sellers }),
    ...(buy_box !== null && { buyBox: usd(buy_box) }),
    ...(net_fba !== null && { netFba: usd(net_fba) }),
  }
}
