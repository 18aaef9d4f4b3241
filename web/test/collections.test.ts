import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBrickfolio, addHolding, addSale } from '../../service/test/support/fixtures.ts'
import { fillCatalog, keyOf, shown, shownGain, shownPercent, tableOf } from './support/collection.ts'
import { look, watch } from './support/look.ts'
import { startTestWeb, type Person, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ fill: fillCatalog })
})
afterAll(() => web.stop())

/** Two collections with gains, losses, a gift, a lot without a value and one that was sold out. */
async function fillAccount(person: Person) {
  const { accountId: account_id } = person
  const stock = await addBrickfolio(web.db, account_id, { name: 'Stock', is_default: true })
  const shelf = await addBrickfolio(web.db, account_id, { name: 'Shelf' })
  const lot = { account_id, brickfolio_id: stock, set_number: '90001-1' }
  const first = await addHolding(web.db, { ...lot, quantity: 2, purchase_price_usd: '64.50', notes: 'box dented' })
  await addHolding(web.db, { ...lot, status: 'listed', purchase_price_usd: '0.00' })
  await addHolding(web.db, { ...lot, condition: 'used', quantity: 3, purchase_price_usd: '100.01' })
  await addHolding(web.db, { ...lot, set_number: '90003-1', purchase_price_usd: '12.00' })
  const sold = await addHolding(web.db, { ...lot, quantity: 0, purchase_price_usd: '1.00' })
  await addHolding(web.db, { ...lot, brickfolio_id: shelf, set_number: '90002-1', purchase_price_usd: '90.05' })
  return { stock, shelf, first, sold }
}

const lots = (accountId: number) =>
  web.db.selectFrom('portfolio.holding').selectAll().where('account_id', '=', accountId).orderBy('id').execute()

const find = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe.each([
  ['with script', true],
  ['without script', false],
])('%s', (_, javaScriptEnabled) => {
  test('make a collection, add a set by name, number and UPC, edit it, rename and delete the collection', async () => {
    const person = await web.person()
    const context = await web.signedIn(person, { javaScriptEnabled })
    const page = await context.newPage()
    const complaints = watch(page)
    await page.goto('/collections')
    await page.getByText('No collection yet').waitFor()
    for (const name of ['Stock', 'Shelf']) {
      await page.goto('/collections')
      await page.getByLabel('Name').fill(name)
      await find(page, 'Create').click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    await page.goto('/collections')
    await page.getByLabel('Name').fill('Stock')
    await find(page, 'Create').click()
    await page.getByText('You have a collection of that name already.').waitFor()

    for (const [query, title, price] of [
      ['lighthouse tide', 'Tidewater Lighthouse', '10.00'],
      ['CAFE 90002', 'Café at the Corner', '20.5'],
      ['673419000017', 'Tidewater Lighthouse', '40'],
    ] as const) {
      await page.goto('/collections')
      await page.getByRole('link', { name: 'Shelf', exact: true }).click()
      await page.getByRole('link', { name: 'Add a set' }).first().click()
      await page.getByLabel('Number, name, UPC or EAN').fill(query)
      await find(page, 'Search').click()
      await page.getByRole('link', { name: new RegExp(`^Choose .* ${title}$`) }).click()
      await page.getByLabel('Paid each').fill(price)
      await page.getByLabel('Units').fill('2')
      await page.getByLabel('Bought on').fill('2025-02-03')
      await find(page, 'Add it').click()
      await page.getByRole('heading', { name: 'Shelf', level: 1 }).waitFor()
    }
    const rows = await tableOf(page, 'Lots')
    expect(rows.map((row) => [row['Set']!.split('\n')[0], row['Units'], row['Paid each']])).toEqual([
      ['90001-1', '2', '$40.00'],
      ['90002-1', '2', '$20.50'],
      ['90001-1', '2', '$10.00'],
    ])

    await page
      .getByRole('link', { name: /^Edit 90001-1/ })
      .first()
      .click()
    await page.getByLabel('Paid each, in dollars').fill('a lot')
    await find(page, 'Save').click()
    await page.getByText('The price must be an amount').waitFor()
    await page.getByLabel('Units', { exact: true }).fill('7')
    await page.getByLabel('Notes').fill('=in the attic')
    await page.getByRole('cell').getByLabel('Condition').selectOption('used')
    await page.getByRole('cell').getByLabel('Status').selectOption('listed')
    await page.getByLabel('Paid each, in dollars').fill('41.25')
    await page.getByLabel('Bought').fill('2024-12-31')
    await find(page, 'Save').click()
    await page.getByText('=in the attic').waitFor()
    const changed = (await lots(person.accountId)).at(-1)
    expect(changed).toMatchObject({
      quantity: 7,
      condition: 'used',
      status: 'listed',
      purchase_price_usd: '41.25',
      purchase_date: '2024-12-31',
      notes: '=in the attic',
    })

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Attic')
    await page.getByRole('dialog').getByLabel('Description').fill('Under the roof')
    await find(page, 'Save').click()
    await page.getByRole('heading', { name: 'Attic', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await find(page, 'Make it the default').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto('/collections')
    expect((await tableOf(page, 'Your collections')).map((row) => row['Collection'])).toEqual([
      'Attic Default\nUnder the roof',
      'Stock',
    ])
    await page.getByRole('link', { name: 'Stock', exact: true }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Delete…' }).click()
    await find(page, 'Delete the collection').click()
    await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor()
    expect(await tableOf(page, 'Your collections')).toHaveLength(1)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('several lots at once: change, move, delete after a question; a sold lot keeps its row', async () => {
    const person = await web.person()
    const { stock, shelf, first, sold } = await fillAccount(person)
    const account_id = person.accountId
    const sale_id = await addSale(web.db, { account_id, set_number: '90001-1' })
    for (const holding_id of [first, sold]) {
      await web.db.insertInto('portfolio.sale_lot').values({ account_id, sale_id, holding_id, quantity: 1 }).execute()
    }
    const context = await web.signedIn(person, { javaScriptEnabled })
    const page = await context.newPage()
    await page.goto(`/collections/${stock}?condition=sealed`)
    await find(page, 'Change').click()
    await page.getByText('Tick at least one lot first.').waitFor()
    for (const box of await page.getByRole('checkbox', { name: /^Select 90001-1/ }).all()) await box.check()
    await page.locator('[name=set-status]').selectOption('listed')
    await page.locator('[name=set-price]').fill('55.5')
    await find(page, 'Change').click()
    await page.getByText('2 lots are changed.').waitFor()
    expect((await lots(account_id)).map((lot) => [lot.purchase_price_usd, lot.status])).toEqual([
      ['55.50', 'listed'],
      ['55.50', 'listed'],
      ['100.01', 'owned'],
      ['12.00', 'owned'],
      ['1.00', 'owned'],
      ['90.05', 'owned'],
    ])

    // All that the filter lists, wherever they are paged to; not the used lot.
    await page.getByLabel(/^All 3 listed/).check()
    await page.locator('[name=move-to]').selectOption(String(shelf))
    await find(page, 'Change').click()
    await page.getByText('3 lots are changed.').waitFor()
    expect((await lots(account_id)).filter((lot) => lot.brickfolio_id === shelf)).toHaveLength(4)

    await page.goto(`/collections/${shelf}`)
    await page.getByRole('checkbox', { name: `lot ${first}` }).check()
    await page.getByRole('checkbox', { name: /^Select 90003-1/ }).check()
    await find(page, 'Delete…').click()
    await page.getByRole('heading', { name: 'Delete 2 lots?' }).waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    expect(await lots(account_id)).toHaveLength(6)
    await page.getByRole('checkbox', { name: `lot ${first}` }).check()
    await page.getByRole('checkbox', { name: /^Select 90003-1/ }).check()
    await find(page, 'Delete…').click()
    await find(page, 'Delete 2 lots').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const left = await lots(account_id)
    expect(left).toHaveLength(5)
    expect(left.find((lot) => lot.id === first)).toMatchObject({ quantity: 0 })

    // With its lots: what was sold from stays, in the default collection.
    await page.goto(`/collections/${shelf}/delete`)
    await find(page, 'Delete it with its lots').click()
    await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor()
    expect((await lots(account_id)).map((lot) => [lot.brickfolio_id, lot.quantity])).toEqual([
      [stock, 0],
      [stock, 3],
      [stock, 0],
    ])
    await context.close()
  })
})

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

test('every number is the one that the API gives for the same account', async () => {
  const person = await web.person()
  const { stock } = await fillAccount(person)
  const key = await keyOf(web, person.accountId)
  const { brickfolios } = (await web.api.get<{ brickfolios: Summary[] }>('/brickfolio', key)).data
  const { entries } = (await web.api.get<{ entries: Entry[] }>(`/brickfolio/entries?brickfolio_id=${stock}`, key)).data
  const context = await web.signedIn(person)
  const page = await context.newPage()
  await page.goto('/collections')
  expect(
    (await tableOf(page, 'Your collections')).map(({ Sets, Units, Cost, Value, Gain }) => [
      Sets,
      Units,
      Cost,
      Value,
      Gain,
    ]),
  ).toEqual(
    brickfolios.map((one) => [
      String(one.owned_set_count),
      String(one.owned_item_count),
      shown(one.total_cost_basis_usd),
      shown(one.total_current_value_usd),
      shownGain(one.unrealized_gain_loss_usd),
    ]),
  )
  await page.goto(`/collections/${stock}?by=added`)
  expect(
    (await tableOf(page, 'Lots')).map(({ Set: set, Edit: _edit, ...row }) => [
      set!.split('\n')[0],
      ...Object.values(row),
    ]),
  ).toEqual(
    entries.map((entry) => [
      entry.set_number,
      String(entry.quantity),
      entry.condition.replace(/^./, (first) => first.toUpperCase()),
      entry.status,
      entry.purchase_date,
      shown(entry.purchase_price_usd),
      [
        shown(entry.total_current_value_usd),
        ...(entry.quantity > 1 && entry.current_value_usd !== null ? [`${shown(entry.current_value_usd)} each`] : []),
      ].join('\n'),
      [
        shownGain(entry.unrealized_gain_loss_usd),
        ...(entry.unrealized_gain_loss_pct === null || entry.purchase_price_usd === 0
          ? []
          : [shownPercent(entry.unrealized_gain_loss_pct)]),
      ].join('\n'),
    ]),
  )
  const own = brickfolios.find((one) => one.id === stock)!
  const main = await page.getByRole('main').innerText()
  for (const figure of [
    `Value\n\n${shown(own.total_current_value_usd)}`,
    `Cost\n\n${shown(own.total_cost_basis_usd)}`,
    `Gain\n\n${shownGain(own.unrealized_gain_loss_usd)}`,
    `${own.owned_item_count} units, ${own.owned_set_count} sets`,
    '1 unit has no value yet',
  ]) {
    expect(main).toContain(figure)
  }
  await context.close()
})

test('404: what belongs to somebody else, for reading and for writing; nothing of it changes', async () => {
  const owner = await web.person()
  const { stock, first } = await fillAccount(owner)
  const before = await lots(owner.accountId)
  const stranger = await web.person()
  const mine = await addBrickfolio(web.db, stranger.accountId, { name: 'Mine', is_default: true })
  const mineLot = await addHolding(web.db, {
    account_id: stranger.accountId,
    brickfolio_id: mine,
    set_number: '90001-1',
  })
  const cookie = await web.cookiesOf(stranger)
  const ask = async (path: string, fields?: Record<string, string>) => {
    const init = fields && { method: 'POST', body: new URLSearchParams(fields) }
    const answer = await fetch(web.origin + path, {
      ...init,
      redirect: 'manual',
      headers: { cookie, origin: web.origin },
    })
    return answer.status
  }
  const lot = { quantity: '9', condition: 'used', status: 'listed', price: '1', date: '2025-01-01', notes: '' }
  for (const id of [stock, 999_999, 'x', '0', '1e3']) {
    for (const path of ['', '/add', '/settings', '/delete', `/delete-lots?lot=${first}`]) {
      expect(await ask(`/collections/${id}${path}`), `GET ${id}${path}`).toBe(404)
    }
    expect(await ask(`/collections/${id}?edit=${first}`, { intent: 'edit', ...lot })).toBe(404)
    expect(await ask(`/collections/${id}`, { intent: 'bulk', all: 'yes', 'set-price': '1' })).toBe(404)
    expect(await ask(`/collections/${id}/add`, { set: '90001-1', ...lot })).toBe(404)
    expect(await ask(`/collections/${id}/settings`, { intent: 'rename', name: 'Taken' })).toBe(404)
    expect(await ask(`/collections/${id}/settings`, { intent: 'default' })).toBe(404)
    expect(await ask(`/collections/${id}/delete`, {})).toBe(404)
    expect(await ask(`/collections/${id}/delete-lots?lot=${first}`, {})).toBe(404)
  }
  // From one's own collection, at somebody else's lot or collection.
  expect(await ask(`/collections/${mine}?edit=${first}`, { intent: 'edit', ...lot })).toBe(404)
  expect(await ask(`/collections/${mine}`, { intent: 'bulk', all: 'yes', 'move-to': String(stock) })).toBe(404)
  expect(await ask(`/collections/${mine}`, { intent: 'bulk', lot: String(first), 'set-price': '1' })).toBe(200)
  expect(await ask(`/collections/${mine}/delete-lots?lot=${first}`, {})).toBe(302)
  expect(await lots(owner.accountId)).toEqual(before)
  expect(await lots(stranger.accountId)).toMatchObject([{ id: mineLot, brickfolio_id: mine, quantity: 1 }])
  // The same forms work for their owner, so the refusals above are not for another reason.
  expect(await ask(`/collections/${mine}?edit=${mineLot}`, { intent: 'edit', ...lot })).toBe(302)
  expect(await ask(`/collections/${mine}/add`, { set: '90001', ...lot })).toBe(302)
  expect(await lots(stranger.accountId)).toMatchObject([{ quantity: 9 }, { quantity: 9, set_number: '90001-1' }])
})

test('5,000 lots: sorted, filtered and paged within 300 ms of server time', async () => {
  const person = await web.person()
  const stock = await addBrickfolio(web.db, person.accountId, { name: 'Stock', is_default: true })
  await sql`
    insert into catalog.set (set_number, title, theme)
    select n || '-1', 'Invented set ' || n, 'Bulk' from generate_series(10001, 12500) n`.execute(web.db)
  await sql`
    insert into market.set_value (set_number, condition, value_usd, range_low_usd, range_high_usd, data_tier, calculated_at)
    select n || '-1', 'sealed', n / 100.0, 1, 1000, 'market', now() from generate_series(10001, 12500) n`.execute(
    web.db,
  )
  await sql`
    insert into portfolio.holding
      (account_id, brickfolio_id, set_number, condition, status, quantity, purchase_price_usd, purchase_date, notes)
    select ${person.accountId}, ${stock}, 10001 + n % 2500 || '-1', 'sealed', (array['owned', 'listed'])[1 + n % 2],
           1 + n % 3, n / 50.0, date '2020-01-01' + n % 2000, 'shelf ' || n % 40
      from generate_series(1, 5000) n`.execute(web.db)
  const cookie = await web.cookiesOf(person)
  // Processor time, because what else this machine does must not decide; the page waits for nothing but its queries.
  const measure = async (query: string) => {
    const before = await web.cpuTime()
    const start = performance.now()
    for (let n = 0; n < 10; n++) {
      const answer = await fetch(`${web.origin}/collections/${stock}${query}`, { headers: { cookie } })
      expect((await answer.text()).match(/name="lot"/g)).toHaveLength(100)
    }
    const [cpu, wall] = [(await web.cpuTime()) - before, performance.now() - start]
    console.log(`/collections/:id${query}: ${(cpu / 10).toFixed(0)} ms of processor time, ${(wall / 10).toFixed(0)} ms`)
    return cpu / 10
  }
  for (const query of [
    '',
    '?by=gain&order=descending',
    '?by=title&offset=2400',
    '?q=shelf%207&status=listed&by=number',
  ]) {
    expect(await measure(query), query).toBeLessThan(300)
  }
  const context = await web.signedIn(person)
  const page = await context.newPage()
  await page.goto(`/collections/${stock}?by=total&order=descending`)
  await page.getByText('1–100 of 5,000').waitFor()
  const totals = async () =>
    (await tableOf(page, 'Lots')).map((row) => Number(row['Value']!.split('\n')[0]!.replaceAll(/[$,]/g, '')))
  const top = await totals()
  expect(top).toEqual(top.toSorted((a, b) => b - a))
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('101–200 of 5,000').waitFor()
  expect(Math.max(...(await totals()))).toBeLessThanOrEqual(top.at(-1)!)
  await page.getByLabel('Select this page').check()
  expect(await page.getByRole('checkbox', { name: /^Select 1/, checked: true }).count()).toBe(100)
  await context.close()
})

test('every page: no axe violation, light and dark, wide and narrow', async () => {
  const person = await web.person()
  const { stock, shelf, first } = await fillAccount(person)
  const context = await web.signedIn(person)
  for (const [path, name] of [
    ['/collections', 'collections'],
    [`/collections/${stock}?edit=${first}`, 'collection'],
    [`/collections/${shelf}/settings`, 'collection-settings'],
    [`/collections/${stock}/delete-lots?lot=${first}`, 'lots-delete'],
    [`/collections/${stock}/add?q=900`, 'lot-add-search'],
    [`/collections/${stock}/add?q=900&set=90001-1`, 'lot-add'],
  ] as const) {
    await look(context, path, name)
  }
  const newcomer = await web.signedIn(await web.person())
  await look(newcomer, '/collections', 'collections-empty')
  await newcomer.close()
  await context.close()
})
