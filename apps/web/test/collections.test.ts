import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowVersion } from '@brickmark/core/db/row-version'
import { addCollection, addLot, addSale } from '@brickmark/tests/support/fixtures'
import { seedAccount, seedCatalog, readTable } from './support/collections.ts'
import { collectBrowserErrors } from './support/check-page.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog })
})
afterAll(() => web.stop())

const lots = (accountId: number) =>
  web.db.selectFrom('portfolio.lot').selectAll().where('account_id', '=', accountId).orderBy('id').execute()

const find = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('creates, renames and deletes a collection; adds sets by name, number and UPC', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/collections')
    await page.getByText('No collections yet').waitFor()
    for (const name of ['Stock', 'Shelf']) {
      await page.goto('/collections')
      await page.getByLabel('Name').fill(name)
      await find(page, 'Create').click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    await page.goto('/collections')
    await page.getByLabel('Name').fill('Stock')
    await find(page, 'Create').click()
    await page.getByText('You already have a collection with that name.').waitFor()

    for (const [query, title, price] of [
      ['lighthouse tide', 'Tidewater Lighthouse', '10.00'],
      ['CAFE 90002', 'Café at the Corner', '20.5'],
      ['673419000017', 'Tidewater Lighthouse', '40'],
    ] as const) {
      await page.goto('/collections')
      await page.getByRole('link', { name: 'Shelf', exact: true }).click()
      await page.getByRole('main').getByRole('link', { name: 'Add', exact: true }).first().click()
      await page.getByLabel('Set number, name or barcode').fill(query)
      await find(page, 'Search').click()
      // A barcode chooses its set.
      if (!/^\d{12}$/.test(query)) await page.getByRole('link', { name: new RegExp(`^Add .* ${title}`) }).click()
      await page.getByLabel('Paid each').fill(price)
      await page.getByLabel('Copies').fill('2')
      await page.getByLabel('Bought').fill('2025-02-03')
      await find(page, javaScriptEnabled ? 'Add 2 copies' : 'Add to collection').click()
      await page.getByRole('heading', { name: 'Shelf', level: 1 }).waitFor()
    }
    const rows = await readTable(page, 'Lots')
    expect(rows.map((row) => [row['Item']!.split('\n')[1], row['Qty'], row['Purchase price']])).toEqual([
      ['90001-1', '2', '$40.00'],
      ['90002-1', '2', '$20.50'],
      ['90001-1', '2', '$10.00'],
    ])

    await page
      .getByRole('link', { name: /^Edit 90001-1/ })
      .first()
      .click()
    await page.getByLabel('Purchase price (USD, each)').fill('a lot')
    await find(page, 'Save').click()
    await page.getByText('Enter a valid price, e.g. 12.50').waitFor()
    await page.getByLabel('Quantity', { exact: true }).fill('7')
    await page.getByLabel('Notes').fill('=in the attic')
    await page.getByRole('cell').getByLabel('Condition').selectOption('used')
    await page.getByRole('cell').getByLabel('Status').selectOption('listed')
    await page.getByLabel('Purchase price (USD, each)').fill('41.25')
    await page.getByRole('cell').getByLabel('Purchased').fill('2024-12-31')
    await find(page, 'Save').click()
    await page.getByText('=in the attic').waitFor()
    const changed = (await lots(user.accountId)).at(-1)
    expect(changed).toMatchObject({
      quantity: 7,
      condition: 'used',
      status: 'listed',
      purchase_price_cents: 4125,
      purchase_date: '2024-12-31',
      notes: '=in the attic',
    })

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Attic')
    await page.getByRole('dialog').getByLabel('Description').fill('Under the roof')
    await find(page, 'Save').click()
    await page.getByRole('heading', { name: 'Attic', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await find(page, 'Make default').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto('/collections')
    expect((await readTable(page, 'Your collections')).map((row) => row['Collection'])).toEqual([
      'Attic Default\nUnder the roof',
      'Stock',
    ])
    await page.getByRole('link', { name: 'Stock', exact: true }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Delete…' }).click()
    await find(page, 'Delete collection').click()
    await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor()
    expect(await readTable(page, 'Your collections')).toHaveLength(1)
    expect(browserErrors).toEqual([])
    await context.close()
  })

  test('bulk-edits lots: change, move, delete after confirmation; lots with sales keep their row', async () => {
    const user = await web.createUser()
    const { stock, shelf, first, sold } = await seedAccount(web.db, user)
    const account_id = user.accountId
    const sale_id = await addSale(web.db, { account_id, set_number: '90001-1' })
    for (const lot_id of [first, sold]) {
      await web.db.insertInto('portfolio.sale_lot').values({ account_id, sale_id, lot_id, quantity: 1 }).execute()
    }
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    // With JavaScript the form stays open, without it every response closes it.
    // With JavaScript, a bar appears with the selection; without, the fields are in the form below the table.
    const openFields = async (fields: 'Edit' | 'Move') => {
      if (javaScriptEnabled) await find(page, fields).click()
      else if (!(await find(page, 'Apply changes').isVisible())) await page.getByText('Edit selected lots').click()
    }
    const startDelete = async () => {
      if (javaScriptEnabled) return find(page, 'Delete').click()
      await openFields('Edit')
      await find(page, 'Delete…').click()
    }
    await page.goto(`/collections/${stock}?condition=sealed`)
    if (!javaScriptEnabled) {
      await openFields('Edit')
      await find(page, 'Apply changes').click()
      await page.getByText('Select at least one lot.').waitFor()
    }
    for (const box of await page.getByRole('checkbox', { name: /^Select 90001-1/ }).all()) await box.check()
    await openFields('Edit')
    await page.locator('[name=set-status]').selectOption('listed')
    await page.locator('[name=set-price]').fill('55.5')
    await find(page, 'Apply changes').click()
    await page.getByText('2 lots updated.').waitFor()
    expect((await lots(account_id)).map((lot) => [lot.purchase_price_cents, lot.status])).toEqual([
      [5550, 'listed'],
      [5550, 'listed'],
      [10001, 'owned'],
      [1200, 'owned'],
      [100, 'owned'],
      [9005, 'owned'],
    ])

    // All lots that match the filter, on every page; not the used lot.
    await page.getByLabel(/^Select all 3 matching lots/).check()
    await openFields('Move')
    await page.locator('[name=move-to]').selectOption(String(shelf))
    await find(page, javaScriptEnabled ? 'Move lots' : 'Apply changes').click()
    await page.getByText('3 lots updated.').waitFor()
    expect((await lots(account_id)).filter((lot) => lot.collection_id === shelf)).toHaveLength(4)

    await page.goto(`/collections/${shelf}`)
    await page.getByRole('checkbox', { name: `lot ${first}` }).check()
    await page.getByRole('checkbox', { name: /^Select 90003-1/ }).check()
    await startDelete()
    await page.getByRole('heading', { name: 'Delete 2 lots?' }).waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    expect(await lots(account_id)).toHaveLength(6)
    await page.getByRole('checkbox', { name: `lot ${first}` }).check()
    await page.getByRole('checkbox', { name: /^Select 90003-1/ }).check()
    await startDelete()
    await find(page, 'Delete 2 lots').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const left = await lots(account_id)
    expect(left).toHaveLength(5)
    expect(left.find((lot) => lot.id === first)).toMatchObject({ quantity: 0 })

    // Deleted with its lots; those with sales move to the default collection.
    await page.goto(`/collections/${shelf}/delete`)
    await find(page, 'Delete collection and lots').click()
    await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor()
    expect((await lots(account_id)).map((lot) => [lot.collection_id, lot.quantity])).toEqual([
      [stock, 0],
      [stock, 3],
      [stock, 0],
    ])
    await context.close()
  })
})

test('rejects saving a lot from a form opened before some units were sold', async () => {
  const user = await web.createUser()
  const collection = await addCollection(web.db, user.accountId, { name: 'Stock', is_default: true })
  await addLot(web.db, {
    account_id: user.accountId,
    collection_id: collection,
    set_number: '90001-1',
    quantity: 5,
  })
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto(`/collections/${collection}`)
  await page.getByRole('link', { name: /^Edit 90001-1/ }).click()
  await page.getByLabel('Notes').fill('top shelf')
  await web.db.updateTable('portfolio.lot').set({ quantity: 3 }).where('account_id', '=', user.accountId).execute()
  await find(page, 'Save').click()
  await page.getByText('This lot changed since you opened it, so nothing was saved.').waitFor()
  expect(await lots(user.accountId)).toMatchObject([{ quantity: 3, notes: null }])
  // The page data is reloaded after the message appears.
  await expect.poll(() => page.getByLabel('Quantity', { exact: true }).inputValue()).toBe('3')
  await find(page, 'Save').click()
  await page.getByText('top shelf').waitFor()
  expect(await lots(user.accountId)).toMatchObject([{ quantity: 3, notes: 'top shelf' }])
  await context.close()
})

test('doesn’t delete lots added after the confirmation was shown', async () => {
  const user = await web.createUser()
  const collection = await addCollection(web.db, user.accountId, { name: 'Stock', is_default: true })
  const add = () => addLot(web.db, { account_id: user.accountId, collection_id: collection, set_number: '90001-1' })
  await add()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto(`/collections/${collection}/delete-lots?all=yes`)
  await find(page, 'Delete 1 lot').waitFor()
  await add()
  await find(page, 'Delete 1 lot').click()
  await page.getByText('Your selection changed, so nothing was deleted.').waitFor()
  expect(await lots(user.accountId)).toHaveLength(2)
  await find(page, 'Delete 2 lots').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await lots(user.accountId)).toEqual([])
  await context.close()
})

test('responds 404 to reads and writes of another account’s collections and changes nothing', async () => {
  const owner = await web.createUser()
  const { stock, first } = await seedAccount(web.db, owner)
  const before = await lots(owner.accountId)
  const stranger = await web.createUser()
  const mine = await addCollection(web.db, stranger.accountId, { name: 'Mine', is_default: true })
  const mineLot = await addLot(web.db, {
    account_id: stranger.accountId,
    collection_id: mine,
    set_number: '90001-1',
  })
  const cookie = await web.signInCookies(stranger)
  const send = async (path: string, fields?: Record<string, string>) => {
    const init = fields && { method: 'POST', body: new URLSearchParams(fields) }
    const response = await fetch(web.origin + path, {
      ...init,
      redirect: 'manual',
      headers: { cookie, origin: web.origin },
    })
    return response.status
  }
  const lot = { quantity: '9', condition: 'used', status: 'listed', price: '1', date: '2025-01-01', notes: '' }
  for (const id of [stock, 999_999, 'x', '0', '1e3']) {
    for (const path of ['', '/add', '/settings', '/delete', `/delete-lots?lot=${first}`]) {
      expect(await send(`/collections/${id}${path}`), `GET ${id}${path}`).toBe(404)
    }
    expect(await send(`/collections/${id}?edit=${first}`, { intent: 'edit', ...lot })).toBe(404)
    expect(await send(`/collections/${id}`, { intent: 'bulk', all: 'yes', 'set-price': '1' })).toBe(404)
    expect(await send(`/collections/${id}/add`, { set: '90001-1', ...lot })).toBe(404)
    expect(await send(`/collections/${id}/settings`, { intent: 'rename', name: 'Taken' })).toBe(404)
    expect(await send(`/collections/${id}/settings`, { intent: 'default' })).toBe(404)
    expect(await send(`/collections/${id}/delete`, {})).toBe(404)
    expect(await send(`/collections/${id}/delete-lots?lot=${first}`, {})).toBe(404)
  }
  // From the user's own collection, targeting another account's lot or collection.
  expect(await send(`/collections/${mine}?edit=${first}`, { intent: 'edit', ...lot })).toBe(404)
  expect(await send(`/collections/${mine}`, { intent: 'bulk', all: 'yes', 'move-to': String(stock) })).toBe(404)
  expect(await send(`/collections/${mine}`, { intent: 'bulk', lot: String(first), 'set-price': '1' })).toBe(200)
  expect(await send(`/collections/${mine}/delete-lots?lot=${first}`, { lots: '0 0' })).toBe(302)
  expect(await lots(owner.accountId)).toEqual(before)
  expect(await lots(stranger.accountId)).toMatchObject([{ id: mineLot, collection_id: mine, quantity: 1 }])
  // The same forms work for the owner, so the rejections above have no other cause.
  const { version } = await web.db
    .selectFrom('portfolio.lot')
    .select(rowVersion('portfolio.lot').as('version'))
    .where('id', '=', mineLot)
    .executeTakeFirstOrThrow()
  expect(await send(`/collections/${mine}?edit=${mineLot}`, { intent: 'edit', seen: version, ...lot })).toBe(302)
  expect(await send(`/collections/${mine}/add`, { set: '90001', ...lot })).toBe(302)
  expect(await lots(stranger.accountId)).toMatchObject([{ quantity: 9 }, { quantity: 9, set_number: '90001-1' }])
})
