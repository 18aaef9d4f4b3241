import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCollection, addLot } from '@brickmark/tests/support/fixtures'
import { createApiKey, formatMoney, formatGain, formatPercent, readTable } from './support/collections.ts'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { formatDate, formatMonthOf } from '../app/ui/format-date.ts'
import { daysAgo, seedMarket } from './support/market.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

type ApiSet = {
  title: string
  theme: string
  subtheme: string | null
  pieces: number
  msrp_usd: number
  retire_date: string | null
  data_tier: string
  new_value_usd: number
  used_value_usd: number
  value_range: { low: number; high: number; calculated_at: string }
  minifigs: string[]
  retailers: { retailer_name: string; current_price: number | null; discount_percent: number | null }[]
}
type Month = {
  month: string
  value_usd: number | null
  range_low: number | null
  range_high: number | null
  sales_count: number | null
}

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket })
})
afterAll(() => web.stop())

async function fillAccount({ accountId: account_id }: TestUser): Promise<void> {
  const collection_id = await addCollection(web.db, account_id, { name: 'Stock', is_default: true })
  const shelf = await addCollection(web.db, account_id, { name: 'Shelf' })
  const lot = { account_id, collection_id, set_number: '90001-1' }
  await addLot(web.db, { ...lot, quantity: 3, purchase_price_cents: 6450, purchase_date: '2024-02-01' })
  await addLot(web.db, {
    ...lot,
    collection_id: shelf,
    condition: 'used',
    status: 'listed',
    purchase_price_cents: 8000,
    purchase_date: '2024-03-01',
  })
  await addLot(web.db, { ...lot, purchase_price_cents: 0, purchase_date: '2024-04-01' })
  await addLot(web.db, { ...lot, set_number: '90002-1' })
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).innerText()
const orDash = (usd: number | null) => (usd === null ? '—' : formatMoney(usd))

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('shows the same numbers for a set as the API', async () => {
    const user = await web.createUser()
    await fillAccount(user)
    const key = await createApiKey(web, user.accountId)
    const { data: set } = await web.api.get<ApiSet>('/set/90001-1', key)
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/set/90001-1')
    await page.getByRole('heading', { name: set.title, level: 1 }).waitFor()
    const facts = await section(page, 'Set details')
    for (const fact of [
      '90001-1',
      `${set.theme}, ${set.subtheme}`,
      '1,812',
      formatMoney(set.msrp_usd),
      `Retired ${formatDate(set.retire_date!)}`,
    ]) {
      expect(facts).toContain(fact)
    }
    const sealed = await section(page, 'Sealed')
    for (const fact of [
      formatMoney(set.new_value_usd),
      formatMoney(set.value_range.low),
      formatMoney(set.value_range.high),
      'High confidence',
      'Based on sales from',
    ]) {
      expect(sealed).toContain(fact)
    }
    // In the reader's time zone once the page is hydrated; UTC on hover at any time.
    const calculatedAt = page.locator('section[aria-label="Sealed"] time').last()
    expect(await calculatedAt.getAttribute('title')).toContain(
      set.value_range.calculated_at.slice(0, 16).replace('T', ' '),
    )
    expect(await section(page, 'Used')).toContain(formatMoney(set.used_value_usd))
    expect(await section(page, 'Used')).toContain('Medium confidence')

    for (const condition of ['sealed', 'used'] as const) {
      await page.getByRole('link', { name: condition === 'sealed' ? 'Sealed' : 'Used', exact: true }).click()
      await page.waitForURL(`**/set/90001-1?condition=${condition}&range=3y`)
      const { history } = (await web.api.get<{ history: Month[] }>(`/set/90001-1/history?condition=${condition}`, key))
        .data
      expect(history).toHaveLength(40)
      const title = `Monthly value (${condition})`
      const chart = page.getByRole('figure').filter({ hasText: title })
      await chart.waitFor()
      // With JavaScript, the table stays open when the condition changes.
      if (!(await chart.getByRole('table').isVisible())) await chart.getByText('View as table').click()
      const [now, ...months] = await readTable(page, title)
      expect(now!['Value']).toBe(formatMoney(condition === 'sealed' ? set.new_value_usd : set.used_value_usd))
      expect(months.toReversed()).toEqual(
        history.slice(-36).map((month) => ({
          Date: month.month,
          Value: orDash(month.value_usd),
          Low: orDash(month.range_low),
          High: orDash(month.range_high),
          Sold: month.sales_count === null ? '—' : String(month.sales_count),
        })),
      )
      const year = history.slice(-12)
      const units = year.reduce((sum, month) => sum + (month.sales_count ?? 0), 0)
      const sparse = year.filter((month) => month.sales_count === null).length
      const excluded = sparse === 0 ? '.' : ` (excluding ${sparse} with too little data).`
      const story =
        sparse === 12
          ? 'Too few sales in each of the last 12 published months to show a count.'
          : `${units} sold in the last 12 published months${excluded}`
      await page.getByText(story).waitFor()
    }

    const main = await page.getByRole('main').innerText()
    for (const { retailer_name, current_price, discount_percent } of set.retailers) {
      expect(main).toContain(`${retailer_name}\nView at retailer\n\n${formatMoney(current_price)}`)
      if (discount_percent !== null) {
        const side = discount_percent < 0 ? 'Above' : 'Below'
        expect(main).toContain(`${side} list price\n${Math.abs(discount_percent)}%`)
      }
    }
    const { entries } = (
      await web.api.get<{
        entries: ({ set_number: string; quantity: number; condition: string } & Record<
          'purchase_price_usd' | 'total_current_value_usd' | 'unrealized_gain_loss_usd' | 'unrealized_gain_loss_pct',
          number
        >)[]
      }>('/brickfolio/entries', key)
    ).data
    const own = entries.filter((entry) => entry.set_number === '90001-1')
    const lots = await readTable(page, 'Your lots')
    expect(lots.map((lot) => lot['Collection'])).toEqual(['Stock', 'Shelf', 'Stock'])
    const shownLots = lots.map((lot) => [lot['Qty'], lot['Purchase price'], lot['Value'], lot['Gain']].join(' | '))
    expect(shownLots.sort()).toEqual(
      own
        .map((entry) =>
          [
            entry.quantity,
            formatMoney(entry.purchase_price_usd),
            formatMoney(entry.total_current_value_usd),
            [
              formatGain(entry.unrealized_gain_loss_usd),
              ...(entry.purchase_price_usd === 0 ? [] : [formatPercent(entry.unrealized_gain_loss_pct).slice(1)]),
            ].join(' · '),
          ].join(' | '),
        )
        .sort(),
    )
    await page.getByText('Use this data elsewhere').click()
    await page.getByText(`${web.api.origin}/api/v1/set/90001-1`).waitFor()
    await page.getByText('Each API call uses 1 credit.').waitFor()
    await page.getByText('brickmark set 90001-1').waitFor()
    expect(browserErrors).toEqual([])
    await context.close()
  })

  test('buy calculator: shows the maximum price for a target ROI', async () => {
    const context = await web.signedInContext(await web.createUser(), { javaScriptEnabled })
    const page = await context.newPage()
    await page.goto('/set/90001-1')
    // 112.40 − 13.25% (14.89) − 0.40 − 16.80 = 80.31, ÷ 1.3 = 61.77.
    // At the low end: 96.20 − 12.75 − 0.40 − 16.80 = 66.25, ÷ 1.3 = 50.96.
    await page.getByText('Pay up to $61.77 to reach 30% ROI.').waitFor()
    await page.getByText('You’d net $80.31 per sale. Conservative (low end of range): $50.96.').waitFor()
    expect((await readTable(page, 'Current offers')).map((row) => Object.values(row))).toEqual([
      ['Retailer A', '$94.50', '▼−$14.19', '▼−15%', 'Too expensive'],
    ])
    await page.getByLabel('Target ROI (%)').fill('1')
    await page.getByLabel('Shipping ($)').fill('1.11')
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Calculate' }).click()
    // 96.00 ÷ 1.01 = 95.04, above what Retailer A asks.
    await page.getByText('Pay up to $95.04 to reach 1% ROI.').waitFor()
    expect((await readTable(page, 'Current offers'))[0]!['Verdict']).toBe('Buy')
    await page.getByLabel('Fees (%)').fill('a lot')
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('Fill in all fields').waitFor()
    await page.getByText('Enter a number, e.g. 12.50.').waitFor()
    await context.close()
  })

  test('buy calculator: saves fees and shipping as the default, unless one is invalid', async () => {
    const context = await web.signedInContext(await web.createUser(), { javaScriptEnabled })
    const page = await context.newPage()
    const costs = async () => {
      await page.goto('/set/90001-1?condition=used')
      return Promise.all(
        ['Fees (%)', 'Fixed fee ($)', 'Shipping ($)'].map((label) => page.getByLabel(label).inputValue()),
      )
    }
    const before = await costs()
    await page.getByLabel('Fees (%)').fill('120')
    await page.getByRole('button', { name: 'Save fees and shipping as my default' }).click()
    await page.waitForURL((url) => url.searchParams.get('fee') === '120')
    await page.getByText('Enter at most 100.').waitFor()
    expect(await page.getByLabel('Fees (%)').inputValue()).toBe('120')
    expect(await costs()).toEqual(before)
    await page.getByLabel('Fees (%)').fill('10')
    await page.getByLabel('Shipping ($)').fill('5.5')
    await Promise.all([
      page.waitForResponse((response) => response.url().includes('/selling-costs')),
      page.getByRole('button', { name: 'Save fees and shipping as my default' }).click(),
    ])
    // On a busy machine, the first page may be asked for before the form has been sent.
    await expect.poll(costs, { timeout: 15_000 }).toEqual(['10.00', before[1], '5.50'])
    await context.close()
  })
})

test('value history: the arrow keys read out what the API has of each month', async () => {
  const user = await web.createUser()
  const key = await createApiKey(web, user.accountId)
  const { data } = await web.api.get<{ history: Month[] }>('/set/90001-1/history', key)
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/set/90001-1?range=all', { waitUntil: 'networkidle' })
  const chart = page.getByRole('slider', { name: /^Value of a sealed copy/ })
  const read = () => chart.getAttribute('aria-valuetext')
  await chart.focus()
  expect(await read()).toMatch(/^Today, \$112\.40, 4 in 5 sales: \$96\.20 to \$131\.50$/)
  await page.keyboard.press('Home')
  const known = data.history.filter((month) => month.value_usd !== null)
  for (const month of known) {
    const sold = month.sales_count === null ? 'Few sales: range partly modeled' : `${month.sales_count} sold`
    const range = `4 in 5 sales: ${formatMoney(month.range_low)} to ${formatMoney(month.range_high)}`
    expect(await read()).toBe([formatMonthOf(month.month), formatMoney(month.value_usd), range, sold].join(', '))
    await page.keyboard.press('ArrowRight')
  }
  expect(await read()).toContain('Today')
  await page.keyboard.press('PageUp')
  expect(await read()).toContain(formatMonthOf(data.history.at(-12)!.month))
  await page.keyboard.press('End')
  expect(await read()).toContain('Today')
  await context.close()
})

test('the recommended retail price is an offer only until the set is retired', async () => {
  const context = await web.signedInContext(await web.createUser())
  const page = await context.newPage()
  const offers = async (number: string) => {
    await page.goto(`/set/${number}`)
    return (await readTable(page, 'Current offers')).map((row) => Object.values(row)[0])
  }
  expect(await offers('90001-1')).toEqual(['Retailer A'])
  expect(await offers('90002-1')).toEqual(['Retailer A', 'Retail price'])
  await context.close()
})

test('retail prices: lists changes in a table and shades the time the retailer itself sold', async () => {
  const context = await web.signedInContext(await web.createUser())
  const page = await context.newPage()
  await page.goto('/set/90001-1')
  const chart = page.getByRole('figure').filter({ hasText: 'Price at Retailer A' })
  await chart.getByText('View as table').click()
  const rows = await readTable(page, 'Price at Retailer A')
  expect(rows.map((row) => [row['Date'], row['Price']])).toEqual([
    [daysAgo(0), '$94.50'],
    [daysAgo(190), '$99.90'],
    [daysAgo(280), '$79.99'],
    [daysAgo(300), '$63.99'],
    [daysAgo(365), '$79.99'],
  ])
  await chart.getByText('Highlighted: sold by Retailer A').waitFor()
  // From the first of 366 days to half a step before third parties took over: 174.5 of 365 steps.
  const shades = await chart
    .locator('rect.fill-accent-soft')
    .evaluateAll((all) => all.map((rect) => Number(rect.getAttribute('width'))))
  expect(shades).toHaveLength(1)
  expect(shades[0]).toBeCloseTo((174.5 / 365) * 100, 1)
  await context.close()
})

test('redirects aliases to the canonical URL; shows a 404 page for unknown numbers', async () => {
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  const get = (path: string) => fetch(web.origin + path, { redirect: 'manual', headers: { cookie } })
  const moved = await get('/set/90001?condition=used')
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/set/90001-1?condition=used'])
  const figure = await get('/minifig/HBR001')
  expect([figure.status, figure.headers.get('location')]).toEqual([302, '/minifig/hbr001'])
  for (const path of [
    '/set/12345-1',
    '/set/%00',
    '/set/..%2f..',
    `/set/${'9'.repeat(300)}`,
    '/minifig/none',
    '/minifig/%00x',
  ]) {
    const response = await get(path)
    expect(response.status, path).toBe(404)
    expect(await response.text(), path).toMatch(/(Set|Minifig) .* not found/)
  }
  expect((await fetch(`${web.origin}/set/90001-1`, { redirect: 'manual' })).status).toBe(302)
  const context = await web.signedInContext(user)
  await checkPage(context, '/set/12345-1', 'set-unknown')
  await context.close()
})

test('search: finds sets and minifigs by number, name, UPC or EAN', async () => {
  const context = await web.signedInContext(await web.createUser())
  const page = await context.newPage()
  for (const [query, address] of [
    ['90001', '/set/90001-1'],
    ['673419000017', '/set/90001-1'],
    ['5702019000013', '/set/90001-1'],
    ['90010-2', '/set/90010-2'],
    ['HBR002', '/minifig/hbr002'],
  ] as const) {
    await page.goto('/search')
    await page.getByLabel('Set number, name or barcode').fill(query)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL(`**${address}`)
  }
  for (const [query, sets, minifigs] of [
    ['cafe corner', ['Café at the Corner\n90004-1'], []],
    ['lighthouse', ['Tidewater Lighthouse\n90001-1'], ['Lighthouse Keeper\nhbr001']],
    ['90010', ['Mystery Figure 1\n90010-1', 'Mystery Figure 2\n90010-2'], []],
  ] as const) {
    await page.goto(`/search?q=${encodeURIComponent(query)}`)
    if (sets.length > 0) expect((await readTable(page, 'Matching sets')).map((row) => row['Set'])).toEqual(sets)
    if (minifigs.length > 0) {
      expect((await readTable(page, 'Matching minifigs')).map((row) => row['Minifig'])).toEqual(minifigs)
    }
  }
  await page.goto('/search?q=lighthouse')
  expect((await readTable(page, 'Matching sets'))[0]).toMatchObject({ 'Value, sealed': '$112.40' })
  const [suggestion] = (await (await page.request.get('/suggestions?q=tidewater')).json()) as { detail: string }[]
  expect(suggestion!.detail).toContain('$112.40')
  await page.goto('/search?q=frontier')
  await page.waitForURL('/theme/Frontier')
  await page.goto('/search?q=nothing+like+it')
  await page.getByText('No results').waitFor()
  await checkPage(context, '/search?q=lighthouse', 'search')
  await checkPage(context, '/search', 'search-empty')
  await context.close()
})

test('shows the same numbers for a minifig as the API, without JavaScript', async () => {
  const user = await web.createUser()
  const key = await createApiKey(web, user.accountId)
  const { data: minifig } = await web.api.get<{
    name: string
    current_value_usd: number
    value_range: { low: number; high: number }
    set_count: number
    sets: string[]
  }>('/minifig/hbr001', key)
  const context = await web.signedInContext(user, { javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/minifig/hbr001')
  await page.getByRole('heading', { name: minifig.name, level: 1 }).waitFor()
  const value = await section(page, 'Used value')
  for (const usd of [minifig.current_value_usd, minifig.value_range.low, minifig.value_range.high]) {
    expect(value).toContain(formatMoney(usd))
  }
  await page.getByRole('heading', { name: `Appears in ${minifig.set_count} sets` }).waitFor()
  const sets = await readTable(page, 'Sets with this minifig')
  expect(sets.map((row) => row['Set']!.split('\n')[1])).toEqual(minifig.sets)
  expect(sets.map((row) => row['Qty'])).toEqual(['2', '1'])
  await page.getByText('Use this data elsewhere').click()
  await page.getByText('brickmark minifig hbr001').waitFor()
  await page.goto('/minifig/hbr002')
  await page.getByText('No value yet').waitFor()
  await context.close()
})

test('has no accessibility violations (light/dark, desktop/mobile)', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const context = await web.signedInContext(user)
  await checkPage(context, '/set/90001-1', 'set')
  await checkPage(context, '/set/90003-1', 'set-unvalued')
  await checkPage(context, '/minifig/hbr001', 'minifig')
  await context.close()
})

test.each([
  ['6m', 6],
  ['1y', 12],
  ['all', 40],
  ['forever', 36],
])('shows the months of the period %s', async (range, months) => {
  const user = await web.createUser()
  const context = await web.signedInContext(user, { javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`/set/90001-1?range=${range}`)
  await page.getByText('View as table').first().click()
  const rows = await readTable(page, 'Monthly value (sealed)')
  expect(rows[0]!['Date']).toBe('Today')
  expect(rows).toHaveLength(months + 1)
  await context.close()
})

test('offers similar sets, and adding the set to the default collection', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/set/90001-1')
  expect(await page.getByRole('link', { name: 'Add to collection' }).getAttribute('href')).toBe('/collections')
  expect(await page.getByRole('link', { name: 'Record sale' }).count()).toBe(0)
  const collection = await addCollection(web.db, user.accountId, { name: 'Stock', is_default: true })
  await page.reload()
  await page.getByRole('link', { name: 'Add to collection' }).click()
  await page.waitForURL(`**/collections/${collection}/add?set=90001-1`)
  await context.close()
})

test('set and minifig pages say which source each fact comes from, and link to its license', async () => {
  await web.db
    .insertInto('source.license')
    .values({
      id: 'open',
      terms: 'x',
      attribution: 'Data by Brick Lists',
      attribution_url: 'https://lists.example/terms',
    })
    .execute()
  await web.db.insertInto('source.source').values({ id: 'lists', name: 'Brick Lists', license_id: 'open' }).execute()
  const origin = { source: 'lists', on: '2026-04-01' }
  await web.db
    .insertInto('catalog.set_origin')
    .values({
      set_number: '90001-1',
      origins: JSON.stringify({ title: origin, msrp_cents: origin, retire_date: null }),
      minifigs: JSON.stringify(origin),
    })
    .execute()
  await web.db
    .insertInto('catalog.minifig_origin')
    .values({ minifig_number: 'hbr001', origins: JSON.stringify({ name: origin }) })
    .execute()
  const cookie = await web.signInCookies(await web.createUser())
  for (const [path, facts] of [
    ['/set/90001-1', 'title, retail price, minifigs'],
    ['/minifig/hbr001', 'name'],
  ] as const) {
    const html = await (await fetch(`${web.origin}${path}`, { headers: { cookie } })).text()
    const card = html.slice(html.indexOf('Where this comes from'))
    expect(card.replaceAll(/<[^>]*>|<!-- -->/g, '')).toContain(
      `Brick Lists, Apr 1, 2026: ${facts} · Data by Brick Lists`,
    )
    expect(card).toContain('href="https://lists.example/terms"')
  }
})
