import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCollection, addLot } from '@brickmark/tests/support/fixtures'
import { formatInstant, formatUtc } from '../app/ui/format-date.ts'
import { addManySets, createApiKey, formatMoney, formatGain, readTable } from './support/collections.ts'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { hoursAgo, seedMarket } from './support/market.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

type RetailerPrice = {
  price: number | null
  changedAt: string | null
  lastChange: number | null
  inStock: boolean | null
}
type Row = { setNumber: string; name: string; retailer_a: RetailerPrice; retailer_b: RetailerPrice }

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket })
})
afterAll(() => web.stop())

async function fillAccount({ accountId: account_id }: TestUser): Promise<void> {
  const collection_id = await addCollection(web.db, account_id, { name: 'Stock', is_default: true })
  const lot = { account_id, collection_id }
  await addLot(web.db, { ...lot, set_number: '90002-1', quantity: 2, purchase_price_cents: 4999 })
  await addLot(web.db, { ...lot, set_number: '90001-1', quantity: 3, purchase_price_cents: 6450 })
  await addLot(web.db, { ...lot, set_number: '90001-1', condition: 'used', purchase_price_cents: 1000 })
  // No retailer has it, and its purchase price is unknown.
  await addLot(web.db, { ...lot, set_number: '90004-1', purchase_price_cents: null })
}

/** What the page must show of a set's prices, from what the API says of them. */
function shownPrices({ retailer_a, retailer_b }: Row, when: (iso: string) => string) {
  const named = [
    { ...retailer_a, name: 'Retailer A' },
    { ...retailer_b, name: 'Retailer B' },
  ]
  const [cheapest] = named
    .filter(({ price, inStock }) => price !== null && inStock !== false)
    .sort((a, b) => a.price! - b.price!)
  const [latest] = named
    .filter(({ changedAt }) => changedAt !== null)
    .sort((a, b) => b.changedAt!.localeCompare(a.changedAt!))
  return {
    'Price now': `${formatMoney(cheapest!.price)}\n${cheapest!.name}`,
    'Last change': `${formatGain(latest!.lastChange)}\n${when(latest!.changedAt!)}`,
  }
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('shows the prices of the API, what selling would leave, and sums that add up', async () => {
    const user = await web.createUser()
    await fillAccount(user)
    const key = await createApiKey(web, user.accountId)
    const timeZone = 'America/New_York'
    const context = await web.signedInContext(user, { javaScriptEnabled, timezoneId: timeZone })
    const when = (iso: string) => (javaScriptEnabled ? formatInstant(iso, timeZone, new Date()) : formatUtc(iso))
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    const { data } = await web.api.get<Row[]>('/brickfolio/retail-watch', key)
    const [lighthouse, crossing] = ['90001-1', '90002-1'].map((number) =>
      shownPrices(
        data.find(({ setNumber }) => setNumber === number)!,
        when,
      ),
    )
    await page.goto('/watchlist/owned')
    const unknown = '—\nNot available'
    // Times are in UTC until the first page is hydrated.
    await expect
      .poll(() => readTable(page, 'Sets you own'), { timeout: 10_000 })
      .toEqual([
        // Values of 112.40 and 71.10, minus 13.25 %, 0.40, and 16.80 for shipping.
        {
          Set: 'Tidewater Lighthouse\n90001-1 · 3 × $64.50 paid\nThird-party only',
          ...lighthouse,
          'Between lowest and highest': '$59.99\nto\n$99.90',
          'Net if sold now': '$80.31\n▲+$15.81 on paid',
        },
        {
          Set: 'Tidewater Lighthouse\n90001-1 · 1 used × $10.00 paid\nThird-party only',
          ...lighthouse,
          'Between lowest and highest': '$59.99\nto\n$99.90',
          'Net if sold now': '$44.48\n▲+$34.48 on paid',
        },
        {
          Set: 'Copper Canyon Crossing\n90002-1 · 2 × $49.99 paid\nLowest in 8 months',
          ...crossing,
          'Between lowest and highest': '$29.99\nto\n$49.99',
          'Net if sold now': '$17.54\n▼−$32.45 on paid',
        },
        {
          Set: 'Café at the Corner\n90004-1 · 1 owned',
          'Price now': unknown,
          'Last change': unknown,
          'Between lowest and highest': 'No retail prices',
          'Net if sold now': '$156.30',
        },
      ])
    // 3 × 80.31 + 44.48 + 2 × 17.54 and 3 × 64.50 + 10 + 2 × 49.99.
    const sums = await page.getByRole('region', { name: 'If you sold now' }).innerText()
    for (const figure of ['$320.49', '6 copies', '$303.48', '+$17.01', '+5.6%', '2 today', '3 in the last 7 days']) {
      expect(sums).toContain(figure)
    }
    await page.getByText('1 copy without a value or a purchase price isn’t part of the sums.').waitFor()
    expect(browserErrors).toEqual([])
    await context.close()
  })
})

test('filters by what happened to the price', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/watchlist/owned')
  const titles = async () => (await readTable(page, 'Sets you own')).map((row) => row['Set']!.split('\n')[0])
  for (const [filter, address, expected] of [
    ['Changed today 2', 'moved', ['Tidewater Lighthouse', 'Tidewater Lighthouse']],
    ['Lowest so far 1', 'lowest', ['Copper Canyon Crossing']],
    ['Third-party only 2', 'third_party', ['Tidewater Lighthouse', 'Tidewater Lighthouse']],
  ] as const) {
    await page.getByRole('link', { name: filter, exact: true }).click()
    await page.waitForURL(`**/watchlist/owned?filter=${address}`)
    expect(await titles()).toEqual(expected)
  }
  await page.getByRole('link', { name: 'Out of stock 0' }).click()
  await page.getByText('None of your sets matches this filter right now.').waitFor()
  await page.getByRole('link', { name: 'All 4' }).click()
  await page.getByRole('table', { name: 'Sets you own' }).waitFor()
  await context.close()
})

test('a set that is out of stock everywhere shows its last price', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const set = web.db.updateTable('market.retail_state').where('set_number', '=', '90002-1')
  await set.set({ in_stock: false, price_cents: null, last_price_cents: 2999 }).execute()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  try {
    await page.goto('/watchlist/owned?filter=out_of_stock')
    const [row] = await readTable(page, 'Sets you own')
    expect(row!['Set']).toContain('Out of stock')
    expect(row!['Price now']).toBe('—\nNot available\nLast $29.99 at Retailer A')
  } finally {
    await set.set({ in_stock: true, price_cents: 2999, last_price_cents: null }).execute()
    await context.close()
  }
})

test('5,000 lots of 2,500 sets are paged; a page is fast and short', async () => {
  await addManySets(web.db)
  await sql`
    insert into market.retail_day (set_number, retailer, day, price_cents, seller_type)
    select n || '-1', 'retailer_a', current_date - 3 * ago, 1000 + ago * n % 997, 'retailer'
      from generate_series(10001, 12500) n, generate_series(1, 60) ago`.execute(web.db)
  await sql`
    insert into market.retail_state
      (set_number, retailer, price_cents, seller_type, in_stock, changed_at, last_change_cents, lowest_cents, last_checked_at,
       product_url, flip_1p_to_3p, at_lowest)
    select n || '-1', 'retailer_a', 1000 + n % 997, 'retailer', true, ${hoursAgo(5)}, -100, 1000, now(),
           'https://retailer-a.example/' || n, false, n % 3 = 0
      from generate_series(10001, 12500) n`.execute(web.db)
  const user = await web.createUser()
  const stock = await addCollection(web.db, user.accountId, { name: 'Stock', is_default: true })
  await sql`
    insert into portfolio.lot (account_id, collection_id, set_number, condition, quantity, purchase_price_cents)
    select ${user.accountId}, ${stock}, 10001 + n % 2500 || '-1', 'sealed', 1, n
      from generate_series(1, 5000) n`.execute(web.db)
  await sql`analyze`.execute(web.db)
  const context = await web.signedInContext(user, { viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto('/watchlist/owned')
  expect(await readTable(page, 'Sets you own')).toHaveLength(50)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  expect(height).toBeLessThan(6000)
  const start = performance.now()
  await page.goto('/watchlist/owned?from=2450')
  console.log(`${height} px at 390; a page of 2,500 sets took ${Math.round(performance.now() - start)} ms`)
  expect(await readTable(page, 'Sets you own')).toHaveLength(50)
  await context.close()
})

test('responds 200 to invalid query parameters', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const cookie = await web.signInCookies(user)
  for (const query of ['filter=constructor', 'from=-1', 'from=1e400', 'from=9999']) {
    const response = await fetch(`${web.origin}/watchlist/owned?${query}`, { headers: { cookie } })
    expect(response.status, query).toBe(200)
  }
})

test('has no accessibility violations (light/dark, desktop/mobile); a new account sees an explanation', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const context = await web.signedInContext(user)
  await checkPage(context, '/watchlist/owned', 'owned')
  await checkPage(context, '/watchlist/owned?filter=out_of_stock', 'owned-none')
  await context.close()
  const newcomer = await web.signedInContext(await web.createUser())
  const page = await newcomer.newPage()
  await page.goto('/watchlist/owned')
  await page.getByText('No sets yet').waitFor()
  await checkPage(newcomer, '/watchlist/owned', 'owned-empty')
  await newcomer.close()
})
