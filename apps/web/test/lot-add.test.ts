import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCollection, addLot } from '@brickmark/tests/support/fixtures'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { findLots } from './support/collections.ts'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

/** Adding sets without a camera. */

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket })
})
afterAll(() => web.stop())

async function openAddPage(query: string, options = {}) {
  const user = await web.createUser()
  const account_id = user.accountId
  const collection = await addCollection(web.db, account_id, { name: 'Shelf', is_default: true })
  const attic = await addCollection(web.db, account_id, { name: 'Attic' })
  await addLot(web.db, { account_id, collection_id: attic, set_number: '90001-1', quantity: 3 })
  await addLot(web.db, { account_id, collection_id: collection, set_number: '90001-1', condition: 'used' })
  const context = await web.signedInContext(user, options)
  const page = await context.newPage()
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`/collections/${collection}/add${query}`)
  return { user, collection, attic, context, page, browserErrors }
}

const results = (page: Page) =>
  page
    .getByRole('list', { name: 'Matching sets' })
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.map((item) => (item as HTMLElement).innerText.split('\n').filter((line) => line !== '')),
    )

test('results show the value, its change in one year, and the copies that are owned', async () => {
  const { page, context } = await openAddPage('?q=900')
  // 12.50 more than 60.00 after ten months, and 112.40 today; as on the page of the set.
  const rows = await results(page)
  expect(rows.map(([title, detail, value]) => [title, detail, value])).toEqual([
    ['Tidewater Lighthouse', '90001-1 · Harbor · 2022', '$112.40'],
    ['Copper Canyon Crossing', '90002-1 · Frontier · 2024', '$40.05'],
    ['Unvalued Ferry', '90003-1 · Harbor', 'No value yet'],
    ['Café at the Corner', '90004-1 · Town', '$200.00'],
    ['Mystery Figure 1', '90010-1 · Harbor', 'No value yet'],
  ])
  expect(rows[0]!.at(-1)).toBe('4')
  expect(rows[3]!.slice(3)).toEqual(['Less than a month of history'])
  const setPage = await context.newPage()
  await setPage.goto('/set/90001-1')
  const sealed = setPage.getByRole('region', { name: 'Sealed' })
  expect(await sealed.innerText()).toContain(`${rows[0]!.slice(3, -1).join('\n')} 1 year`)

  expect(await page.getByText('5 of 6 · sealed value').count()).toBe(1)
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.getByText('6 sets · sealed value').waitFor()
  expect(await results(page)).toHaveLength(6)
  await context.close()
})

test('words of the query are highlighted, whatever characters it has', async () => {
  const { page, context, browserErrors } = await openAddPage('?q=light+tide')
  expect(await page.locator('mark').allInnerTexts()).toEqual(['Tide', 'Light'])
  await page.goto(`${page.url().replace(/\?.*/, '')}?q=${encodeURIComponent('(light* [tide')}`)
  expect(await page.locator('mark').count()).toBe(0)
  expect(browserErrors).toEqual([])
  await context.close()
})

test('the form says what the copies are worth, what they cost and the difference, to the cent', async () => {
  const { page, context, browserErrors } = await openAddPage('?q=90001&set=90001-1')
  const summary = async () => {
    const lines = await page
      .locator('form dl')
      .evaluate((list) => [...list.querySelectorAll('dd')].map((line) => line.innerText.replaceAll(/\s+/g, ' ').trim()))
    return lines
  }
  const unknown = '— Not available'
  expect(await summary()).toEqual(['$112.40', unknown, unknown])
  await page.getByLabel('Copies').fill('3')
  await page.getByLabel('Paid each').fill('99.99')
  expect(await summary()).toEqual(['3 × $112.40 = $337.20', '$299.97', '▲+$37.23'])
  await page.getByText('Used', { exact: true }).click()
  expect(await summary()).toEqual(['3 × $71.10 = $213.30', '$299.97', '▼−$86.67'])
  await page.getByRole('button', { name: 'One copy less' }).click()
  expect(await summary()).toEqual(['2 × $71.10 = $142.20', '$199.98', '▼−$57.78'])
  await page.getByLabel('Paid each').fill('0')
  expect(await summary()).toEqual(['2 × $71.10 = $142.20', '$0.00', '▲+$142.20'])
  await page.getByLabel('Paid each').fill('12,5')
  expect(await summary()).toEqual(['2 × $71.10 = $142.20', unknown, unknown])
  await page.getByLabel('Copies').fill('')
  expect(await summary()).toEqual([unknown, unknown, unknown])

  await page.goto(page.url().replace(/\?.*/, '?set=90003-1'))
  await page.getByLabel('Paid each').fill('10')
  expect(await summary()).toEqual(['No value yet', '$10.00', unknown])
  expect(browserErrors).toEqual([])
  await context.close()
})

test('a set can be found and added with the keyboard alone', async () => {
  const { page, context, user, collection } = await openAddPage('')
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  // The search field has the focus.
  await page.keyboard.type('crossing')
  await press('Enter')
  await page.getByText('1 set · sealed value').waitFor()
  // After a navigation, focus is on the heading: past the collection, three tabs, the camera, the field and its button.
  await press(...Array.from({ length: 8 }, () => 'Tab'))
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Add 90002-1 Copper Canyon Crossing')
  await press('Enter')
  await page.getByRole('button', { name: 'Add 1 copy' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Copper Canyon Crossing')
  // Past the cross to the condition.
  await press('Tab', 'Tab', 'ArrowRight')
  expect(await page.getByLabel('Used').isChecked()).toBe(true)
  await press('Tab', 'Tab', 'ArrowUp', 'ArrowUp', 'Tab', 'Tab')
  await page.keyboard.type('19.5')
  await press('Enter')
  await page.getByRole('heading', { name: 'Shelf', level: 1 }).waitFor()
  expect((await findLots(web.db, user.accountId)).at(-1)).toMatchObject({
    collection_id: collection,
    set_number: '90002-1',
    condition: 'used',
    quantity: 3,
    purchase_price_cents: 1950,
  })
  await context.close()
})

test('a typed barcode opens the form, and the cross leads back to the search', async () => {
  const { page, context } = await openAddPage('?q=673419000017')
  await page.getByText('Found by barcode').waitFor()
  await page.getByRole('link', { name: 'Choose another set' }).click()
  await page.getByRole('heading', { name: 'Tidewater Lighthouse' }).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Set number, name or barcode').inputValue()).toBe('')
  await context.close()
})

test('another collection can be chosen on the way', async () => {
  const { page, context, attic } = await openAddPage('?q=90001&set=90001-1')
  await page.getByText('Shelf', { exact: true }).first().click()
  await page.getByRole('link', { name: 'Attic' }).click()
  await page.waitForURL(`**/collections/${attic}/add?q=90001&set=90001-1`)
  await page.getByRole('button', { name: 'Add 1 copy' }).click()
  await page.getByRole('heading', { name: 'Attic', level: 1 }).waitFor()
  await context.close()
})

test('works without JavaScript, and shows nothing that needs it', async () => {
  const { page, context, user } = await openAddPage('', { javaScriptEnabled: false })
  await page.getByLabel('Set number, name or barcode').fill('lighthouse')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('link', { name: 'Add 90001-1 Tidewater Lighthouse, you have 4' }).click()
  await page.getByLabel('Copies').fill('2')
  for (const text of ['Worth today', 'Add and scan next', 'Scan barcode'])
    expect(await page.getByText(text).isVisible(), text).toBe(false)
  await page.getByRole('button', { name: 'Add to collection' }).click()
  await page.getByRole('heading', { name: 'Shelf', level: 1 }).waitFor()
  expect((await findLots(web.db, user.accountId)).at(-1)).toMatchObject({ quantity: 2, set_number: '90001-1' })
  await context.close()
})

test('every state has no accessibility violations and fits every screen', async () => {
  const { context, collection } = await openAddPage('')
  for (const [query, name] of [
    ['', 'lot-add-empty'],
    ['?q=900', 'lot-add-results'],
    ['?q=90001&set=90001-1', 'lot-add-form'],
    ['?q=673419000017', 'lot-add-found'],
    ['?q=4006381333931', 'lot-add-unknown'],
  ] as const)
    await checkPage(context, `/collections/${collection}/add${query}`, name)
  await context.close()
})
