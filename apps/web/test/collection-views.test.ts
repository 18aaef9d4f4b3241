import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkCurrentPage } from './support/check-page.ts'
import { readTable, seedAccount, seedCatalog } from './support/collections.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

/** Views of a collection, and the bar that says what a selection of lots comes to. */

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog })
})
afterAll(() => web.stop())

async function openStock(javaScriptEnabled = true) {
  const user = await web.createUser()
  const { stock } = await seedAccount(web.db, user)
  const page = await (await web.signedInContext(user, { javaScriptEnabled })).newPage()
  await page.goto(`/collections/${stock}`)
  const views = page.getByRole('navigation', { name: 'Views' })
  return { user, stock, page, views }
}

test.each([true, false])('views show as many lots as they say (JavaScript: %s)', async (javaScriptEnabled) => {
  const { page, views } = await openStock(javaScriptEnabled)
  const links = (await views.getByRole('link').allInnerTexts()).map((text) => text.replace('\n', ' '))
  // One lot is listed; three used ones lose money. All have a price and none is retired.
  expect(links).toEqual(['All 4', 'Listed 1', 'Losing money 1'])
  for (const link of links) {
    await views.getByRole('link', { name: link }).click()
    await views.getByRole('link', { name: link }).and(page.locator('[aria-current]')).waitFor()
    expect(await readTable(page, 'Lots')).toHaveLength(Number(link.match(/\d+$/)![0]))
  }
})

test.each([true, false])('saves, replaces and deletes a view (JavaScript: %s)', async (javaScriptEnabled) => {
  const { stock, page, views } = await openStock(javaScriptEnabled)
  expect(await views.getByText('+ Save view').count()).toBe(0)
  await page.goto(`/collections/${stock}?q=&condition=used&by=price&offset=0`)
  await views.getByText('+ Save view').click()
  await views.getByLabel('Name of the view').fill('Used by price')
  await views.getByRole('button', { name: 'Save' }).click()
  await views.getByRole('link', { name: 'Used by price' }).and(page.locator('[aria-current]')).waitFor()
  expect(new URL(page.url()).search).toBe('?condition=used&by=price')
  await views.getByRole('link', { name: /^All/ }).click()
  await views.getByRole('link', { name: 'Used by price' }).click()
  await views.getByRole('link', { name: 'Used by price' }).and(page.locator('[aria-current]')).waitFor()
  expect((await readTable(page, 'Lots')).map((row) => row['Condition'])).toEqual(['Used'])
  if (javaScriptEnabled) await checkCurrentPage(page, 'collection-views')
  await views.getByRole('button', { name: 'Delete view' }).click()
  await views.getByRole('link', { name: 'Used by price' }).waitFor({ state: 'detached' })
})

test('up to 20 views, none of them for somebody else’s collection', async () => {
  const { user, stock } = await openStock()
  const cookie = (await web.signedInContext(user).then((context) => context.cookies()))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  const save = async (name: string, collection = stock) => {
    const response = await fetch(`${web.origin}/collections/${collection}?status=listed`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: web.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ intent: 'save-view', 'view-name': name }),
    })
    return response.status
  }
  for (let view = 1; view <= 20; view++) expect(await save(`View ${view}`)).toBe(302)
  expect(await save('One more')).toBe(400)
  expect(await save('View 3')).toBe(302)
  const stranger = await openStock()
  expect(await save('Mine', stranger.stock)).toBe(404)
})

test('the bar adds up the selection, and its actions take it', async () => {
  const { page, stock } = await openStock()
  const bar = page.getByRole('region', { name: 'Selection' })
  expect(await bar.count()).toBe(0)
  const boxes = page.getByRole('checkbox', { name: /^Select 90001-1/ })
  await boxes.first().check()
  const rows = await readTable(page, 'Lots')
  const cents = (text: string) => Math.round(Number(text.split('\n')[0]!.replaceAll(/[$,]/g, '')) * 100)
  const first = rows.find((row) => row['Item']!.includes('90001-1'))!
  expect(await bar.innerText()).toContain(
    `1 lot ${first['Qty']} copies · $${(cents(first['Value']!) / 100).toFixed(2)}`.replace('1 copies', '1 copy'),
  )
  for (const box of await boxes.all()) await box.check()
  // 6 copies of one set, in two conditions: 3 × 112.40 + 3 × 81.10
  expect(await bar.innerText()).toContain('3 lots 6 copies · $580.50')
  await checkCurrentPage(page, 'selection-bar')
  expect(await bar.getByRole('link', { name: 'Sell' }).getAttribute('href')).toBe('/sales/new?item=90001-1')
  await page.getByRole('checkbox', { name: /^Select 90003-1/ }).check()
  expect(await bar.getByRole('link', { name: 'Sell' }).count()).toBe(0)
  // The last one has no value, so it adds nothing.
  expect(await bar.innerText()).toContain('4 lots 7 copies · $580.50')
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This removes 7 copies worth $580.50 from the collection').waitFor()
  await page.goto(`/collections/${stock}`)
  await page.getByLabel('Select all 4 lots').check()
  expect(await bar.innerText()).toContain('4 lots 7 copies · $580.50')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await bar.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('all')
})
