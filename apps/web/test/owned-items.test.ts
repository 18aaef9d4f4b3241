import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCollection, addLot } from '@brickmark/tests/support/fixtures'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { readTable, seedCatalog } from './support/collections.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

/** Minifigs and custom items: added, valued, edited, sold and exported. */

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({
    seed: async (db) => {
      await seedCatalog(db)
      await db
        .insertInto('catalog.minifig')
        .values([
          { minifig_number: 'mtw009', name: 'Cheesemonger, Flower Badge', category: 'Town' },
          { minifig_number: 'mtw020', name: 'Cheesemonger, Sun Visor', category: 'Town' },
        ])
        .execute()
      await sql`
        insert into market.minifig_value (minifig_number, value_cents, range_low_cents, range_high_cents, data_tier, calculated_at)
        values ('mtw020', 449, 400, 500, 'market', now())`.execute(db)
    },
  })
})
afterAll(() => web.stop())

async function startCollection(javaScriptEnabled = true) {
  const user = await web.createUser()
  const stock = await addCollection(web.db, user.accountId, { is_default: true })
  const context = await web.signedInContext(user, { javaScriptEnabled })
  const page = await context.newPage()
  return { user, stock, context, page }
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('adds, edits and sells a minifig and a custom item', async () => {
    const { user, stock, page } = await startCollection(javaScriptEnabled)
    const browserErrors = collectBrowserErrors(page)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await addLot(web.db, { account_id: user.accountId, collection_id: stock, set_number: '90001-1' })

    await page.goto(`/collections/${stock}/add`)
    await page.getByRole('link', { name: 'Minifig', exact: true }).click()
    await page.getByLabel('Minifig number or name').fill('cheese')
    await press('Search')
    const results = await readTable(page, 'Matching minifigs')
    expect(results.map((row) => row['Used value'])).toEqual(['—\nNot available', '$4.49'])
    await page.getByRole('link', { name: 'Select mtw020 Cheesemonger, Sun Visor' }).click()
    await page.getByLabel('Quantity').fill('3')
    await page.getByLabel('Purchase price').fill('2.10')
    await press('Add to collection')
    await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor()

    await page.goto(`/collections/${stock}/add/custom`)
    await page.getByLabel('Name').fill('Mixed bricks, 6 kg')
    await page.getByLabel('Your value (USD, each)').fill('ninety')
    await press('Add item')
    await page.getByText('Enter a valid value, e.g. 90.00').waitFor()
    await page.getByLabel('Name').fill('Mixed bricks, 6 kg')
    await page.getByLabel('Your value (USD, each)').fill('90')
    await page.getByLabel('Purchase price').fill('55')
    await press('Add item')
    await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor()

    const rows = await readTable(page, 'Lots')
    expect(rows.map((row) => [row['Item'], row['Condition'], row['Value']])).toEqual([
      ['Mixed bricks, 6 kg\nCustom item', 'Your value', expect.stringMatching(/^\$90\.00\nyour value of /)],
      ['Cheesemonger, Sun Visor\nmtw020 · minifig', 'Used', '$13.47\n$4.49 each'],
      ['Tidewater Lighthouse\n90001-1', 'Sealed', '$112.40'],
    ])
    // 112.40 + 3 × 4.49 + 90
    const totals = page.getByRole('region', { name: 'Totals' })
    expect(await totals.innerText()).toContain('$215.87')
    expect(await totals.innerText()).toContain('5 copies of 3 items')

    await page.getByRole('link', { name: /^Edit Mixed bricks/ }).click()
    await page.getByLabel('Name', { exact: true }).fill('Mixed bricks, 5 kg')
    await page.getByLabel('Your value (USD, each)').fill('80')
    await page.getByLabel('Ask me about the value').selectOption('3')
    await press('Save')
    await page.getByText('Mixed bricks, 5 kg').waitFor()
    // Four months later.
    await sql`
      update portfolio.lot set own_value_date = own_value_date - 120
       where account_id = ${user.accountId} and custom_name is not null`.execute(web.db)
    await page.reload()
    await press('Yes, still $80.00')
    await page.getByText('Still worth that?').waitFor({ state: 'detached' })

    await page.getByRole('link', { name: /^Sell Mixed bricks/ }).click()
    await page.getByLabel('Buyer paid').fill('100')
    await page.getByLabel('Platform', { exact: true }).selectOption('local')
    await press('Record sale')
    await page.getByText(/Sale recorded/).waitFor()
    const [sale] = await readTable(page, 'Sales')
    expect([sale!['Item'], sale!['Cost'], sale!['Profit']]).toEqual([
      'Mixed bricks, 5 kg\nCustom item',
      '$55.00',
      expect.stringContaining('+$45.00'),
    ])
    await page.getByRole('link', { name: /^Edit sale of Mixed bricks/ }).click()
    await page.getByRole('heading', { name: 'Mixed bricks, 5 kg' }).waitFor()
    expect(browserErrors).toEqual([])
  })
})

test('pages say what the chart leaves out, and what they show adds up', async () => {
  const { user, stock, page } = await startCollection()
  const lot = { account_id: user.accountId, collection_id: stock, purchase_date: '2026-01-15' }
  await addLot(web.db, { ...lot, set_number: '90001-1' })
  await addLot(web.db, { ...lot, minifig_number: 'mtw020', condition: 'used', quantity: 2, purchase_price_cents: 100 })
  const own = { custom_name: 'Mixed bricks', own_value_cents: 9000, own_value_date: '2026-02-01', review_months: 12 }
  await addLot(web.db, { ...lot, ...own, condition: null, purchase_price_cents: 5500 })
  for (const path of ['/', `/collections/${stock}/performance`]) {
    await page.goto(path)
    // 112.40 + 2 × 4.49 + 90
    await page.getByText('$211.38').first().waitFor()
    await page.getByText('Minifigs and custom items, worth $98.98 today, have no value history.').waitFor()
  }
  expect((await readTable(page, 'Holdings by theme')).map((row) => [row['Theme'], row['Value']])).toEqual([
    [expect.any(String), '$112.40'],
    ['Custom items', '$90.00'],
    ['Minifigs', '$8.98'],
  ])
  await page.goto(`/collections/${stock}/performance?by=condition`)
  expect((await readTable(page, 'Holdings by condition')).map((row) => row['Condition'])).toEqual([
    'Sealed',
    'Custom items',
    'Used',
  ])
  const csv = await (await page.request.get('/collections/export.csv')).text()
  expect(
    csv
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',').slice(1, 4).concat(line.split(',').at(-1)!)),
  ).toEqual([
    ['90001-1', 'Tidewater Lighthouse', 'sealed', 'set'],
    ['mtw020', '"Cheesemonger', ' Sun Visor"', 'minifig'],
    ['', 'Mixed bricks', '', 'custom'],
  ])
})

test('rejects adding to, valuing and selling what another account owns', async () => {
  const theirs = await startCollection()
  const bricks = { custom_name: 'Mixed bricks', own_value_cents: 9000, own_value_date: '2026-02-01', condition: null }
  const lot = await addLot(web.db, { account_id: theirs.user.accountId, collection_id: theirs.stock, ...bricks })
  const { page, stock } = await startCollection()
  for (const path of ['add/minifig', 'add/custom'])
    expect((await page.goto(`/collections/${theirs.stock}/${path}`))!.status()).toBe(404)
  await page.goto(`/sales/new?item=custom:${lot}`)
  await page.getByText('You don’t own anything yet').waitFor()
  const confirm = await page.request.post(`/collections/${stock}`, {
    form: { intent: 'confirm-value', confirmed: String(lot) },
    headers: { origin: web.origin },
    maxRedirects: 0,
  })
  expect(confirm.status()).toBe(302)
  const { rows } = await sql<{ day: string }>`
    select own_value_date::text as day from portfolio.lot where id = ${lot}`.execute(web.db)
  expect(rows[0]!.day).toBe('2026-02-01')
})

test('the pages are accessible and fit at every width', async () => {
  const { context, stock, user } = await startCollection()
  const bricks = { custom_name: 'Mixed bricks', own_value_cents: 9000, own_value_date: '2025-02-01', review_months: 12 }
  await addLot(web.db, { account_id: user.accountId, collection_id: stock, ...bricks, condition: null })
  const lot = { account_id: user.accountId, collection_id: stock, condition: 'used' }
  const id = await addLot(web.db, { ...lot, minifig_number: 'mtw009' })
  for (const [path, name] of [
    ['add/minifig?q=cheese', 'minifig-add-search'],
    ['add/minifig?minifig=mtw020', 'minifig-add'],
    ['add/custom', 'custom-add'],
    ['', 'collection-of-items'],
    [`?edit=${id - 1}`, 'custom-edit'],
  ] as const)
    await checkPage(context, `/collections/${stock}/${path}`.replace(/\/$/, '').replace('/?', '?'), name)
})
