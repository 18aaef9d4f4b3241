import type { Database } from '@brickmark/core/db/database'
import { addMonth, addRetailers, addRetailState, addSet, addValue } from '@brickmark/tests/support/fixtures'

const DAY_MS = 86_400_000

/** The date `days` days ago, as YYYY-MM-DD. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}

/** The time `hours` hours ago, as an ISO timestamp. */
export function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString()
}

/** The first day of the month `back` months ago. */
function monthsAgo(back: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 10)
}

/**
 * Seeds a synthetic market: sets with rising, falling, thin and missing values or without a retailer; 40 finalized
 * months including a thin one and a retirement; prices at two retailers with history; minifigs.
 */
export async function seedMarket(db: Database): Promise<void> {
  await addSet(db, {
    set_number: '90001-1',
    title: 'Tidewater Lighthouse',
    subtheme: 'Coast',
    pieces: 1812,
    msrp_cents: 7999,
    release_date: '2022-03-01',
    retire_date: daysAgo(200),
    asin: 'B0ABCD1234',
    upc: '673419000017',
    ean: '5702019000013',
  })
  await addSet(db, {
    set_number: '90002-1',
    title: 'Copper Canyon Crossing',
    theme: 'Frontier',
    asin: 'B0ABCD5678',
    upc: '036000291452',
    msrp_cents: 4999,
    release_date: '2024-06-01',
  })
  await addSet(db, { set_number: '90003-1', title: 'Unvalued Ferry' })
  await addSet(db, { set_number: '90004-1', title: 'Café at the Corner', theme: 'Town' })
  for (const variant of [1, 2]) await addSet(db, { set_number: `90010-${variant}`, title: `Mystery Figure ${variant}` })
  await addValue(db, {
    set_number: '90001-1',
    value_cents: 11240,
    range_low_cents: 9620,
    range_high_cents: 13150,
    effective_sales: 16,
    sellers: 9,
    last_sold_on: daysAgo(4),
  })
  await addValue(db, {
    set_number: '90001-1',
    condition: 'used',
    value_cents: 7110,
    range_low_cents: 5200,
    data_tier: 'thin',
  })
  await addValue(db, { set_number: '90002-1', value_cents: 4005, range_low_cents: 3000, range_high_cents: 5200 })
  await addValue(db, {
    set_number: '90004-1',
    value_cents: 20000,
    range_low_cents: 10000,
    range_high_cents: 30000,
    data_tier: 'modelled',
  })
  for (let back = 40; back >= 1; back--) {
    const thin = back === 7
    const value = 60 + (40 - back) * 1.25
    await addMonth(db, {
      set_number: '90001-1',
      month: monthsAgo(back),
      value_cents: Math.round(value * 100),
      range_low_cents: Math.round(value * 86),
      range_high_cents: Math.round(value * 117),
      sales_count: thin ? null : 5 + (back % 9),
      event: back === 6 ? 'retired' : null,
    })
    await addMonth(db, {
      set_number: '90001-1',
      condition: 'used',
      month: monthsAgo(back),
      value_cents: Math.round(value * 62),
    })
    await addMonth(db, {
      set_number: '90002-1',
      month: monthsAgo(back),
      value_cents: 6200 - (40 - back) * 50,
    })
  }
  await addRetailers(db)
  await seedRetailPrices(db)
  await db
    .insertInto('catalog.minifig')
    .values([
      {
        minifig_number: 'hbr001',
        name: 'Lighthouse Keeper',
        category: 'Harbor',
        color: 'Dark Blue',
        year_released: 2022,
      },
      { minifig_number: 'hbr002', name: 'Fishmonger', category: 'Harbor' },
    ])
    .execute()
  await db
    .insertInto('market.minifig_value')
    .values({
      minifig_number: 'hbr001',
      value_cents: 680,
      range_low_cents: 510,
      range_high_cents: 905,
      data_tier: 'market',
      calculated_at: '2026-06-27T03:10:00Z',
    })
    .execute()
  await db
    .insertInto('catalog.set_minifig')
    .values([
      { set_number: '90001-1', minifig_number: 'hbr001', quantity: 2 },
      { set_number: '90001-1', minifig_number: 'hbr002', quantity: 1 },
      { set_number: '90004-1', minifig_number: 'hbr001', quantity: 1 },
    ])
    .execute()
}

async function seedRetailPrices(db: Database): Promise<void> {
  const checked = { last_checked_at: new Date().toISOString() }
  await addRetailState(db, {
    ...checked,
    set_number: '90001-1',
    price_cents: 9450,
    list_price_cents: 7999,
    seller_type: 'third_party',
    changed_at: hoursAgo(1),
    last_change_cents: 1451,
    flip_1p_to_3p: true,
    lowest_cents: 6399,
  })
  await addRetailState(db, {
    ...checked,
    set_number: '90001-1',
    retailer: 'retailer_b',
    price_cents: null,
    seller_type: null,
    in_stock: false,
    changed_at: hoursAgo(24 * 40),
    last_change_cents: -500,
    lowest_cents: 5999,
    product_url: 'https://retailer-b.example/ip/1',
  })
  await addRetailState(db, {
    ...checked,
    set_number: '90002-1',
    price_cents: 2999,
    list_price_cents: 4999,
    changed_at: hoursAgo(30),
    last_change_cents: -750,
    at_lowest: true,
    lowest_cents: 2999,
  })
  await db
    .insertInto('market.resale_offer')
    .values({
      set_number: '90001-1',
      lowest_fba_cents: 9450,
      fba_sellers: 7,
      buy_box_cents: 9600,
      net_fba_cents: 7136,
    })
    .execute()
  const retailDay = (retailer: string, ago: number, price_cents: number | null, seller_type: string | null) => ({
    set_number: '90001-1',
    retailer,
    day: daysAgo(ago),
    price_cents,
    seller_type,
  })
  await db
    .insertInto('market.retail_day')
    .values([
      retailDay('retailer_a', 500, 7999, 'retailer'),
      retailDay('retailer_a', 300, 6399, 'retailer'),
      retailDay('retailer_a', 280, 7999, 'retailer'),
      retailDay('retailer_a', 190, 9990, 'third_party'),
      retailDay('retailer_a', 0, 9450, 'third_party'),
      retailDay('retailer_b', 120, 6499, 'retailer'),
      retailDay('retailer_b', 40, 5999, 'retailer'),
      retailDay('retailer_b', 10, null, null),
      { ...retailDay('retailer_a', 250, 4999, 'retailer'), set_number: '90002-1' },
      { ...retailDay('retailer_a', 1, 2999, 'retailer'), set_number: '90002-1' },
    ])
    .execute()
}
