import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { addRetailers, addRetailState, addSet, addValue } from '@brickmark/tests/support/fixtures'
import { checkPage, checkCurrentPage } from './support/check-page.ts'
import { readTable } from './support/collections.ts'
import { daysAgo } from './support/market.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

/** Five sets in stock: two deals, one with a small profit, one without, one that was checked too long ago. */
async function seedDeals(db: Database): Promise<void> {
  await addRetailers(db)
  const sets = [
    { number: '90312-1', title: 'Oakenshade Scriptorium', value: 39_708, low: 34_420, price: 23_199, lbs: 6.8 },
    { number: '90469-1', title: 'Greyhelm Stable', value: 15_954, low: 11_180, price: 9499, lbs: 3 },
    { number: '90126-1', title: 'Orchard Cider Mill', value: 9000, low: 7000, price: 6500, lbs: 1 },
    { number: '90777-1', title: 'Nightbloom Troll Bridge', value: 5000, low: 4000, price: 4900, lbs: 1 },
    { number: '90888-1', title: 'Pebble Bay Sail Loft', value: 29_548, low: 25_130, price: 9999, lbs: null },
  ]
  for (const { number, title, value, low, price, lbs } of sets) {
    await addSet(db, { set_number: number, title, box_weight_lbs: lbs })
    await addValue(db, { set_number: number, value_cents: value, range_low_cents: low, range_high_cents: value * 2 })
    const isStale = number === '90888-1'
    await addRetailState(db, {
      set_number: number,
      price_cents: price,
      last_checked_at: new Date(Date.now() - (isStale ? 25 : 1) * 3_600_000).toISOString(),
    })
  }
  await addRetailState(db, {
    set_number: '90312-1',
    retailer: 'retailer_b',
    price_cents: 24_000,
    last_checked_at: new Date().toISOString(),
  })
  await db
    .updateTable('catalog.set')
    .set({ release_date: '2024-01-01', retire_date: daysAgo(-60) })
    .where('set_number', '=', '90469-1')
    .execute()
}

beforeAll(async () => {
  web = await startTestWeb({ seed: seedDeals })
})
afterAll(() => web.stop())

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('a buyer sees what is left of each offer, filters, and watches one at the price for 30 %', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    await page.goto('/deals')
    await page.getByText('2 deals').waitFor()
    await page.getByText('of 4 sets in stock').waitFor()
    const rows = await readTable(page, 'Deals')
    expect(rows[0]).toMatchObject({
      Set: expect.stringContaining('Oakenshade Scriptorium'),
      'Best price': expect.stringContaining('$231.99'),
      'Net if sold': expect.stringContaining('$327.27'),
      Profit: expect.stringContaining('+$95.28'),
    })
    // The first deal is open: its sum adds up, and the low end is stated.
    const sum = page.locator('.row-detail')
    expect((await sum.locator('dd').allInnerTexts()).map((text) => text.trim())).toEqual([
      '$397.08',
      '$53.01',
      '$16.80',
      '$327.27',
      '$231.99',
      '+$95.28',
    ])
    await sum.getByText('you keep $281.39, a profit of $49.40').waitFor()
    // 327.27 ÷ 1.3: said before it is watched, because there won't be an alert.
    await sum.getByText('It already returns 30%, at $251.74 or less').waitFor()

    await page.getByLabel('Return').selectOption('0')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('3 deals').waitFor()
    await page.getByLabel('Retiring soon').check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 deal', { exact: true }).waitFor()
    await page.locator('.row-detail').getByText('a loss of').waitFor()
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByRole('link', { name: 'Watching' }).waitFor()
    const watched = await web.db
      .selectFrom('portfolio.watched_item')
      .select(['set_number', 'target_cents'])
      .where('account_id', '=', user.accountId)
      .execute()
    // 159.54 − 21.54 − 11.90 = 126.10; ÷ 1.3 = 97.00.
    expect(watched).toEqual([{ set_number: '90469-1', target_cents: 9700 }])
    await context.close()
  })

  test('assumptions can be tried in the address, and saved for every page that uses them', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    await page.goto('/deals')
    await page.getByText('Assumptions').click()
    await page.getByLabel('over 2 kg').fill('0')
    await page.getByRole('button', { name: 'Try' }).click()
    await page.getByText('+$112.08').first().waitFor()
    await page.goto('/deals')
    await page.getByText('+$95.28').first().waitFor()
    await page.getByText('Assumptions').click()
    await page.getByLabel('over 2 kg').fill('0')
    await page.getByRole('button', { name: 'Save as my default' }).click()
    await page.getByText('+$112.08').first().waitFor()
    await page.goto('/set/90312-1')
    expect(await page.getByLabel('Shipping ($)').inputValue()).toBe('0.00')
    await page.goto('/set/90469-1')
    expect(await page.getByLabel('Shipping ($)').inputValue()).toBe('11.90')
    await context.close()
  })
})

test('filters that keep out everything name the closest deal', async () => {
  const context = await web.signedInContext(await web.createUser())
  const page = await context.newPage()
  await page.goto('/deals?return=60')
  await page.getByText('The closest is Oakenshade Scriptorium at 41.1%').waitFor()
  await page.getByRole('link', { name: 'Lower to 41%' }).click()
  await page.getByText('1 deal', { exact: true }).waitFor()
  await page.goto('/deals?theme=Nowhere')
  await page.getByText('Nothing that matches leaves a profit.').waitFor()
  // Names that every object has are no columns.
  for (const path of ['/deals?by=valueOf', '/watchlist?sort=valueOf', '/watchlist?filter=valueOf'])
    expect((await page.goto(path))?.status(), path).toBe(200)
  await page.goto('/deals?fee=abc')
  await page.getByText('Enter a number, e.g. 12.50.').waitFor()
  await context.close()
})

test('the page is accessible and fits, open and closed', async () => {
  const context = await web.signedInContext(await web.createUser())
  await checkPage(context, '/deals?return=0', 'deals')
  const page = await context.newPage()
  await page.goto('/deals?return=99')
  await checkCurrentPage(page, 'deals-empty')
  await context.close()
})

test('visitors are asked to sign in', async () => {
  const context = await web.newContext()
  const page = await context.newPage()
  await page.goto('/deals')
  await page.waitForURL(/\/sign-in/)
  await context.close()
})
