import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCollection, addLot, addSale } from '@brickmark/tests/support/fixtures'
import {
  addManySets,
  createApiKey,
  formatDay,
  formatMoney,
  formatGain,
  formatPercent,
  readTable,
} from './support/collections.ts'
import { formatInstant } from '../app/ui/format-date.ts'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { daysAgo, seedMarket, hoursAgo } from './support/market.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

type Analytics = {
  summary: {
    total_sets: number
    total_items: number
    total_cost_basis_usd: number
    total_current_value_usd: number
    unrealized_gain_loss_usd: number
    unrealized_gain_loss_pct: number
    top_gainer: { set_number: string; title: string; gain_pct: number } | null
    top_loser: { set_number: string; title: string; loss_pct: number } | null
  }
  value_history: { date: string; total_value_usd: number; cost_basis_usd: number }[]
}

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket })
})
afterAll(() => web.stop())

/** Seeds gains, a loss, a gift, a lot without a value, and a lot bought and one sold within the year. */
async function fillAccount({ accountId: account_id }: TestUser): Promise<void> {
  const collection_id = await addCollection(web.db, account_id, { name: 'Stock', is_default: true })
  const lot = { account_id, collection_id }
  await addLot(web.db, {
    ...lot,
    set_number: '90001-1',
    quantity: 3,
    purchase_price_cents: 6450,
    purchase_date: daysAgo(900),
  })
  await addLot(web.db, {
    ...lot,
    set_number: '90001-1',
    condition: 'used',
    purchase_price_cents: 4500,
    purchase_date: daysAgo(60),
  })
  await addLot(web.db, {
    ...lot,
    set_number: '90002-1',
    quantity: 2,
    purchase_price_cents: 4999,
    purchase_date: daysAgo(20),
  })
  await addLot(web.db, { ...lot, set_number: '90004-1', purchase_price_cents: 0, purchase_date: daysAgo(10) })
  await addLot(web.db, {
    ...lot,
    set_number: '90003-1',
    quantity: 4,
    purchase_price_cents: 1200,
    purchase_date: daysAgo(10),
  })
  const sold = await addLot(web.db, {
    ...lot,
    set_number: '90001-1',
    quantity: 0,
    purchase_price_cents: 6000,
    purchase_date: daysAgo(700),
  })
  const sale_id = await addSale(web.db, {
    account_id,
    set_number: '90001-1',
    sale_date: daysAgo(45),
    quantity: 2,
    gross_proceeds_cents: 20500,
    platform_fees_cents: 2700,
  })
  await web.db.insertInto('portfolio.sale_lot').values({ account_id, sale_id, lot_id: sold, quantity: 2 }).execute()
}

async function pointsOn(page: Page): Promise<Record<string, string>[]> {
  await page.getByText('View as table').first().click()
  return readTable(page, 'Portfolio value vs. cost basis')
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('shows the same numbers as the API for each period', async () => {
    const user = await web.createUser()
    await fillAccount(user)
    const key = await createApiKey(web, user.accountId)
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/')
    for (const [period, label] of [
      ['1y', '1 year'],
      ['90d', '90 days'],
      ['30d', '30 days'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: label }).click()
      await page.waitForURL(`**/?period=${period}`)
      const { summary, value_history } = (await web.api.get<Analytics>(`/brickfolio/analytics?period=${period}`, key))
        .data
      await expect.poll(async () => (await pointsOnPage(page)).length, { timeout: 20_000 }).toBe(value_history.length)
      const main = await page.getByRole('main').innerText()
      for (const figure of [
        `Portfolio value\n\n${formatMoney(summary.total_current_value_usd)}`,
        `${formatGain(summary.unrealized_gain_loss_usd)} · ${formatPercent(summary.unrealized_gain_loss_pct).slice(1)} unrealized gain`,
        `Cost basis\n${formatMoney(summary.total_cost_basis_usd)}`,
        `Unrealized gain\n${formatGain(summary.unrealized_gain_loss_usd)}`,
        `Portfolio value\n${formatMoney(summary.total_current_value_usd)}`,
        '4 copies have no value yet',
        `Best: ${summary.top_gainer!.title}`,
        formatPercent(summary.top_gainer!.gain_pct),
        `Worst: ${summary.top_loser!.title}`,
        formatPercent(summary.top_loser!.loss_pct),
      ]) {
        expect(main).toContain(figure)
      }
      expect((await pointsOnPage(page)).toReversed()).toEqual(
        value_history.map((point) => ({
          Date: point.date,
          Value: formatMoney(point.total_value_usd),
          'Cost basis': formatMoney(point.cost_basis_usd),
        })),
      )
    }
    expect(browserErrors).toEqual([])
    await context.close()
  })
})

/** Reads the chart's table, after opening it if necessary. */
async function pointsOnPage(page: Page): Promise<Record<string, string>[]> {
  const table = page.getByRole('table', { name: 'Portfolio value vs. cost basis' })
  return (await table.isVisible()) ? readTable(page, 'Portfolio value vs. cost basis') : pointsOn(page)
}

test('movers: ranks owned sets by their impact on the portfolio over the period', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/?period=1y')
  const up = await readTable(page, 'Top gainers, 1 year')
  const down = await readTable(page, 'Top losers, 1 year')
  expect(up.map((row) => row['Set'])).toEqual([
    'Tidewater Lighthouse\n90001-1 · Sealed',
    'Tidewater Lighthouse\n90001-1 · Used',
  ])
  expect(down.map((row) => row['Set'])).toEqual(['Copper Canyon Crossing\n90002-1 · Sealed'])
  expect(down[0]!['Value']).toBe('$40.05')
  // One year ago is between two month ends; the impact is the change per unit times the units.
  const units = { sealed: 3, used: 1 }
  for (const [index, condition] of (['sealed', 'used'] as const).entries()) {
    const [now, pct, effect] = ['Value', 'Change', 'Impact'].map((title) =>
      Number(up[index]![title]!.replaceAll(/[^\d.]/g, '')),
    ) as [number, number, number]
    const before = now - effect / units[condition]
    expect((100 * (now - before)) / before).toBeCloseTo(pct, 0)
  }
  await context.close()
})

test('returns: match a manual calculation; XIRR is hidden until the first purchase is 90 days old', async () => {
  const user = await web.createUser()
  const { accountId: account_id } = user
  const collection_id = await addCollection(web.db, account_id, { name: 'Stock', is_default: true })
  const lot = { account_id, collection_id, set_number: '90001-1' }
  const id = await addLot(web.db, { ...lot, purchase_price_cents: 10000, purchase_date: daysAgo(60) })
  const cookie = await web.signInCookies(user)
  const read = async () =>
    (await (await fetch(`${web.origin}/?period=30d`, { headers: { cookie } })).text()).replaceAll(/<[^>]+>/g, '')
  expect(await read()).toContain('appears 90 days after your first purchase.')
  // $100 became $112.40 in 365 days.
  await web.db
    .updateTable('portfolio.lot')
    .set({ purchase_date: daysAgo(365) })
    .where('id', '=', id)
    .execute()
  const page = await read()
  expect(page).toContain(
    `Annual return ▲+12.4% since ${formatDay(daysAgo(365))}, weighted by when you bought and sold.`,
  )
  expect(page).toMatch(/performance over 30 days ▲\+\d+(\.\d)?%/)
})

test('price changes: since the last visit, or of the last 7 days on the first visit', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const context = await web.signedInContext(user, { timezoneId: 'Asia/Tokyo' })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('heading', { name: 'Price changes in the last 7 days' }).waitFor()
  const changes = await readTable(page, 'Price changes')
  expect(changes.map((row) => [row['Set'], row['Retailer'], row['Price'], row['Change'], row['Note']])).toEqual([
    ['Tidewater Lighthouse\n90001-1', 'Retailer A', '$94.50', '▲+$14.51', 'Third-party only now'],
    ['Copper Canyon Crossing\n90002-1', 'Retailer A', '$29.99', '▼−$7.50', 'Lowest in 8 months'],
  ])
  // A reload soon after belongs to the same visit.
  await page.reload()
  await page.getByRole('heading', { name: 'Price changes in the last 7 days' }).waitFor()

  const until = new Date(hoursAgo(5))
  await context.addCookies([{ name: 'visit', value: `0.${Math.floor(until.getTime() / 1000)}`, url: web.origin }])
  for (let visit = 0; visit < 2; visit++) {
    await page.goto('/')
    await page.getByRole('heading', { name: 'Price changes since your last visit' }).waitFor()
    const utc = `${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`
    const lastVisit = page.getByText('Your last visit on this device:').getByTitle(utc)
    expect(await lastVisit.innerText()).toBe(formatInstant(until.toISOString(), 'Asia/Tokyo', new Date()))
    expect((await readTable(page, 'Price changes')).map((row) => row['Set'])).toEqual(['Tidewater Lighthouse\n90001-1'])
  }
  await page.getByRole('link', { name: 'Prices of your sets' }).click()
  await page.getByRole('heading', { name: 'Watchlist', level: 1 }).waitFor()
  expect((await readTable(page, 'Sets you own'))[0]!['Set']).toContain('Tidewater Lighthouse')
  await context.close()
})

test('setting the visit cookie doesn’t prevent the session from being renewed', async () => {
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  await sql`update auth.session set expires_at = now() + interval '2 days', updated_at = now() - interval '5 days'
             where user_id = ${user.userId}`.execute(web.db)
  const response = await fetch(`${web.origin}/`, { headers: { cookie } })
  const names = response.headers.getSetCookie().map((header) => header.split('=')[0])
  expect(names).toContain('visit')
  expect(names.some((name) => name?.includes('session_token'))).toBe(true)
  const out = await fetch(`${web.origin}/sign-out`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: web.origin },
  })
  const tokens = out.headers.getSetCookie().filter((header) => header.includes('session_token='))
  expect(tokens).toHaveLength(1)
  expect(tokens[0]).toMatch(/session_token=;/)
})

test('the usage summary matches the API', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  const key = await createApiKey(web, user.accountId)
  for (let n = 0; n < 3; n++) await web.api.get('/set/90001-1', key)
  const last = await web.api.get('/catalog/themes', key)
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/')
  const strip = page.getByRole('region', { name: 'API usage today' })
  await strip.getByText('4 of 1,000').waitFor()
  expect(last.headers['x-ratelimit-remaining']).toBe('996')
  await strip.getByText(/Resets in/).waitFor()
  await context.close()
})

test('a new account is guided to import and API keys and sees no data of other accounts', async () => {
  await fillAccount(await web.createUser())
  const context = await web.signedInContext(await web.createUser())
  const page = await context.newPage()
  await page.goto('/')
  await page.getByText('See what your sets are worth').waitFor()
  expect(await page.getByRole('main').getByRole('link', { name: 'Import sets' }).getAttribute('href')).toBe('/import')
  expect(await page.getByRole('link', { name: 'Create API key' }).getAttribute('href')).toBe('/keys')
  expect(await page.content()).not.toContain('Tidewater')
  await checkPage(context, '/', 'overview-empty')
  await context.close()
})

test('has no accessibility violations (light/dark, desktop/mobile)', async () => {
  const user = await web.createUser()
  await fillAccount(user)
  await createApiKey(web, user.accountId)
  const context = await web.signedInContext(user)
  await checkPage(context, '/', 'overview')
  await checkPage(context, '/?period=30d', 'overview-30d')
  await context.close()
})

test('ten times the lots take less than ten times the CPU time', async () => {
  await addManySets(web.db)
  for (let back = 1; back <= 36; back++) {
    await sql`
      insert into market.set_month (set_number, condition, month, value_cents)
      select n || '-1', 'sealed', date_trunc('month', now())::date - make_interval(months => ${back}), n - 100 * ${back}
        from generate_series(10001, 12500) n`.execute(web.db)
  }
  const cookies: Record<number, string> = { 500: await cookieOfOwner(500), 5000: await cookieOfOwner(5000) }
  await sql`analyze`.execute(web.db)
  for (const period of ['30d', '90d', '1y', '3y', 'all']) {
    const cpu: Record<number, number> = { 500: 0, 5000: 0 }
    // Interleaved, so that background load affects both equally.
    for (let round = 0; round < 5; round++) {
      for (const lots of [500, 5000]) {
        const before = await web.cpuTime()
        const response = await fetch(`${web.origin}/?period=${period}`, { headers: { cookie: cookies[lots]! } })
        expect(await response.text()).toContain('Portfolio value')
        cpu[lots]! += (await web.cpuTime()) - before
      }
    }
    console.log(`/?period=${period}, 500 and 5,000 lots: ${cpu[500]! / 5} and ${cpu[5000]! / 5} ms CPU`)
    expect(cpu[5000]! / cpu[500]!, period).toBeLessThan(10)
  }
})

/** Creates a user with this many lots and returns their session cookies. */
async function cookieOfOwner(lots: number): Promise<string> {
  const user = await web.createUser()
  const stock = await addCollection(web.db, user.accountId, { name: 'Stock', is_default: true })
  await sql`
    insert into portfolio.lot
      (account_id, collection_id, set_number, condition, quantity, purchase_price_cents, purchase_date)
    select ${user.accountId}, ${stock}, 10001 + n % 2500 || '-1', 'sealed', 1 + n % 3, n * 2,
           (now() at time zone 'utc')::date - n % 1500
      from generate_series(1, ${lots}) n`.execute(web.db)
  return web.signInCookies(user)
}
