import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyAlertRules } from '@brickmark/tests/support/alerts'
import { readTable } from './support/collections.ts'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket })
  await applyRules()
})
afterAll(() => web.stop())

const applyRules = () => applyAlertRules(web.db)

const setPrice = (price: number) =>
  web.db
    .updateTable('market.retail_state')
    .set({ price_cents: price, in_stock: true })
    .where('set_number', '=', '90001-1')
    .where('retailer', '=', 'retailer_a')
    .execute()

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('a rule on a set leads to an alert that says why, until it’s paused', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/alerts')
    await page.getByText(/No (targets or )?rules yet/).waitFor()
    await page.goto('/set/90001-1')
    await page.getByRole('link', { name: 'Alert', exact: true }).click()
    await page.getByLabel('Alert when').selectOption('price_at_most')
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByText('Enter a price, e.g. 42.00.').waitFor()
    await page.getByLabel('Price or percentage').fill('$42.00')
    await page.getByLabel('Alert when').selectOption('price_at_most')
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByText('Your rules (1 of').waitFor()
    expect(await readTable(page, 'Rules')).toMatchObject([
      { 'Applies to': 'Tidewater Lighthouse', 'Alert when': 'Price at or below $42.00', Status: 'Active' },
    ])

    await setPrice(6000)
    await setPrice(3999)
    await applyRules()
    await page.goto('/alerts')
    await page.getByText('$39.99 ≤ your $42.00 at Retailer A').waitFor()
    await page.getByRole('link', { name: 'Rules', exact: true }).click()
    await page.getByRole('button', { name: /^Pause/ }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    await setPrice(6000)
    await setPrice(3998)
    await applyRules()
    await page.goto('/alerts')
    expect(await page.getByText('≤ your').count()).toBe(1)
    await page.goto('/alerts/rules')
    await page.getByRole('button', { name: /^Delete/ }).click()
    await page.getByText(/No (targets or )?rules yet/).waitFor()
    expect(browserErrors).toEqual([])
    await context.close()
  })

  test('a target leads to an alert, which is new until it’s read; the watchlist says when it came', async () => {
    await setPrice(6000)
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    await page.goto('/set/90001-1')
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByRole('link', { name: 'Watching', exact: true }).waitFor()
    await page.goto('/watchlist')
    await page.getByLabel('Target price for Tidewater Lighthouse').fill('42')
    await page.getByRole('button', { name: 'Save target for Tidewater Lighthouse' }).click()
    await page.getByText('$18.00 to go').waitFor()
    await page.goto('/alerts/rules')
    expect(await readTable(page, 'Rules')).toMatchObject([{ 'Alert when': 'Price at or below $42.00, your target' }])
    expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0)

    await setPrice(3999)
    await applyRules()
    await page.goto('/watchlist')
    await page.getByText(/^Alerted /).waitFor()
    await page.getByRole('link', { name: 'Alerts 1 new' }).click()
    await page.getByText('$39.99 ≤ your $42.00 at Retailer A').waitFor()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('link', { name: 'Alerts', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Mark all as read' }).count()).toBe(0)
    await context.close()
  })
})

test('rejects what it can’t do, and rules and alerts of others stay out of reach', async () => {
  const [user, other] = [await web.createUser(), await web.createUser()]
  const cookie = await web.signInCookies(user)
  const post = async (by: string, fields: Record<string, string>) => {
    const response = await fetch(`${web.origin}/alerts/rules`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: web.origin, cookie: by },
      body: new URLSearchParams(fields),
    })
    return [response.status, await response.text()]
  }
  const error = (text: string) => [400, expect.stringContaining(text) as string]
  const create = { scope: 'watchlist', kind: 'below_value', threshold: '20' }
  expect(await post(cookie, { ...create, scope: 'set 00000-1' })).toEqual(error('no such set'))
  expect(await post(cookie, { ...create, scope: 'minifig hbr001', kind: 'retired' })).toEqual(error('don’t retire'))
  expect(await post(cookie, { ...create, threshold: '100' })).toEqual(error('Enter a percentage'))
  expect(await post(cookie, { ...create, kind: 'bargain' })).toEqual(error('Something went wrong'))
  expect((await post(cookie, { ...create, kind: 'return_at_least', threshold: '150' }))[0]).toBe(302)
  await web.db.deleteFrom('alert.rule').execute()
  expect((await post(cookie, create))[0]).toBe(302)
  const rules = () => web.db.selectFrom('alert.rule').select(['id', 'is_paused']).execute()
  const id = (await rules())[0]!.id
  const foreign = await web.signInCookies(other)
  for (const intent of ['pause', 'delete']) await post(foreign, { intent, rule: String(id) })
  expect(await rules()).toEqual([{ id, is_paused: false }])
  expect(await post(cookie, create)).toEqual(error('You already have this rule'))
  for (const intent of ['pause', 'resume', 'delete'])
    for (const bad of ['abc', '', '-1', '1e309']) expect((await post(cookie, { intent, rule: bad }))[0], bad).toBe(404)
  for (const from of ['1e309', '-1', 'abc', '99999999999999999999'])
    expect((await fetch(`${web.origin}/alerts?from=${from}`, { headers: { cookie } })).status, from).toBe(200)

  await web.db
    .insertInto('alert.daily_total')
    .values({ account_id: user.accountId, day: new Date().toISOString().slice(0, 10), saved: 1000, left_out: 1234 })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ saved: 1000, left_out: 1234 }))
    .execute()
  expect(await (await fetch(`${web.origin}/alerts`, { headers: { cookie } })).text()).toMatch(
    /1,234.* more times today/s,
  )

  await web.db.updateTable('account.plan').set({ max_alert_rules: 1 }).execute()
  expect(await post(cookie, create)).toEqual(error('Your plan includes 1 rules'))
})

test('has no accessibility violations (light/dark, desktop/mobile)', async () => {
  await web.db.updateTable('account.plan').set({ max_alert_rules: 20 }).execute()
  const user = await web.createUser()
  await web.db
    .insertInto('alert.rule')
    .values([
      { account_id: user.accountId, kind: 'price_at_most', set_number: '90001-1', threshold: 4200 },
      { account_id: user.accountId, kind: 'retired', is_paused: true },
    ])
    .execute()
  await setPrice(6000)
  await setPrice(3999)
  await applyRules()
  const context = await web.signedInContext(user)
  await checkPage(context, '/alerts', 'alerts')
  await checkPage(context, '/alerts/rules?set=90001-1', 'alert-rules')
  await checkPage(await web.signedInContext(await web.createUser()), '/alerts', 'alerts-empty')
  await context.close()
})
