/** Examples for the API reference. A test validates each against its schema. */

export const exampleSet = {
  set_number: '90001-1',
  title: 'Tidewater Lighthouse',
  theme: 'Harbor',
  subtheme: 'Coast',
  pieces: 812,
  minifigs_count: 4,
  minifigs: ['hbr001', 'hbr002'],
  barcodes: { upc: '036000291452', ean: '0036000291452' },
  msrp_usd: 89.99,
  release_date: '2023-03-01',
  retire_date: '2024-12-31',
  status_id: 4,
  data_tier: 'market',
  image_url: 'https://images.brickmark.example/sets/90001-1.png',
  new_value_usd: 112.4,
  used_value_usd: 71.1,
  value_range: { low: 96.2, high: 131.5, calculated_at: '2026-06-27T03:10:00.000Z' },
  retailers: [
    {
      retailer: 'retailer_a' as const,
      retailer_name: 'Retailer A',
      current_price: 79.99,
      list_price: 99.99,
      discount_percent: 20,
      in_stock: true,
      is_first_party: true,
      product_url: 'https://retailer-a.example/dp/B0ABCD1234',
      last_checked_at: '2026-06-27T14:05:00.000Z',
    },
  ],
  box: { width_in: 18.9, height_in: 14.9, depth_in: 3.6, weight_lbs: 3.4 },
}

export const exampleMinifig = {
  minifig_number: 'hbr001',
  name: 'Lighthouse Keeper',
  category: 'Harbor',
  color: 'Dark Blue',
  year_released: 2023,
  image_url: 'https://images.brickmark.example/minifigs/hbr001.png',
  current_value_usd: 6.8,
  value_range: { low: 5.1, high: 9.05 },
  set_count: 1,
  sets: ['90001-1'],
}

export const exampleSetSearchResult = {
  set_number: '90001-1',
  title: 'Tidewater Lighthouse',
  theme: 'Harbor',
  subtheme: 'Coast',
  pieces: 812,
  year: 2023,
  retired: true,
  image_url: 'https://images.brickmark.example/sets/90001-1.png',
}

export const exampleMinifigSearchResult = {
  minifig_number: 'hbr001',
  name: 'Lighthouse Keeper',
  category: 'Harbor',
  year_released: 2023,
  image_url: 'https://images.brickmark.example/minifigs/hbr001.png',
}

export const exampleHistoryPoint = {
  month: '2026-05',
  value_usd: 110.25,
  range_low: 95.4,
  range_high: 127.3,
  sales_count: 14,
  event: null,
}

export const exampleRetailRow = {
  setNumber: '90001-1',
  name: 'Tidewater Lighthouse',
  asin: 'B0ABCD1234',
  upc: '036000291452',
  ean: '0036000291452',
  paid: 64.5,
  retailer_a: {
    price: 79.99,
    sellerType: 'retailer',
    changedAt: '2026-06-27T09:30:00.000Z',
    lastChange: -5,
    flip1pTo3p: false,
    atLowest: true,
    lowest: 79.99,
    inStock: true,
  },
  retailer_b: {
    price: null,
    sellerType: null,
    changedAt: null,
    lastChange: null,
    flip1pTo3p: false,
    atLowest: false,
    lowest: null,
    inStock: null,
  },
  retailer_aExit: { lowestFba: 94.5, fbaSellers: 7, buyBox: 96, netFba: 71.36 },
}

export const exampleBrickfolio = {
  id: 7,
  name: 'Sealed stock',
  description: 'Shelf A to F',
  is_default: true,
  owned_set_count: 41,
  owned_item_count: 96,
  total_cost_basis_usd: 5210.4,
  total_current_value_usd: 7944.15,
  unrealized_gain_loss_usd: 2733.75,
  created_at: '2024-01-10T18:20:11.000Z',
}

export const exampleAnalytics = {
  period: '1y' as const,
  summary: {
    total_sets: 41,
    total_items: 96,
    total_cost_basis_usd: 5210.4,
    total_current_value_usd: 7944.15,
    unrealized_gain_loss_usd: 2733.75,
    unrealized_gain_loss_pct: 52.47,
    top_gainer: { set_number: '90001-1', title: 'Tidewater Lighthouse', gain_pct: 74.26 },
    top_loser: null,
  },
  value_history: [
    {
      date: '2026-06-27',
      total_value_usd: 7944.15,
      cost_basis_usd: 5210.4,
      gain_loss_usd: 2733.75,
      gain_loss_pct: 52.47,
    },
  ],
}

export const exampleHolding = {
  brickfolio_id: 7,
  set_number: '90001-1',
  title: 'Tidewater Lighthouse',
  theme: 'Harbor',
  quantity: 2,
  condition: 'sealed' as const,
  purchase_price_usd: 64.5,
  purchase_date: '2024-01-14',
  status: 'owned',
  current_value_usd: 112.4,
  total_current_value_usd: 224.8,
  unrealized_gain_loss_usd: 95.8,
  unrealized_gain_loss_pct: 74.26,
}

export const exampleSale = {
  id: 311,
  set_number: '90001-1',
  title: 'Tidewater Lighthouse',
  platform: 'ebay',
  sale_date: '2026-05-18',
  quantity: 1,
  gross_proceeds_usd: 129.99,
  platform_fees_usd: 17.22,
  payment_fees_usd: 0.4,
  shipping_cost_usd: 12.1,
  net_proceeds_usd: 100.27,
  profit_loss_usd: 35.77,
  roi_pct: 55.46,
}
