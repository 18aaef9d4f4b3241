import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCollection } from '@brickmark/tests/support/fixtures'
import {
  addManySets,
  seedAccount,
  seedCatalog,
  createApiKey,
  formatDay,
  formatMoney,
  formatGain,
  formatPercent,
  readTable,
} from './support/collections.ts'
import { checkPage } from './support/check-page.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

const capitalize = (text: string) => text.replace(/^./, (first) => first.toUpperCase())

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog })
})
afterAll(() => web.stop())

type Summary = Record<'total_cost_basis_usd' | 'total_current_value_usd' | 'unrealized_gain_loss_usd', number> & {
  id: number
  owned_set_count: number
  owned_item_count: number
}
type Entry = Record<'current_value_usd' | 'total_current_value_usd' | 'unrealized_gain_loss_usd', number | null> & {
  set_number: string
  quantity: number
  condition: string
  status: string
  purchase_date: string
  purchase_price_usd: number
  unrealized_gain_loss_pct: number | null
}

test('shows the same numbers as the API for the account', async () => {
  const user = await web.createUser()
  const { stock } = await seedAccount(web.db, user)
  const key = await createApiKey(web, user.accountId)
  const { brickfolios } = (await web.api.get<{ brickfolios: Summary[] }>('/brickfolio', key)).data
  const { entries } = (await web.api.get<{ entries: Entry[] }>(`/brickfolio/entries?brickfolio_id=${stock}`, key)).data
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/collections')
  expect(
    (await readTable(page, 'Your collections')).map(({ Items, Qty, 'Cost basis': cost, Value, Gain }) => [
      Items,
      Qty,
      cost,
      Value,
      Gain,
    ]),
  ).toEqual(
    brickfolios.map((brickfolio) => [
      String(brickfolio.owned_set_count),
      String(brickfolio.owned_item_count),
      formatMoney(brickfolio.total_cost_basis_usd),
      formatMoney(brickfolio.total_current_value_usd),
      formatGain(brickfolio.unrealized_gain_loss_usd),
    ]),
  )
  await page.goto(`/collections/${stock}?by=added`)
  expect(
    (await readTable(page, 'Lots')).map(({ Item: set, Actions: _actions, ...row }) => [
      set!.split('\n')[1],
      ...Object.values(row),
    ]),
  ).toEqual(
    entries.map((entry) => [
      entry.set_number,
      String(entry.quantity),
      capitalize(entry.condition),
      capitalize(entry.status),
      formatDay(entry.purchase_date),
      formatMoney(entry.purchase_price_usd),
      [
        formatMoney(entry.total_current_value_usd),
        ...(entry.quantity > 1 && entry.current_value_usd !== null
          ? [`${formatMoney(entry.current_value_usd)} each`]
          : []),
      ].join('\n'),
      [
        formatGain(entry.unrealized_gain_loss_usd),
        ...(entry.unrealized_gain_loss_pct === null || entry.purchase_price_usd === 0
          ? []
          : [formatPercent(entry.unrealized_gain_loss_pct).replace(/^[▲▼]/, '')]),
      ].join('\n'),
    ]),
  )
  const own = brickfolios.find((brickfolio) => brickfolio.id === stock)!
  const main = await page.getByRole('main').innerText()
  for (const figure of [
    `Value\n\n${formatMoney(own.total_current_value_usd)}`,
    `Cost basis\n\n${formatMoney(own.total_cost_basis_usd)}`,
    `Unrealized gain\n\n${formatGain(own.unrealized_gain_loss_usd)}`,
    `${own.owned_item_count} copies of ${own.owned_set_count} items`,
    '1 copy has no value yet',
  ]) {
    expect(main).toContain(figure)
  }
  await context.close()
})

test('sorts, filters and pages 5,000 lots within 300 ms of CPU time', async () => {
  const user = await web.createUser()
  const stock = await addCollection(web.db, user.accountId, { name: 'Stock', is_default: true })
  await addManySets(web.db)
  await sql`
    insert into portfolio.lot
      (account_id, collection_id, set_number, condition, status, quantity, purchase_price_cents, purchase_date, notes)
    select ${user.accountId}, ${stock}, 10001 + n % 2500 || '-1', 'sealed', (array['owned', 'listed'])[1 + n % 2],
           1 + n % 3, n * 2, date '2020-01-01' + n % 2000, 'shelf ' || n % 40
      from generate_series(1, 5000) n`.execute(web.db)
  const cookie = await web.signInCookies(user)
  // CPU time, so that other load on the machine doesn't matter; the page waits for nothing but its queries.
  const measure = async (query: string) => {
    const before = await web.cpuTime()
    const start = performance.now()
    for (let n = 0; n < 10; n++) {
      const response = await fetch(`${web.origin}/collections/${stock}${query}`, { headers: { cookie } })
      expect((await response.text()).match(/name="lot"/g)).toHaveLength(50)
    }
    const [cpu, wall] = [(await web.cpuTime()) - before, performance.now() - start]
    console.log(`/collections/:id${query}: ${(cpu / 10).toFixed(0)} ms CPU, ${(wall / 10).toFixed(0)} ms`)
    return cpu / 10
  }
  for (const query of [
    '',
    '?by=gain&order=descending',
    '?by=title&offset=2400',
    '?q=shelf%207&status=listed&by=number',
  ]) {
    // Best of up to three: processes that share the cores make CPU time longer, never shorter.
    const times: number[] = []
    while (times.length < 3 && !times.some((cpu) => cpu < 300)) times.push(await measure(query))
    expect(Math.min(...times), query).toBeLessThan(300)
  }
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto(`/collections/${stock}?by=total&order=descending`)
  await page.getByText('1–50 of 5,000').waitFor()
  const totals = async () =>
    (await readTable(page, 'Lots')).map((row) => Number(row['Value']!.split('\n')[0]!.replaceAll(/[$,]/g, '')))
  const top = await totals()
  expect(top).toEqual(top.toSorted((a, b) => b - a))
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('51–100 of 5,000').waitFor()
  expect(Math.max(...(await totals()))).toBeLessThanOrEqual(top.at(-1)!)
  const isBarInView = () =>
    page.getByRole('region', { name: 'Selection' }).evaluate((bar) => {
      const { top, bottom } = bar.getBoundingClientRect()
      return top >= 0 && bottom <= window.innerHeight
    })
  await page
    .getByRole('checkbox', { name: /^Select 1/ })
    .first()
    .check()
  expect(await isBarInView()).toBe(true)
  await page.getByLabel('Select all on this page').check()
  expect(await page.getByRole('checkbox', { name: /^Select 1/, checked: true }).count()).toBe(50)
  await page.setViewportSize({ width: 390, height: 844 })
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  console.log(`a page of 50 lots on a phone: ${height} px`)
  expect(height).toBeLessThan(6000)
  await context.close()
})

test('chooses columns in the URL, and shows all fields while a lot is edited', async () => {
  const user = await web.createUser()
  const { stock, first } = await seedAccount(web.db, user)
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  const titles = () => page.getByRole('table', { name: 'Lots' }).getByRole('columnheader').allInnerTexts()
  await page.goto(`/collections/${stock}?status=owned`)
  expect(await titles()).toEqual([
    'Item',
    'Qty',
    'Condition',
    'Status',
    'Purchased',
    'Purchase price',
    'Value',
    'Gain',
    'Actions',
  ])
  const menu = page.getByRole('group').filter({ hasText: 'Columns' })
  await menu.getByText('Columns').click()
  for (const title of ['Qty', 'Condition', 'Status', 'Purchased', 'Gain'])
    await menu.getByLabel(title, { exact: true }).uncheck()
  await menu.getByLabel('Theme').check()
  await menu.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('columnheader', { name: 'Theme' }).waitFor()
  const chosen = ['Item', 'Theme', 'Purchase price', 'Value', 'Actions']
  expect(await titles()).toEqual(chosen)
  expect(new URL(page.url()).searchParams.get('status')).toBe('owned')
  await page.getByRole('columnheader', { name: 'Value' }).getByRole('link').click()
  await page.locator('th[aria-sort=descending]').waitFor()
  expect((await titles()).map((title) => title.replace(/ [↑↓]$/, ''))).toEqual(chosen)
  await page.goto(`${page.url()}&edit=${first}`)
  expect(await titles()).toContain('Qty')
  await context.close()
})

test('charts and breaks down a collection and all of them, with the totals of the collections page', async () => {
  const user = await web.createUser()
  const { stock } = await seedAccount(web.db, user)
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/collections')
  const [stockRow, shelfRow] = await readTable(page, 'Your collections')
  const cents = (text: string | undefined) => Math.round(Number(text!.replaceAll(/[^\d.]/g, '')) * 100)
  const totalOf = async (caption: string, column: string) =>
    (await readTable(page, caption)).map((row) => row[column]!).reduce((sum, text) => sum + cents(text), 0)
  for (const [path, rows] of [
    [`/collections/${stock}/performance`, [stockRow]],
    ['/collections/all/performance', [stockRow, shelfRow]],
  ] as const) {
    for (const by of ['theme', 'year', 'status', 'condition']) {
      await page.goto(`${path}?by=${by}`)
      for (const column of ['Value', 'Cost basis', 'Qty'])
        expect(await totalOf(`Holdings by ${by}`, column), `${path} ${by} ${column}`).toBe(
          rows.reduce((sum, row) => sum + cents(row![column]), 0),
        )
    }
    const chart = page.getByRole('figure').filter({ hasText: 'Value vs. cost basis' })
    await chart.getByText('View as table').click()
    const [today] = await readTable(page, 'Value vs. cost basis')
    expect(cents(today!['Value'])).toBe(rows.reduce((sum, row) => sum + cents(row!['Value']), 0))
  }
  const stranger = await web.signedInContext(await web.createUser())
  const strangersPage = await stranger.newPage()
  expect((await strangersPage.goto(`/collections/${stock}/performance`))!.status()).toBe(404)
  await strangersPage.goto('/collections/all/performance')
  await strangersPage.getByText('Nothing to chart yet').waitFor()
  await stranger.close()
  await context.close()
})

test('filters by theme, year and retirement, shown as chips that can be removed', async () => {
  const user = await web.createUser()
  const { stock } = await seedAccount(web.db, user)
  await web.db
    .updateTable('catalog.set')
    .set({ theme: 'Canyon', release_date: '2021-05-01', retire_date: '2023-01-01' })
    .where('set_number', '=', '90001-1')
    .execute()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto(`/collections/${stock}`)
  const all = (await readTable(page, 'Lots')).length
  for (const [label, option] of [
    ['Theme', 'Canyon'],
    ['Year', '2021'],
    ['Retired', 'Retired'],
  ] as const)
    await page.getByRole('combobox', { name: label, exact: true }).selectOption(option)
  await page.getByRole('button', { name: 'Apply', exact: true }).first().click()
  const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('link')
  await chips.first().waitFor()
  expect(await chips.count()).toBe(3)
  const numbers = (await readTable(page, 'Lots')).map((row) => row['Item']!.split('\n')[1])
  expect([numbers.length > 0, new Set(numbers)]).toEqual([true, new Set(['90001-1'])])
  expect(numbers.length).toBeLessThan(all)
  for (let left = 3; left > 0; left--) {
    await chips.first().click()
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-label="Active filters"] a').length === count,
      left - 1,
    )
  }
  expect(await readTable(page, 'Lots')).toHaveLength(all)
  await context.close()
})

test('every page has no accessibility violations (light/dark, desktop/mobile)', async () => {
  const user = await web.createUser()
  const { stock, shelf, first } = await seedAccount(web.db, user)
  const context = await web.signedInContext(user)
  for (const [path, name] of [
    ['/collections', 'collections'],
    [`/collections/${stock}?edit=${first}`, 'collection'],
    [`/collections/${stock}/performance`, 'collection-performance'],
    [`/collections/${shelf}/settings`, 'collection-settings'],
    [`/collections/${stock}/delete-lots?lot=${first}`, 'lots-delete'],
    [`/collections/${stock}/add?q=900`, 'lot-add-search'],
    [`/collections/${stock}/add?q=900&set=90001-1`, 'lot-add'],
  ] as const) {
    await checkPage(context, path, name)
  }
  const newcomer = await web.signedInContext(await web.createUser())
  await checkPage(newcomer, '/collections', 'collections-empty')
  await newcomer.close()
  await context.close()
})
