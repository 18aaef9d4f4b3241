import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCollection, addLot } from '@brickmark/tests/support/fixtures'
import { seedCatalog, createApiKey, findLots, readTable } from './support/collections.ts'
import { FORMAT_FILES } from './support/import-files.ts'
import { checkCurrentPage, checkPage, collectBrowserErrors } from './support/check-page.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog })
})
afterAll(() => web.stop())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function upload(page: Page, name: string, text: string): Promise<void> {
  await page.goto('/import')
  await page.getByLabel('Drop a file here').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await press(page, 'Continue')
}

async function paste(page: Page, text: string): Promise<void> {
  await page.goto('/import')
  await page.getByLabel('Or paste the contents').fill(text)
  await press(page, 'Continue')
}

const figure = (page: Page, label: string) => page.locator(`p:text-is("${label}") + p`).innerText()

const exported = async (context: BrowserContext) => (await context.request.get('/collections/export.csv')).text()

test.each(FORMAT_FILES)('imports 300 rows of $format, with totals equal to the API’s and a chart', async (file) => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  const browserErrors = collectBrowserErrors(page)
  await upload(page, file.name, file.text)
  await page.getByText(`· ${file.format} ·`).waitFor()
  for (const [label, value] of file.answers) {
    const control = page.getByLabel(label)
    if ((await control.evaluate((element) => element.tagName)) === 'SELECT') await control.selectOption(value)
    else await control.fill(value)
  }
  await press(page, 'Update preview')
  await expect.poll(() => figure(page, 'Ready'), { timeout: 10_000 }).toBe('300')
  await press(page, 'Import')
  await page.getByText('300 lots imported').waitFor()
  await page.goto('/collections')
  const [row] = await readTable(page, 'Your collections')
  const { brickfolios } = (
    await web.api.get<{ brickfolios: Record<string, number>[] }>('/brickfolio', await createApiKey(web, user.accountId))
  ).data
  expect(brickfolios).toHaveLength(1)
  expect(brickfolios[0]).toMatchObject({
    owned_item_count: file.units,
    total_cost_basis_usd: file.cost,
    total_current_value_usd: file.value,
  })
  const dollars = (amount: number) => amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
  expect(row).toMatchObject({
    Qty: file.units.toLocaleString('en-US'),
    // A file without prices has no cost.
    'Cost basis': file.cost === 0 ? '—\nNot available' : dollars(file.cost),
    Value: dollars(file.value),
  })
  await page.goto('/')
  await page.getByRole('figure').getByText('Portfolio value vs. cost basis').first().waitFor()
  expect(await page.locator('main').innerText()).toContain(dollars(file.value))
  expect(browserErrors).toEqual([])
  await context.close()
})

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('imports a pasted custom table: column mapping, set choices, duplicates, skipped rows, undo', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    await paste(
      page,
      [
        'Which one\tHow many\tSpent\tWhen',
        '90001\t2\t10.00\t2025-01-02',
        '90001\t2\t10.00\t2025-01-02',
        '90010\t1\t3.50\t03/04/2025',
        '=77777\t1\t1\t2025-01-02',
      ].join('\n'),
    )
    await page.getByText('· Custom format ·').waitFor()
    await page.getByLabel('Set number').selectOption({ index: 1 })
    await page.getByLabel('Quantity').selectOption({ index: 2 })
    await page.getByLabel('Purchase price (each)').selectOption({ index: 3 })
    await page.getByLabel('Purchase date').selectOption({ index: 4 })
    await press(page, 'Update preview')
    await page.getByLabel('Date format').selectOption('month-first')
    await page.getByLabel('Currency').selectOption('USD')
    await page.getByLabel('90010').selectOption('90010-2')
    if (javaScriptEnabled) await checkCurrentPage(page, 'import-questions')
    await press(page, 'Import')
    await page.getByText('3 lots imported').waitFor()
    expect(
      (await findLots(web.db, user.accountId)).map((lot) => [lot.set_number, lot.quantity, lot.purchase_date]),
    ).toEqual([
      ['90001-1', 2, '2025-01-02'],
      ['90001-1', 2, '2025-01-02'],
      ['90010-2', 1, '2025-03-04'],
    ])
    const [path] = await page
      .getByRole('link', { name: 'download details' })
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
    expect(await (await context.request.get(path!)).text()).toBe(
      "Which one,How many,Spent,When,reason\r\n'=77777,1,1,2025-01-02,Row 5: Set =77777 not found\r\n",
    )

    // One lot was changed: the undo reports it, keeps it and removes the rest.
    const [changed] = await findLots(web.db, user.accountId)
    await web.db.updateTable('portfolio.lot').set({ notes: 'mine now' }).where('id', '=', changed!.id).execute()
    await page.getByRole('link', { name: 'Undo Pasted data' }).click()
    await page.getByText('1 of them was edited, moved or sold since then').waitFor()
    if (javaScriptEnabled) await checkCurrentPage(page, 'import-undo')
    await press(page, 'Remove 2 lots')
    await page.getByText('1 lot kept because you changed it').waitFor()
    expect(await findLots(web.db, user.accountId)).toMatchObject([{ id: changed!.id, notes: 'mine now' }])
    await context.close()
  })

  test('detects a repeated file, doesn’t import it without confirmation, and undo removes everything', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const list = 'Set Number,Quantity,Includes Spares,Inventory Ver\n90001-1,1,True,1\n'
    await upload(page, 'first.csv', list)
    await press(page, 'Import')
    await page.getByText('1 lot imported').waitFor()
    await upload(page, 'other-name.csv', list)
    await page.getByText('You’ve already imported this file').waitFor()
    await press(page, 'Import')
    await page.getByText('Check the box to import it again').waitFor()
    expect(await findLots(web.db, user.accountId)).toHaveLength(1)
    await page.getByLabel('Import this file again').check()
    await press(page, 'Import')
    await page.getByText('1 lot imported').waitFor()
    for (const left of [1, 0]) {
      await page.goto('/imports')
      await page
        .getByRole('link', { name: /^Undo / })
        .first()
        .click()
      await press(page, 'Remove 1 lot')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByText('Undone').first().waitFor()
      expect(await findLots(web.db, user.accountId)).toHaveLength(left)
    }
    // The collection created by the first import is removed with it.
    await page.goto('/collections')
    await page.getByText('No collections yet').waitFor()
    await context.close()
  })
})

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('a list without prices and dates leaves them unknown, or uses retail price and release date', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const list = (units: number) => `Set Number,Quantity,Includes Spares\n90001-1,${units},True\n`
    await upload(page, 'list.csv', list(2))
    await press(page, 'Import')
    await page.getByText('1 lot imported').waitFor()
    const unknown = { purchase_price_cents: null, purchase_date: null }
    expect(await findLots(web.db, user.accountId)).toMatchObject([unknown])
    await page.goto('/')
    const sum = await page.getByRole('region', { name: 'Sums and returns' }).innerText()
    const value = await figure(page, 'Portfolio value')
    expect(sum).toMatch(`2 copies without a purchase price\n${value}`)
    expect(sum).not.toMatch(/Cost basis|Unrealized gain/)
    await upload(page, 'again.csv', list(3))
    await page.getByLabel('If price or date is unknown').selectOption('retail')
    await press(page, 'Update preview')
    await page.getByText('Mar 1, 2023').waitFor()
    await press(page, 'Import')
    await page.getByText('1 lot imported').first().waitFor()
    const { msrp_cents, release_date } = await web.db
      .selectFrom('catalog.set')
      .select(['msrp_cents', 'release_date'])
      .where('set_number', '=', '90001-1')
      .executeTakeFirstOrThrow()
    expect(await findLots(web.db, user.accountId)).toMatchObject([
      unknown,
      { purchase_price_cents: msrp_cents, purchase_date: release_date },
    ])
    await context.close()
  })

  test('shows an error at the field for an invalid price and accepts valid ones', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    await upload(page, 'list.csv', 'Set Number,Quantity,Includes Spares\n90001-1,1,True\n')
    const field = page.getByLabel('Default purchase price')
    const rule = page.locator('form p', { hasText: 'Enter a valid price in USD, e.g. 12.50' })
    const states = () => Promise.all(['Ready', 'Needs input'].map((label) => figure(page, label)))
    for (const button of ['Update preview', 'Import']) {
      await field.fill('twenty')
      await press(page, button)
      await rule.waitFor()
      expect(await field.getAttribute('aria-describedby')).toContain(await rule.getAttribute('id'))
      expect(await field.inputValue()).toBe('twenty')
      expect(await states()).toEqual(['0', '1'])
      expect(await findLots(web.db, user.accountId)).toEqual([])
    }
    if (javaScriptEnabled) await checkCurrentPage(page, 'import-refused')
    await field.fill('$20')
    await press(page, 'Update preview')
    await rule.waitFor({ state: 'detached' })
    expect(await states()).toEqual(['1', '0'])
    // Import directly, without updating the preview first.
    await field.fill('1.234')
    await press(page, 'Import')
    await rule.waitFor()
    expect(await states()).toEqual(['0', '1'])
    await field.fill('12,50')
    await press(page, 'Import')
    await page.getByText('1 lot imported').waitFor()
    expect(await findLots(web.db, user.accountId)).toMatchObject([{ purchase_price_cents: 1250 }])
    await context.close()
  })

  test('shows an error for a file above the limit stated at the field', async () => {
    const context = await web.signedInContext(await web.createUser(), { javaScriptEnabled })
    const page = await context.newPage()
    for (const path of ['/import', '/sales/import']) {
      await page.goto(path)
      const file = page.locator('input[type=file]')
      expect(await page.locator(`#${await file.getAttribute('aria-describedby')}`).innerText()).toBe('Up to 5 MB.')
      await file.setInputFiles({ name: 'big.csv', mimeType: 'text/csv', buffer: Buffer.alloc(9 * 1024 * 1024, 'a') })
      await press(page, 'Continue')
      await page.getByText('Files can be up to 5 MB').waitFor()
      expect(await page.locator('body').innerText()).not.toContain('incomplete or out of date')
    }
    await context.close()
  })
})

test('without JavaScript, a double click on Import creates one import and leads to it', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user, { javaScriptEnabled: false })
  const page = await context.newPage()
  await upload(page, 'list.csv', 'Set Number,Quantity,Includes Spares\n90001-1,1,True\n')
  const draft = page.url()
  await page.getByRole('button', { name: 'Import', exact: true }).dblclick()
  await page.getByText('1 lot imported').waitFor()
  // Going back to the draft's URL redirects as well.
  await page.goto(draft)
  await page.getByText('1 lot imported').waitFor()
  expect(await findLots(web.db, user.accountId)).toHaveLength(1)
  await context.close()
})

test('an export imported into an empty account exports the same bytes', async () => {
  const owner = await web.createUser()
  const lot = { account_id: owner.accountId, set_number: '90001-1' }
  const stock = await addCollection(web.db, owner.accountId, { name: '=Stock, "sealed"', is_default: true })
  const shelf = await addCollection(web.db, owner.accountId, { name: 'Shelf' })
  await addLot(web.db, { ...lot, collection_id: shelf, notes: ' two\r\nlines ', purchase_date: '2025-03-04' })
  for (const notes of ['=1+1', '+1', '-1', '@x', '\ttab', "'quoted", "''", 'a "word", and ü']) {
    await addLot(web.db, { ...lot, collection_id: stock, notes, quantity: 3, purchase_price_cents: 7 })
  }
  await addLot(web.db, { ...lot, collection_id: stock, set_number: '90002-1', condition: 'used', status: 'listed' })
  await addLot(web.db, { ...lot, collection_id: stock, set_number: '90002-1', condition: 'used', status: 'listed' })
  const before = await web.signedInContext(owner)
  const text = await exported(before)
  expect(text.split('\r\n').some((line) => /^[=+\-@]|,[=+\-@\t]/.test(line))).toBe(false)
  const heir = await web.createUser()
  const context = await web.signedInContext(heir)
  const page = await context.newPage()
  await upload(page, 'export.csv', text)
  await press(page, 'Import')
  await page.getByText('11 lots imported').waitFor()
  expect(await exported(context)).toBe(text)
  const kept = await web.db
    .selectFrom('portfolio.collection')
    .select('name')
    .where('account_id', '=', heir.accountId)
    .execute()
  expect(kept.map(({ name }) => name).sort()).toEqual(['=Stock, "sealed"', 'Shelf'])
  await before.close()
  await context.close()
})

test('every page has no accessibility violations (light/dark, desktop/mobile)', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await upload(page, 'list.csv', 'Set Number,Quantity,Includes Spares\n90001-1,1,True\n99999-1,1,True\n')
  await checkCurrentPage(page, 'import-preview')
  await press(page, 'Import')
  await page.getByText('1 lot imported').waitFor()
  await checkCurrentPage(page, 'imports')
  await checkPage(context, '/import', 'import')
  await context.close()
})
