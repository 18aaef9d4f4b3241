import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTable } from './support/collections.ts'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket })
})
afterAll(() => web.stop())

const watched = (accountId: number) =>
  web.db
    .selectFrom('portfolio.watched_item')
    .select(['set_number', 'minifig_number', 'target_cents'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('watches a set and a minifig that aren’t owned, with a target, until it’s removed', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/watchlist')
    await page.getByText('Nothing watched yet').waitFor()
    for (const path of ['/set/90001-1', '/minifig/hbr001']) {
      await page.goto(path)
      await page.getByRole('button', { name: 'Watch', exact: true }).click()
      await page.getByRole('link', { name: 'Watching', exact: true }).waitFor()
    }
    await page.goto('/watchlist')
    const rows = await readTable(page, 'Watched items')
    expect(rows).toHaveLength(2)
    expect(rows[0]!['Item']).toContain('hbr001')
    expect(rows[0]!['Price']).toContain('Market value')
    expect(rows.map((row) => row['Status'])).toEqual(['No target', 'No target'])

    const { price_cents } = await web.db
      .selectFrom('market.retail_state')
      .select((eb) => eb.fn.min('price_cents').as('price_cents'))
      .where('set_number', '=', '90001-1')
      .where('in_stock', '=', true)
      .executeTakeFirstOrThrow()
    const title = 'Tidewater Lighthouse'
    for (const [target, status] of [
      [price_cents!, 'Already met when you set it'],
      [price_cents! - 1, '$0.01 to go'],
      [Math.floor(price_cents! / 2), 'Waiting'],
    ] as const) {
      await page.getByLabel(`Target price for ${title}`).fill((target / 100).toFixed(2))
      await page.getByRole('button', { name: `Save target for ${title}` }).click()
      await page
        .getByRole('row', { name: new RegExp(title) })
        .getByText(status)
        .waitFor()
    }
    await page.getByRole('navigation', { name: 'Filter' }).getByRole('link', { name: 'Met 0' }).click()
    await page.getByText('Nothing on your watchlist matches this filter').waitFor()
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.getByRole('link', { name: 'Price' }).click()
    await page.getByLabel(`Target price for ${title}`).fill('a bargain')
    await page.getByRole('button', { name: `Save target for ${title}` }).click()
    await page.getByText('Enter a valid target price').waitFor()
    expect(await watched(user.accountId)).toEqual([
      { set_number: '90001-1', minifig_number: null, target_cents: Math.floor(price_cents! / 2) },
      { set_number: null, minifig_number: 'hbr001', target_cents: null },
    ])
    await page.getByRole('button', { name: `Remove ${title}` }).click()
    await page.getByText(title).waitFor({ state: 'detached' })
    expect(await watched(user.accountId)).toHaveLength(1)
    expect(browserErrors).toEqual([])
    await context.close()
  })
})

test('the nearest to its target comes first; a paused target gives no alerts until it’s resumed', async () => {
  const user = await web.createUser()
  await web.db
    .insertInto('portfolio.watched_item')
    .values([
      { account_id: user.accountId, set_number: '90001-1', target_cents: 1000 },
      { account_id: user.accountId, set_number: '90002-1', target_cents: 2900 },
    ])
    .execute()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/watchlist')
  const rows = await readTable(page, 'Watched items')
  expect(rows.map((row) => row['Item']!.split('\n')[0])).toEqual(['Copper Canyon Crossing', 'Tidewater Lighthouse'])
  const isPaused = async () => {
    const rules = web.db.selectFrom('alert.rule').select('is_paused').where('account_id', '=', user.accountId)
    return (await rules.orderBy('threshold').execute()).map((rule) => rule.is_paused)
  }
  await page.getByRole('button', { name: 'Pause Tidewater Lighthouse' }).click()
  await page.getByText('Paused by you: no alerts').waitFor()
  expect(await isPaused()).toEqual([true, false])
  await page.getByRole('link', { name: 'Paused 1' }).click()
  await page.waitForURL('**/watchlist?filter=paused*')
  await page.getByRole('button', { name: 'Resume Tidewater Lighthouse' }).click()
  await expect.poll(isPaused).toEqual([false, false])
  // Neither can anybody else pause it.
  const [rule] = await web.db.selectFrom('alert.rule').select('id').where('account_id', '=', user.accountId).execute()
  await fetch(`${web.origin}/watchlist`, {
    method: 'POST',
    headers: { origin: web.origin, cookie: await web.signInCookies(await web.createUser()) },
    body: new URLSearchParams({ intent: 'pause', kind: 'set', number: '90001-1', rule: String(rule!.id) }),
  })
  expect(await isPaused()).toEqual([false, false])
  await context.close()
})

test('submitted five times at once, an item is watched once; unknown items and other accounts’ rows stay out', async () => {
  const [user, other] = [await web.createUser(), await web.createUser()]
  const post = async (cookie: string, fields: Record<string, string>) =>
    fetch(`${web.origin}/watchlist`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: web.origin, cookie },
      body: new URLSearchParams({ intent: 'watch', kind: 'set', ...fields }),
    })
  const cookie = await web.signInCookies(user)
  const responses = await Promise.all(Array.from({ length: 5 }, () => post(cookie, { number: '90001-1' })))
  expect(responses.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302])
  const unknown = await post(cookie, { number: '00000-1' })
  expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('no set 00000-1') as string])
  const elsewhere = await post(cookie, { number: '90002-1', to: '//example.com/' })
  expect(elsewhere.headers.get('location')).toBe('/')
  await post(await web.signInCookies(other), { intent: 'unwatch', number: '90001-1' })
  expect((await watched(user.accountId)).map((row) => row.set_number)).toEqual(['90001-1', '90002-1'])
  expect(await watched(other.accountId)).toEqual([])
})

test('has no accessibility violations (light/dark, desktop/mobile)', async () => {
  const user = await web.createUser()
  await web.db
    .insertInto('portfolio.watched_item')
    .values([
      { account_id: user.accountId, set_number: '90001-1', target_cents: 100 },
      { account_id: user.accountId, minifig_number: 'hbr001' },
    ])
    .execute()
  const context = await web.signedInContext(user)
  await checkPage(context, '/watchlist', 'watchlist')
  await checkPage(await web.signedInContext(await web.createUser()), '/watchlist', 'watchlist-empty')
  await context.close()
})
