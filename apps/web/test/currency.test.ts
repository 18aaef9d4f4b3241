import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addCollection, addLot } from '@brickmark/tests/support/fixtures'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { daysAgo, seedMarket } from './support/market.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket, env: { PUBLIC_PAGES: 'values' } })
})
afterAll(() => web.stop())

const PER_USD = { EUR: 1 / 1.0837, JPY: 154.21 }

beforeEach(async () => {
  await web.db.deleteFrom('market.exchange_rate').execute()
  await web.db
    .insertInto('market.exchange_rate')
    .values([
      { currency: 'EUR', per_usd: PER_USD.EUR, day: daysAgo(1) },
      { currency: 'JPY', per_usd: PER_USD.JPY, day: daysAgo(1) },
      { currency: 'CHF', per_usd: 0.88, day: daysAgo(9) },
    ])
    .execute()
})

async function fillAccount({ accountId: account_id }: TestUser): Promise<number> {
  const collection_id = await addCollection(web.db, account_id, { name: 'Stock', is_default: true })
  await addLot(web.db, { account_id, collection_id, set_number: '90001-1', quantity: 3, purchase_price_cents: 6450 })
  return collection_id
}

async function choose(page: Page, label: string, cookie: string | undefined): Promise<void> {
  await page.goto('/account')
  await page.getByLabel('Also show').selectOption({ label })
  await page.getByRole('button', { name: 'Save currency' }).click()
  const saved = async () => (await page.context().cookies()).find(({ name }) => name === 'currency')?.value
  await expect.poll(saved).toBe(cookie)
}

const euros = (usd: number) => `€${(usd * PER_USD.EUR).toFixed(2)}`

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('main figures are also shown in the chosen currency, equal to the conversion of their dollars', async () => {
    const user = await web.createUser()
    const collection = await fillAccount(user)
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await choose(page, 'Euro (EUR)', 'EUR')
    // 3 × 112.40 is 337.20; selling them leaves 3 × 80.31.
    for (const [path, dollars, amount] of [
      ['/set/90001-1', '$112.40', 112.4],
      ['/minifig/hbr001', '$6.80', 6.8],
      ['/', '$337.20', 337.2],
      [`/collections/${collection}`, '$337.20', 337.2],
      ['/watchlist/owned', '$240.93', 240.93],
    ] as const) {
      await page.goto(path)
      const main = (await page.getByRole('main').innerText()).replace(/\s+/g, ' ')
      expect(main, path).toMatch(new RegExp(`\\${dollars} (▲.{0,40})?≈ about \\${euros(amount)}`))
    }
    await choose(page, 'Japanese Yen (JPY)', 'JPY')
    await page.goto('/set/90001-1')
    const yen = page.getByTitle(/^At the European Central Bank’s reference rate of/).first()
    expect(await yen.innerText()).toContain(`¥${Math.round(112.4 * PER_USD.JPY).toLocaleString('en-US')}`)
    await choose(page, 'US dollars only', undefined)
    await page.goto('/set/90001-1')
    expect(await page.getByRole('main').innerText()).not.toContain('≈')
    expect(browserErrors).toEqual([])
    await context.close()
  })
})

test('without a recent rate, there are dollars only, and the currency can’t be chosen', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/account')
  const options = await page.getByLabel('Also show').getByRole('option').allInnerTexts()
  expect(options).toEqual(['US dollars only', 'Euro (EUR)', 'Japanese Yen (JPY)'])
  for (const currency of ['CHF', 'XXX']) {
    await context.addCookies([{ name: 'currency', value: currency, url: web.origin }])
    await page.goto('/set/90001-1')
    await page.getByText('$112.40').first().waitFor()
    expect(await page.getByRole('main').innerText(), currency).not.toContain('≈')
  }
  await web.db.deleteFrom('market.exchange_rate').execute()
  await page.goto('/account')
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
  expect(await page.getByLabel('Also show').count()).toBe(0)
  await context.close()
})

test('a visitor keeps the currency of this browser, and anything but a code clears it', async () => {
  const show = async (cookie: string) => (await fetch(`${web.origin}/set/90001-1`, { headers: { cookie } })).text()
  expect(await show('currency=EUR')).toContain(euros(112.4))
  expect(await show('currency=eur')).not.toContain('€')
  const cookie = await web.signInCookies(await web.createUser())
  for (const [currency, expected] of [
    ['EUR', 'currency=EUR; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly'],
    ['', 'currency=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly'],
    ['EUR; Path=/x', 'currency=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly'],
  ] as const) {
    const response = await fetch(`${web.origin}/currency`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: web.origin },
      body: new URLSearchParams({ currency, to: 'https://elsewhere.example/' }),
    })
    expect(response.headers.getSetCookie()).toContain(expected)
    expect(response.headers.get('location')).toBe('/')
  }
})

test('has no accessibility violations (light/dark, desktop/mobile)', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const context = await web.signedInContext(user)
  await context.addCookies([{ name: 'currency', value: 'EUR', url: web.origin }])
  await checkPage(context, '/account', 'account-currency')
  await checkPage(context, '/set/90001-1', 'set-currency')
  await checkPage(context, '/watchlist/owned', 'owned-currency')
  await context.close()
})
