import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCollection, addLot } from '@brickmark/tests/support/fixtures'
import { createApiKey, formatGain, formatMoney, formatPercent, readTable } from './support/collections.ts'
import { daysAgo, seedMarket } from './support/market.ts'
import { fetchSales, seedSales, sumSales, type ApiSale } from './support/sales.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

type Summary = { id: number } & Record<
  'total_cost_basis_usd' | 'total_current_value_usd' | 'unrealized_gain_loss_usd',
  number
>
type Analytics = { summary: Summary & { unrealized_gain_loss_pct: number } }
type Entry = { set_number: string; condition: string; quantity: number; purchase_price_usd?: number } & Record<
  'total_current_value_usd' | 'unrealized_gain_loss_usd' | 'current_value_usd',
  number | null
>
type ApiSet = { new_value_usd: number; used_value_usd: number; value_range: { low: number; high: number } }
type Month = { month: string; value_usd: number | null }

let web: TestWeb
let user: TestUser
let page: Page
let get: <T>(path: string) => Promise<T>

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket })
  user = await web.createUser()
  const account = { account_id: user.accountId }
  const stock = {
    ...account,
    collection_id: await addCollection(web.db, user.accountId, { name: 'Stock', is_default: true }),
  }
  const shelf = { ...account, collection_id: await addCollection(web.db, user.accountId, { name: 'Shelf' }) }
  const lighthouse = { ...stock, set_number: '90001-1' }
  await addLot(web.db, { ...lighthouse, quantity: 3, purchase_price_cents: 6451, purchase_date: daysAgo(900) })
  await addLot(web.db, { ...lighthouse, condition: 'used', purchase_price_cents: 4599, purchase_date: daysAgo(60) })
  await addLot(web.db, { ...shelf, set_number: '90002-1', quantity: 2, purchase_price_cents: 5099 })
  // Without a purchase price, and without a value.
  await addLot(web.db, { ...shelf, set_number: '90004-1', purchase_price_cents: null })
  await addLot(web.db, { ...stock, set_number: '90003-1', quantity: 4, purchase_price_cents: 1000 })
  await seedSales(web, user)
  const key = await createApiKey(web, user.accountId)
  get = async <T>(path: string) => (await web.api.get<T>(path, key)).data
  page = await (await web.signedInContext(user, { javaScriptEnabled: false })).newPage()
})
afterAll(() => web.stop())

/** A figure as a page shows it. `means` names the quantity, the same for every page that shows it. */
type Figure = { means: string; at: string; text: string }

const cents = (text: string) => Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 100) * (text.includes('−') ? -1 : 1)
const setOf = (cell: string) => /\d{5}-\d/.exec(cell)![0]
const withoutArrow = (text: string) => text.replace(/^[▲▼]/, '')

/** Reads the text of the page, in which a label stands above its figure. */
async function readFigures(path: string, labels: Record<string, string>): Promise<Figure[]> {
  await page.goto(path)
  const text = (await page.getByRole('main').innerText()).replaceAll(/\n+/g, '\n')
  return Object.entries(labels).map(([label, means]) => {
    const match = new RegExp(`^${label}\\n(.+)$`, 'm').exec(text)
    return { means, at: `${path} ${label}`, text: match?.[1] ?? `no “${label}”` }
  })
}

/** Reads columns of a table; `means` gets the row and names the quantity, or returns undefined to leave it out. */
async function readColumns(
  path: string,
  caption: string,
  columns: Record<string, (row: Record<string, string>) => string | undefined>,
): Promise<Figure[]> {
  await page.goto(path)
  for (const summary of await page.getByText('View as table').all()) await summary.click()
  const rows = await readTable(page, caption)
  return rows.flatMap((row) =>
    Object.entries(columns).flatMap(([column, toMeaning]) => {
      const means = toMeaning(row)
      const text = row[column] ?? `no column “${column}”`
      return means === undefined ? [] : [{ means, at: `${path} ${caption}: ${column}`, text: text.split('\n')[0]! }]
    }),
  )
}

/** The change over one year, worked out here from the published months. */
function oneYear(now: number, history: Month[]): number {
  const today = new Date(`${daysAgo(0)}T00:00:00Z`)
  const before = new Date(today)
  before.setUTCFullYear(today.getUTCFullYear() - 1)
  const ends = history.flatMap(({ month, value_usd }) => {
    const [year, number] = month.split('-').map(Number) as [number, number]
    return value_usd === null ? [] : [{ at: Date.UTC(year, number, 0), value: value_usd }]
  })
  const left = ends.findLast(({ at }) => at <= before.getTime())!
  const right = ends.find(({ at }) => at > before.getTime())!
  const share = (before.getTime() - left.at) / (right.at - left.at)
  const then = Math.round((left.value + (right.value - left.value) * share) * 100) / 100
  return ((now - then) / then) * 100
}

/** Returns what each quantity must be, from the API alone. */
async function expectedFigures(): Promise<Map<string, string>> {
  const expected = new Map<string, string>()
  const { summary } = await get<Analytics>('/brickfolio/analytics?period=1y')
  const { brickfolios } = await get<{ brickfolios: (Summary & { name: string })[] }>('/brickfolio')
  const { entries } = await get<{ entries: Entry[] }>('/brickfolio/entries')
  for (const { name, ...totals } of [{ name: 'all', ...summary }, ...brickfolios]) {
    expected.set(`value of ${name}`, formatMoney(totals.total_current_value_usd))
    expected.set(`cost of ${name}`, formatMoney(totals.total_cost_basis_usd))
    expected.set(`gain of ${name}`, formatGain(totals.unrealized_gain_loss_usd))
  }
  const unpriced = entries.filter((entry) => entry.purchase_price_usd === undefined)
  expected.set('without price', formatMoney(unpriced.reduce((sum, entry) => sum + entry.total_current_value_usd!, 0)))
  for (const entry of entries) {
    const lot = `${entry.set_number} ${entry.condition}`
    expected.set(`value of lot ${lot}`, formatMoney(entry.total_current_value_usd))
    expected.set(`gain of lot ${lot}`, formatGain(entry.unrealized_gain_loss_usd))
    expected.set(`paid for ${lot}`, formatMoney(entry.purchase_price_usd ?? null))
  }
  for (const number of ['90001-1', '90002-1', '90004-1']) {
    const set = await get<ApiSet>(`/set/${number}`)
    for (const condition of ['sealed', 'used'] as const) {
      const value = condition === 'sealed' ? set.new_value_usd : set.used_value_usd
      const { history } = await get<{ history: Month[] }>(`/set/${number}/history?condition=${condition}`)
      expected.set(`value ${number} ${condition}`, formatMoney(value))
      if (value !== null && history.length > 12) {
        expected.set(`1 year ${number} ${condition}`, formatPercent(oneYear(value, history)))
      }
      for (const { month, value_usd } of history)
        expected.set(`${number} ${condition} ${month}`, formatMoney(value_usd))
    }
  }
  const sales = await fetchSales(web, user)
  for (const [name, some] of [
    ['all', sales],
    ...Map.groupBy(sales, ({ sale_date }) => sale_date.slice(0, 4)),
    ...Map.groupBy(sales, ({ sale_date }) => sale_date.slice(0, 7)),
  ] as [string, ApiSale[]][]) {
    const sums = sumSales(some)
    for (const field of ['gross', 'fees', 'shipping', 'net', 'cost', 'netWithoutCost'] as const) {
      expected.set(`${field} ${name}`, formatMoney(sums[field]))
    }
    expected.set(`profit ${name}`, formatGain(sums.profit))
  }
  return expected
}

async function figuresOnPages(): Promise<Figure[]> {
  const year = daysAgo(0).slice(0, 4)
  const [stock, shelf] = (await get<{ brickfolios: Summary[] }>('/brickfolio')).brickfolios.map(({ id }) => id)
  const holdings = {
    'Cost basis': 'cost of all',
    'Unrealized gain': 'gain of all',
    '1 copy without a purchase price': 'without price',
    'Portfolio value': 'value of all',
  }
  const move = (what: string) => (row: Record<string, string>) =>
    `${what} ${setOf(row['Set']!)} ${/Used/.test(row['Set']!) ? 'used' : 'sealed'}`
  const lot = (what: string) => (row: Record<string, string>) =>
    `${what} ${setOf(row['Item']!)} ${row['Condition']!.toLowerCase()}`
  const month = (what: string) => (row: Record<string, string>) =>
    `${what} ${row['Month'] === 'Total' ? year : row['Month']}`
  const figures = [
    ...(await readFigures('/', {
      ...holdings,
      '\\d+ copies sold for': `gross ${year}`,
      Fees: `fees ${year}`,
      Shipping: `shipping ${year}`,
      'What they cost you': `cost ${year}`,
      'Net of \\d+ sales with no known cost': `netWithoutCost ${year}`,
      'Realized profit': `profit ${year}`,
    })),
    ...(await readColumns('/', 'Top gainers, 1 year', { Value: move('value'), Change: move('1 year') })),
    ...(await readColumns('/', 'Top losers, 1 year', { Value: move('value'), Change: move('1 year') })),
    ...(await readColumns('/collections', 'Your collections', {
      'Cost basis': (row) => `cost of ${row['Collection']!.split(' ')[0]}`,
      Gain: (row) => `gain of ${row['Collection']!.split(' ')[0]}`,
      Value: (row) => `value of ${row['Collection']!.split(' ')[0]}`,
    })),
    ...(await readFigures('/collections/all/performance', {
      'Cost basis': 'cost of all',
      'Unrealized gain': 'gain of all',
      Value: 'value of all',
    })),
    ...(await readColumns('/sales/summary', `${year} sales by month`, {
      Gross: month('gross'),
      Fees: month('fees'),
      Shipping: month('shipping'),
      Net: month('net'),
      Cost: month('cost'),
      'No known cost': month('netWithoutCost'),
      Profit: month('profit'),
    })),
    ...(await readFigures('/sales', {
      'Sold for': 'gross all',
      Fees: 'fees all',
      Shipping: 'shipping all',
      Cost: 'cost all',
      'No known cost': 'netWithoutCost all',
      'Realized profit': 'profit all',
    })),
  ]
  for (const [id, name] of [
    [stock, 'Stock'],
    [shelf, 'Shelf'],
  ] as const) {
    const path = `/collections/${id}`
    figures.push(
      ...(await readFigures(path, { Value: `value of ${name}`, 'Cost basis': `cost of ${name}` })),
      ...(await readColumns(path, 'Lots', {
        'Purchase price': lot('paid for'),
        Value: lot('value of lot'),
        Gain: lot('gain of lot'),
      })),
    )
  }
  for (const [number, conditions] of [
    ['90001-1', ['sealed', 'used']],
    ['90002-1', ['sealed']],
  ] as const) {
    for (const condition of conditions) {
      const path = `/set/${number}?condition=${condition}`
      figures.push(
        ...(await readColumns(path, `Monthly value (${condition})`, {
          Value: ({ Date: date }) =>
            date === 'Today' ? `value ${number} ${condition}` : `${number} ${condition} ${date}`,
        })),
      )
    }
    await page.goto(`/set/${number}`)
    for (const [name, condition] of [
      ['Sealed', 'sealed'],
      ['Used', 'used'],
    ] as const) {
      const block = await page.getByRole('region', { name, exact: true }).innerText()
      const [value, change] = [/^\$[\d,.]+/m.exec(block)?.[0], /^[▲▼]\S+(?= 1 year)/m.exec(block)?.[0]]
      if (value !== undefined)
        figures.push({ means: `value ${number} ${condition}`, at: `/set/${number}`, text: value })
      if (change !== undefined)
        figures.push({ means: `1 year ${number} ${condition}`, at: `/set/${number}`, text: change })
    }
  }
  return figures
}

test('100 figures of all pages equal those of the API, and each other, to the cent', async () => {
  const [expected, figures] = [await expectedFigures(), await figuresOnPages()]
  const wrong = figures.filter(({ means, text }) => expected.get(means)?.split('\n')[0] !== text)
  expect(wrong.map((figure) => ({ ...figure, expected: expected.get(figure.means) }))).toEqual([])
  const quantities = new Set(figures.map(({ means }) => means))
  console.log(`${figures.length} figures of ${quantities.size} quantities`)
  expect(quantities.size).toBeGreaterThanOrEqual(100)
  // Quantities that several pages show: equal to the same expected text, so equal to each other.
  for (const means of [
    'value of all',
    `profit ${daysAgo(0).slice(0, 4)}`,
    '1 year 90001-1 sealed',
    'value 90001-1 used',
  ]) {
    expect(figures.filter((figure) => figure.means === means).length, means).toBeGreaterThan(1)
  }
})

test('sums on pages add up to the cent', async () => {
  const read = async (path: string, labels: string[]) =>
    (await readFigures(path, Object.fromEntries(labels.map((label) => [label, label])))).map(({ text }) =>
      cents(withoutArrow(text)),
    ) as [number, number, number, number, number, number]
  const held = await read('/', ['Cost basis', 'Unrealized gain', '1 copy without a purchase price', 'Portfolio value'])
  expect(held[0] + held[1] + held[2]).toBe(held[3])
  const sold = await read('/sales', ['Sold for', 'Fees', 'Shipping', 'Cost', 'No known cost', 'Realized profit'])
  expect(sold[0] - sold[1] - sold[2] - sold[3] - sold[4]).toBe(sold[5])
  await page.goto('/sales/summary')
  const months = await readTable(page, `${daysAgo(0).slice(0, 4)} sales by month`)
  const amount = (row: Record<string, string>, column: string) => cents(row[column]!.split('\n')[0]!)
  for (const row of months) {
    expect(amount(row, 'Gross') - amount(row, 'Fees') - amount(row, 'Shipping'), row['Month']).toBe(amount(row, 'Net'))
    expect(amount(row, 'Net') - amount(row, 'Cost') - amount(row, 'No known cost'), row['Month']).toBe(
      amount(row, 'Profit'),
    )
  }
  for (const column of ['Gross', 'Fees', 'Shipping', 'Net', 'Cost', 'No known cost', 'Profit']) {
    const sum = months.slice(0, -1).reduce((sum, row) => sum + amount(row, column), 0)
    expect(sum, column).toBe(amount(months.at(-1)!, column))
  }
})

test('exports have the figures of the pages', async () => {
  const csv = async (path: string) => {
    const [head, ...lines] = (await (await page.context().request.get(path)).text()).trimEnd().split('\r\n')
    const columns = head!.split(',')
    return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [columns[index]!, cell])))
  }
  const total = (rows: Record<string, string>[], column: string) =>
    rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0)
  const lots = await csv('/collections/export.csv')
  const sales = await csv('/sales/export.csv')
  const [value, gain] = (await readFigures('/', { 'Portfolio value': '', 'Unrealized gain': '' })).map(({ text }) =>
    cents(text),
  )
  const [gross, profit] = (await readFigures('/sales', { 'Sold for': '', 'Realized profit': '' })).map(({ text }) =>
    cents(text),
  )
  expect([total(lots, 'value_usd'), total(lots, 'gain_usd')]).toEqual([value, gain])
  expect([total(sales, 'gross_proceeds_usd'), total(sales, 'profit_loss_usd')]).toEqual([gross, profit])
})
