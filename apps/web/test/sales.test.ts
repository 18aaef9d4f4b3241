import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedCatalog, formatMoney, formatGain, formatPercent, readTable } from './support/collections.ts'
import { checkCurrentPage, collectBrowserErrors } from './support/check-page.ts'
import { seedStock, lotQuantities, fetchSales, EBAY_REPORT, expectedSaleRow, type ApiSale } from './support/sales.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog })
})
afterAll(() => web.stop())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const ledger = (user: TestUser, query?: string) => fetchSales(web, user, query)
const held = (user: TestUser) => lotQuantities(web, user)

/** Reads the computed amounts from the sale form. */
async function outcome(page: Page): Promise<Record<string, string>> {
  const pairs = await page
    .locator('dl > div')
    .evaluateAll((all) => all.map((pair) => [...pair.children].map((child) => (child as HTMLElement).innerText)))
  return Object.fromEntries(pairs) as Record<string, string>
}

// At any time, at least one of these zones has a different date than UTC.
test.each(['Pacific/Kiritimati', 'Etc/GMT+12'])('in %s the default sale date is the local date', async (timezoneId) => {
  const user = await web.createUser()
  await seedStock(web, user)
  const context = await web.signedInContext(user, { timezoneId })
  const page = await context.newPage()
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezoneId }).format(new Date())
  await page.goto('/sales/new?item=90001-1')
  await expect.poll(() => page.getByLabel('Sale date').inputValue()).toBe(today)
  await page.getByLabel('Buyer paid').fill('100')
  await press(page, 'Record sale')
  await page.waitForURL(/\/sales\?done=/)
  expect((await ledger(user)).map(({ sale_date }) => sale_date)).toEqual([today])
  await context.close()
})

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  const workOut = async (page: Page) => {
    if (!javaScriptEnabled) await press(page, 'Calculate')
  }

  test('records, edits and deletes a sale from a lot: page and API agree to the cent, units are returned', async () => {
    const user = await web.createUser()
    const { stock, young, old, used } = await seedStock(web, user)
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/sales')
    await page.getByText('No sales yet').waitFor()
    await page.goto(`/collections/${stock}`)
    await page.getByRole('link', { name: `Sell 90001-1 Tidewater Lighthouse, lot ${young}` }).click()
    await page.getByRole('heading', { name: '90001-1 Tidewater Lighthouse' }).waitFor()
    expect(await page.getByLabel('Lot', { exact: true }).inputValue()).toBe(String(young))

    // Oldest lot first, with the fee preset in force on that day.
    await page.getByLabel('Lot', { exact: true }).selectOption('sealed')
    await page.getByLabel('Quantity').fill('3')
    await page.getByLabel('Sale date').fill('2026-05-18')
    await page.getByLabel('Buyer paid').fill('389.97')
    await page.getByLabel('Shipping cost').fill('12.10')
    await workOut(page)
    await page.getByText('which is $52.07').waitFor()
    await page.getByText(`Uses 2 from lot ${old}, 1 from lot ${young}.`).waitFor()
    expect(await outcome(page)).toEqual({
      'Net proceeds': formatMoney(325.8),
      Cost: formatMoney(199.01),
      Profit: formatGain(126.79),
      ROI: formatPercent(63.71),
    })
    await page.getByLabel('Platform fees').fill('50')
    await page.getByLabel('Payment fees').fill('0.49')
    await workOut(page)
    await expect
      .poll(() => outcome(page))
      .toMatchObject({ 'Net proceeds': formatMoney(327.38), Profit: formatGain(128.37) })
    expect(await ledger(user)).toEqual([])
    await press(page, 'Record sale')
    await page.getByText('Sale recorded and units removed from your collections.').waitFor()
    const [sale] = await ledger(user)
    expect(sale).toMatchObject({
      set_number: '90001-1',
      platform: 'ebay',
      sale_date: '2026-05-18',
      quantity: 3,
      gross_proceeds_usd: 389.97,
      platform_fees_usd: 50,
      payment_fees_usd: 0.49,
      shipping_cost_usd: 12.1,
      net_proceeds_usd: 327.38,
      profit_loss_usd: 128.37,
      roi_pct: 64.5,
    })
    expect(await readTable(page, 'Sales')).toEqual([expectedSaleRow(sale!)])
    expect(await held(user)).toEqual([
      [young, 2],
      [old, 0],
      [used, 1],
    ])

    // Too many units: rejected, nothing changes. Then fewer, from one lot.
    await page.getByRole('link', { name: /^Edit sale of 90001-1/ }).click()
    await page.getByRole('heading', { name: 'Edit sale' }).waitFor()
    expect(await outcome(page)).toMatchObject({ 'Net proceeds': formatMoney(327.38), Profit: formatGain(128.37) })
    await page.getByLabel('Lot', { exact: true }).selectOption('sealed')
    await page.getByLabel('Quantity').fill('6')
    await press(page, 'Save')
    await page.getByRole('alert').getByText('Only 5 sealed units available, but you’re selling 6.').waitFor()
    await page.getByLabel('Quantity').fill('1')
    await page.getByLabel('Lot', { exact: true }).selectOption(String(used))
    await page.getByLabel('Platform', { exact: true }).selectOption('local')
    await page.getByLabel('Platform fees').fill('')
    await press(page, 'Save')
    await page.getByText('Sale updated.').waitFor()
    const [changed] = await ledger(user)
    // The used lot was a gift: it has a profit but no ROI.
    expect(changed).toMatchObject({
      id: sale!.id,
      platform: 'local',
      quantity: 1,
      platform_fees_usd: 0,
      profit_loss_usd: 377.38,
      roi_pct: null,
    })
    expect(await readTable(page, 'Sales')).toEqual([expectedSaleRow(changed!)])
    expect(await held(user)).toEqual([
      [young, 3],
      [old, 2],
      [used, 0],
    ])

    await page.getByRole('link', { name: /^Edit sale of 90001-1/ }).click()
    await page.getByRole('link', { name: 'Delete…' }).click()
    await page.getByText('The unit goes back to the lot it came from.').waitFor()
    await press(page, 'Delete sale')
    await page.getByText('Sale deleted. 1 unit returned to your collections.').waitFor()
    await page.getByText('No sales yet').waitFor()
    expect(await ledger(user)).toEqual([])
    expect(await held(user)).toEqual([
      [young, 3],
      [old, 2],
      [used, 1],
    ])
    expect(browserErrors).toEqual([])
    await context.close()
  })

  test('records sales of a set that is not owned, with unknown and with entered cost', async () => {
    const user = await web.createUser()
    await seedStock(web, user)
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    for (const cost of ['', '40.00']) {
      await page.goto('/sales/new')
      expect((await readTable(page, 'Items')).map((row) => [row['Item'], row['Qty owned']])).toEqual([
        ['Tidewater Lighthouse\n90001-1', '6'],
      ])
      await page.getByLabel('Set number, name or barcode').fill('cafe')
      await press(page, 'Search')
      await page.getByRole('link', { name: 'Sell 90002-1 Café at the Corner' }).click()
      await page.getByLabel('Buyer paid').fill('100')
      await page.getByLabel('Platform', { exact: true }).selectOption('other')
      await page.getByLabel('Cost (if not from a lot)').fill(cost)
      await press(page, 'Record sale')
      await page.getByText('Sale recorded. It isn’t linked to a lot, so your collections didn’t change.').waitFor()
    }
    const sales = await ledger(user)
    expect(sales.map((sale) => [sale.net_proceeds_usd, sale.profit_loss_usd, sale.roi_pct])).toEqual([
      [100, 60, 150],
      [100, null, null],
    ])
    expect(await readTable(page, 'Sales')).toEqual(sales.map(expectedSaleRow))
    await page.getByText('Net of 1 sale', { exact: true }).waitFor()
    // Saving without changes keeps an entered cost.
    await page
      .getByRole('link', { name: /^Edit sale/ })
      .first()
      .click()
    await press(page, 'Save')
    await page.getByText('Sale updated.').waitFor()
    expect(await ledger(user)).toEqual(sales)
    await page
      .getByRole('link', { name: /^Edit sale/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'Delete…' }).click()
    await press(page, 'Delete sale')
    await page.getByText('Sale deleted. There were no units to return.').waitFor()
    await context.close()
  })

  test('imports an eBay report once, after a preview and an entered set number, without buyer data', async () => {
    const user = await web.createUser()
    const { old } = await seedStock(web, user)
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const open = async () => {
      await page.goto('/sales/import')
      await page
        .getByLabel('Drop your report here')
        .setInputFiles({ name: 'report.csv', mimeType: 'text/csv', buffer: Buffer.from(EBAY_REPORT) })
      await press(page, 'Continue')
      await page.getByRole('heading', { name: 'Rows', exact: true }).waitFor()
    }
    const states = async () => (await readTable(page, 'Report rows')).map((row) => [row['Row'], row['Status']])
    await open()
    expect(await states()).toEqual([
      ['5', 'Ready'],
      ['7', 'Ready'],
      ['8', 'Needs set number'],
      ['9', 'Skipped'],
    ])
    expect(await page.content()).not.toMatch(/Invented|Nowhere/)
    if (javaScriptEnabled) await checkCurrentPage(page, 'sales-import-preview')
    await page.getByLabel('Set number for row 8').fill('77777')
    await press(page, 'Update preview')
    await page.getByText('Set 77777 not found').first().waitFor()
    await page.getByLabel('Set number for row 8').fill('90003')
    await press(page, 'Update preview')
    await expect.poll(states).toEqual([
      ['5', 'Ready'],
      ['7', 'Ready'],
      ['8', 'Ready'],
      ['9', 'Skipped'],
    ])
    await press(page, 'Import 3 sales')
    await page.getByText('3 sales imported.').waitFor()
    // The checks of the pages left the width of a phone, where a sale is two lines.
    await page.setViewportSize({ width: 1280, height: 800 })
    const sales = await ledger(user)
    expect(await readTable(page, 'Sales')).toEqual(sales.map(expectedSaleRow))
    // Net proceeds match the report to the cent; an order's totals are split between its items and add up again.
    const [ferry, corner, lighthouse] = sales as [ApiSale, ApiSale, ApiSale]
    expect(lighthouse).toMatchObject({ sale_date: '2026-03-05', net_proceeds_usd: 99.93, profit_loss_usd: 35.43 })
    expect([corner.set_number, ferry.set_number, ferry.quantity]).toEqual(['90002-1', '90003-1', 2])
    expect(Math.round((corner.net_proceeds_usd + ferry.net_proceeds_usd) * 100)).toBe(7637)
    expect(Math.round((corner.gross_proceeds_usd + ferry.gross_proceeds_usd) * 100)).toBe(10_001)
    expect(Object.fromEntries(await held(user))[old]).toBe(1)

    await open()
    expect((await states()).map(([, state]) => state)).toEqual([
      'Already imported',
      'Already imported',
      'Already imported',
      'Skipped',
    ])
    expect(await ledger(user)).toHaveLength(3)
    await context.close()
  })
})
