import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowVersion } from '@brickmark/core/db/row-version'
import { addSale } from '@brickmark/tests/support/fixtures'
import { seedCatalog, formatMoney, formatGain, formatPercent, readTable } from './support/collections.ts'
import { checkPage } from './support/check-page.ts'
import {
  seedSales,
  seedStock,
  lotQuantities,
  fetchSales,
  formatProfit,
  expectedSaleRow,
  sumSales,
  type ApiSale,
} from './support/sales.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog })
})
afterAll(() => web.stop())

const ledger = (user: TestUser, query?: string) => fetchSales(web, user, query)
const held = (user: TestUser) => lotQuantities(web, user)

describe('ledger of 60 sales', () => {
  let user: TestUser
  let all: ApiSale[]
  beforeAll(async () => {
    user = await web.createUser()
    await seedSales(web, user)
    all = await ledger(user)
  })

  const figures = async (page: Page) => {
    const main = await page.getByRole('main').innerText()
    return (label: string) => new RegExp(`^${label}\\n+(.+)$`, 'm').exec(main)?.[1]
  }

  test('every ledger page shows the same numbers as the API', async () => {
    const context = await web.signedInContext(user)
    const page = await context.newPage()
    await page.goto('/sales')
    expect(await readTable(page, 'Sales')).toEqual(all.slice(0, 50).map(expectedSaleRow))
    await page.getByText('1–50 of 60').waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('51–60 of 60').waitFor()
    expect(await readTable(page, 'Sales')).toEqual(all.slice(50).map(expectedSaleRow))
    for (const [query, matches] of [
      ['', () => true],
      ['?year=2025', (sale) => sale.sale_date.startsWith('2025')],
      ['?platform=local', (sale) => sale.platform === 'local'],
      ['?q=lighthouse&year=2026', (sale) => sale.set_number === '90001-1' && sale.sale_date.startsWith('2026')],
      ['?q=90002&platform=ebay', (sale) => sale.set_number === '90002-1' && sale.platform === 'ebay'],
    ] as [string, (sale: ApiSale) => boolean][]) {
      const some = all.filter(matches)
      const sums = sumSales(some)
      await page.goto(`/sales${query}`)
      expect(await readTable(page, 'Sales'), query).toEqual(some.slice(0, 50).map(expectedSaleRow))
      const figure = await figures(page)
      expect(figure('Sold for'), query).toBe(formatMoney(sums.gross))
      expect(figure('Fees'), query).toBe(formatMoney(sums.fees))
      expect(figure('Shipping'), query).toBe(formatMoney(sums.shipping))
      expect(figure('Cost'), query).toBe(formatMoney(sums.cost))
      if (sums.netWithoutCost > 0) expect(figure('No known cost'), query).toBe(formatMoney(sums.netWithoutCost))
      expect(figure('Realized profit'), query).toBe(formatGain(sums.profit))
      expect(await page.getByRole('main').innerText()).toContain(`${formatPercent(sums.roi)} on cost`)
    }
    await page.goto('/sales?year=2020')
    await page.getByText('No matching sales').waitFor()
    await context.close()
  })

  test('the monthly summary and the export add up to the API’s sales', async () => {
    const context = await web.signedInContext(user, { javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/sales/summary?year=2026')
    const year = all.filter((sale) => sale.sale_date.startsWith('2026'))
    const months = Map.groupBy(year.toReversed(), (sale) => sale.sale_date.slice(0, 7))
    expect(await readTable(page, '2026 sales by month')).toEqual(
      [...months, ['Total', year] as const].map(([month, sales]) => {
        const sums = sumSales(sales)
        return {
          Month: month,
          Sales: String(sales.length),
          Qty: String(sums.units),
          Gross: formatMoney(sums.gross),
          Fees: formatMoney(sums.fees),
          Shipping: formatMoney(sums.shipping),
          Net: formatMoney(sums.net),
          Cost: formatMoney(sums.cost),
          'No known cost': formatMoney(sums.netWithoutCost),
          Profit: formatProfit(sums.profit, sums.roi),
        }
      }),
    )
    await page.getByRole('link', { name: '2025', exact: true }).click()
    await page.getByRole('heading', { name: '2025 sales', level: 1 }).waitFor()

    const text = await (await context.request.get('/sales/export.csv?year=2026')).text()
    const [head, ...lines] = text.trimEnd().split('\r\n')
    const columns = head!.split(',')
    const read = lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [columns[index]!, cell])))
    expect(read).toHaveLength(year.length)
    expect(read.map(({ cost_usd: _cost, ...row }) => row)).toEqual(
      year.map((sale) => ({
        ...Object.fromEntries(Object.entries(sale).map(([name, value]) => [name, String(value ?? '')])),
        type: 'set',
      })),
    )
    await context.close()
  })

  test('the export escapes titles that a spreadsheet would run as formulas', async () => {
    const other = await web.createUser()
    await web.db
      .insertInto('catalog.set')
      .values({ set_number: '90099-1', title: '=1+1,"x"', theme: 'Odd' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await addSale(web.db, { account_id: other.accountId, set_number: '90099-1' })
    const headers = { cookie: await web.signInCookies(other) }
    const text = await (await fetch(`${web.origin}/sales/export.csv`, { headers })).text()
    expect(text.split('\r\n')[1]).toContain(`,90099-1,"'=1+1,""x""",ebay,`)
  })
})

test('responds 404 to another account’s sale and changes nothing', async () => {
  const owner = await web.createUser()
  const { young } = await seedStock(web, owner)
  const id = await addSale(web.db, { account_id: owner.accountId, set_number: '90001-1' })
  const stranger = await web.createUser()
  const cookie = await web.signInCookies(stranger)
  const send = async (path: string, fields?: Record<string, string>, sessionCookie = cookie) => {
    const init = fields && { method: 'POST', body: new URLSearchParams(fields) }
    const headers = { cookie: sessionCookie, origin: web.origin }
    return (await fetch(web.origin + path, { ...init, redirect: 'manual', headers })).status
  }
  const sale = { platform: 'ebay', date: '2026-01-01', quantity: '1', gross: '1', lot: 'none' }
  const before = await ledger(owner)
  for (const saleId of [id, 999_999, 'x', '0']) {
    expect(await send(`/sales/${saleId}`), `GET ${saleId}`).toBe(404)
    expect(await send(`/sales/${saleId}/delete`), `GET ${saleId}/delete`).toBe(404)
    expect(await send(`/sales/${saleId}`, sale), `POST ${saleId}`).toBe(404)
    expect(await send(`/sales/${saleId}/delete`, {}), `POST ${saleId}/delete`).toBe(404)
  }
  // Units can't be taken from another account's lot.
  expect(await send('/sales/new?item=90001-1', { ...sale, lot: String(young) })).toBe(400)
  expect(await send('/sales/new?item=77777', sale)).toBe(404)
  expect(await ledger(stranger)).toEqual([])
  expect(await ledger(owner)).toEqual(before)
  expect(Object.fromEntries(await held(owner))[young]).toBe(3)
  // The same forms work for the owner, so the rejections above have no other cause.
  const own = await web.signInCookies(owner)
  const { version } = await web.db
    .selectFrom('portfolio.sale')
    .select(rowVersion('portfolio.sale').as('version'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await send(`/sales/${id}`, sale, own)).toBe(400)
  expect(await send(`/sales/${id}`, { ...sale, seen: version }, own)).toBe(302)
  expect(await send('/sales/new?item=90001-1', { ...sale, lot: String(young) }, own)).toBe(302)
  expect(await send(`/sales/${id}/delete`, {}, own)).toBe(302)
  expect(await ledger(owner)).toHaveLength(1)
})

test('responds 400 to files that are not a report', async () => {
  const cookie = await web.signInCookies(await web.createUser())
  for (const [text, message] of [
    ['', 'Choose a file'],
    ['Set Number,Quantity\n90001-1,1\n', 'isn’t an eBay order earnings report'],
    ['Order creation date,Order number,Item title,Quantity\n', 'no orders'],
    ['Order number,"x\n', 'Check the quotation marks'],
  ] as const) {
    const body = new FormData()
    body.set('text', text)
    const response = await fetch(`${web.origin}/sales/import`, {
      method: 'POST',
      headers: { cookie, origin: web.origin },
      body,
    })
    expect([response.status, (await response.text()).includes(message)], message).toEqual([400, true])
  }
})

test('every page has no accessibility violations (light/dark, desktop/mobile)', async () => {
  const user = await web.createUser()
  await seedStock(web, user)
  await seedSales(web, user)
  const [sale] = await ledger(user, '?limit=1')
  const context = await web.signedInContext(user)
  for (const [path, name] of [
    ['/sales', 'sales'],
    ['/sales/new', 'sale-new-search'],
    ['/sales/new?item=90001-1', 'sale-new'],
    [`/sales/${sale!.id}`, 'sale'],
    [`/sales/${sale!.id}/delete`, 'sale-delete'],
    ['/sales/import', 'sales-import'],
    ['/sales/summary?year=2026', 'sales-summary'],
  ] as const) {
    await checkPage(context, path, name)
  }
  const newcomer = await web.signedInContext(await web.createUser())
  await checkPage(newcomer, '/sales', 'sales-empty')
  await checkPage(newcomer, '/sales/new', 'sale-new-empty')
  await newcomer.close()
  await context.close()
})
