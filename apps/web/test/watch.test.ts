import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCollection, addLot } from '@brickmark/tests/support/fixtures'
import { formatInstant, formatUtc } from '../app/ui/format-date.ts'
import { createApiKey, formatMoney, formatGain, readTable } from './support/collections.ts'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { seedMarket, hoursAgo } from './support/market.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

type RetailerPrice = {
  price: number | null
  sellerType: string | null
  changedAt: string | null
  lastChange: number | null
  flip1pTo3p: boolean
  atLowest: boolean
  lowest: number | null
  inStock: boolean | null
}
type Row = {
  setNumber: string
  name: string
  paid: number
  retailer_a: RetailerPrice
  retailer_b: RetailerPrice
  retailer_aExit: { lowestFba?: number; fbaSellers?: number; buyBox?: number; netFba?: number }
}

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
  // Never observed at any retailer, so it has no row.
  await addLot(web.db, { ...lot, set_number: '90004-1' })
}

/** Formats a price block of the API as the page must show it. */
function shownPrice(price: RetailerPrice, when: (iso: string) => string): string {
  if (price.lowest === null && price.price === null) return '—\nNot available'
  const seller =
    price.inStock === false
      ? 'Out of stock'
      : ({ retailer: 'Sold by retailer', third_party: 'Third-party only' }[price.sellerType ?? ''] ?? 'Seller unknown')
  return [
    formatMoney(price.price),
    seller,
    ...(price.lastChange === null ? [] : [`${formatGain(price.lastChange)} on ${when(price.changedAt!)}`]),
    `Low ${formatMoney(price.lowest)}`,
    // Only if it can be bought, and was seen higher.
    ...(price.atLowest && price.inStock === true && price.lastChange !== null ? ['Lowest in 8 months'] : []),
    ...(price.flip1pTo3p ? ['Third-party only now'] : []),
  ].join('\n')
}

function shownExit({ paid, retailer_aExit: { lowestFba, fbaSellers, buyBox, netFba } }: Row): string {
  return [
    formatMoney(netFba ?? null),
    ...(netFba === undefined ? [] : [formatGain(Math.round((netFba - paid) * 100) / 100)]),
    `Buy box ${formatMoney(buyBox ?? null)}`,
    `Lowest FBA ${formatMoney(lowestFba ?? null)}${fbaSellers === undefined ? '' : ` (${fbaSellers} ${fbaSellers === 1 ? 'seller' : 'sellers'})`}`,
  ].join('\n')
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('shows the same rows and numbers as the API for every filter', async () => {
    const user = await web.createUser()
    await fillAccount(user)
    const key = await createApiKey(web, user.accountId)
    const timeZone = 'America/New_York'
    const context = await web.signedInContext(user, { javaScriptEnabled, timezoneId: timeZone })
    const when = (iso: string) => (javaScriptEnabled ? formatInstant(iso, timeZone, new Date()) : formatUtc(iso))
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    const counts: number[] = []
    for (const query of [
      '',
      'changed_within=3h',
      'changed_within=2d',
      `since=${hoursAgo(2)}`,
      `changed_within=7d&since=${hoursAgo(31)}`,
      'asin=b0abcd5678',
      'asin=B0ABCD5678,B0ABCD1234&upc=0036000291452',
      'upc=4006381333931',
    ]) {
      const { data: rows } = await web.api.get<Row[]>(`/brickfolio/retail-watch?${query}`, key)
      counts.push(rows.length)
      await page.goto(`/watchlist/owned?${query}`)
      if (rows.length === 0) {
        await page.getByText('No matching prices').waitFor()
        continue
      }
      // Times are in UTC until the first page is hydrated.
      await expect
        .poll(() => readTable(page, 'Watchlist'), { message: query, timeout: 10_000 })
        .toEqual(
          rows.map((row) => ({
            Set: `${row.name}\n${row.setNumber}`,
            'Avg. cost': formatMoney(row.paid),
            'Retailer A': shownPrice(row.retailer_a, when),
            'Retailer B': shownPrice(row.retailer_b, when),
            'Net if sold': shownExit(row),
          })),
        )
    }
    // The filters select different rows, so equal tables are meaningful.
    expect(counts).toEqual([2, 1, 2, 1, 2, 1, 1, 0])
    expect(browserErrors).toEqual([])
    await context.close()
  })

  test('the form filters, reports invalid values and offers the equivalent API call', async () => {
    const user = await web.createUser()
    await fillAccount(user)
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    await page.goto('/watchlist/owned')
    await page.getByText('Filters').click()
    await page.getByRole('textbox', { name: 'Changed within' }).fill('3h')
    await page.getByLabel('ASIN').fill('B0ABCD1234, B0ABCD5678')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('heading', { name: '1 set', exact: true }).waitFor()
    await page.getByText('Use this data elsewhere').click()
    await page.getByText(`/brickfolio/retail-watch?changed_within=3h&asin=B0ABCD1234%2CB0ABCD5678'`).waitFor()
    await page.getByText('brickmark watch --changed-within 3h --asin B0ABCD1234,B0ABCD5678').waitFor()
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.getByRole('heading', { name: '2 sets' }).waitFor()
    await page.getByRole('textbox', { name: 'Changed within' }).fill('a while')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Use a number followed by m, h or d, e.g. 24h.').waitFor()
    await context.close()
  })
})

test('responds 200 to invalid query parameters', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const cookie = await web.signInCookies(user)
  for (const query of [
    'since=never',
    'since=9999-99-99T99:99',
    `changed_within=${'9'.repeat(400)}d`,
    'asin=%00',
    'offset=-1',
    'offset=1e400',
  ]) {
    const response = await fetch(`${web.origin}/watchlist/owned?${query}`, { headers: { cookie } })
    expect(response.status, query).toBe(200)
  }
})

test('has no accessibility violations (light/dark, desktop/mobile); a new account sees an explanation', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const context = await web.signedInContext(user)
  await checkPage(context, '/watchlist/owned', 'watch')
  await checkPage(context, '/watchlist/owned?changed_within=1m', 'watch-none')
  await context.close()
  const newcomer = await web.signedInContext(await web.createUser())
  const page = await newcomer.newPage()
  await page.goto('/watchlist/owned')
  await page.getByText('No sets yet').waitFor()
  await checkPage(newcomer, '/watchlist/owned', 'watch-empty')
  await newcomer.close()
})
