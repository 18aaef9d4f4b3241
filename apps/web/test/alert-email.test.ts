import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyAlertRules } from '@brickmark/tests/support/alerts'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

const BOUNCE_TOKEN = 'b'.repeat(32)

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket, env: { MAIL_BOUNCE_TOKEN: BOUNCE_TOKEN } })
  await applyAlertRules(web.db)
})
afterAll(() => web.stop())

/** Adds a rule that the next call of `crossPrice` meets. */
async function newUserWithRule(): Promise<TestUser> {
  const user = await web.createUser()
  await web.db
    .insertInto('alert.rule')
    .values({ account_id: user.accountId, kind: 'price_at_most', set_number: '90001-1', threshold: 4200 })
    .execute()
  return user
}

async function crossPrice(): Promise<void> {
  for (const price of [6000, 3999])
    await sql`
      update market.retail_state set price_cents = ${price}, in_stock = true
       where set_number = '90001-1' and retailer = 'retailer_a'`.execute(web.db)
  await applyAlertRules(web.db)
}

const SUBJECT = 'Tidewater Lighthouse'
const ONE_CLICK = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })

const post = (path: string, { body, headers = {} }: { body: string | URLSearchParams; headers?: HeadersInit }) =>
  fetch(`${web.origin}${path}`, { method: 'POST', redirect: 'manual', headers, body })

const settingsOf = async ({ accountId }: TestUser) => {
  const { rows } = await sql<{ frequency: string; bounced: boolean }>`
    select frequency, bounced_at is not null as bounced from alert.mail_settings where account_id = ${accountId}`.execute(
    web.db,
  )
  return rows[0]
}

const scheduleOf = async ({ accountId }: TestUser) => {
  const { rows } = await sql<{ due_at: Date | null }>`
    select due_at from alert.mail_schedule where account_id = ${accountId}`.execute(web.db)
  return rows[0]?.due_at
}

test('an alert comes by email, says why, and can be stopped with one request', async () => {
  const user = await newUserWithRule()
  await crossPrice()
  const mail = await web.mailServer.waitForEmail(user.email, SUBJECT)
  expect(mail).toContain('your $42.00 at Retailer A')
  expect(mail).toContain(`${web.origin}/set/90001-1`)
  expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  const [, path] = /^List-Unsubscribe: <http:\/\/[^/]+(\/unsubscribe\/[^>]+)>/m.exec(mail.replaceAll(/\r\n\s+/g, ' '))!
  expect(mail).toContain(`Unsubscribe: ${web.origin}${path}`)

  // Opening the link only asks; mail scanners open links.
  const page = await (await fetch(web.origin + path!)).text()
  expect(page).toContain('Stop these emails')
  expect(await settingsOf(user)).toBeUndefined()
  // What a mail client sends by RFC 8058: no cookie and no Origin header.
  const response = await post(path!, { body: ONE_CLICK })
  expect([response.status, await settingsOf(user)]).toEqual([200, { frequency: 'off', bounced: false }])
  const before = web.mailServer.countEmails(user.email)
  await crossPrice()
  expect(await scheduleOf(user)).toBeNull()
  expect(web.mailServer.countEmails(user.email)).toBe(before)
})

test('an unsubscribe link works for its own account only', async () => {
  const [user, other] = [await newUserWithRule(), await newUserWithRule()]
  await crossPrice()
  const mail = await web.mailServer.waitForEmail(user.email, SUBJECT)
  const [, id, day, signature] = /unsubscribe\/(\d+)-(\d+)-([\w-]{43})/.exec(mail.replaceAll(/\r\n\s+/g, ''))!
  expect(Number(id)).toBe(user.accountId)
  for (const token of [
    `${other.accountId}-${day}-${signature}`,
    `${id}-${Number(day) + 1}-${signature}`,
    `${id}-${day}-${signature!.slice(1)}x`,
    'nothing',
  ])
    expect((await post(`/unsubscribe/${token}`, { body: ONE_CLICK })).status).toBe(404)
  expect(await settingsOf(other)).toBeUndefined()
})

test('while the mail server is down, mail waits in the database, unreadable, and arrives later', async () => {
  const user = await newUserWithRule()
  web.mailServer.pause()
  await crossPrice()
  await post('/forgot-password', { body: new URLSearchParams({ email: user.email }), headers: { origin: web.origin } })
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ attempts: number; content: Buffer; last_error: string | null }>`
        select attempts, content, last_error from mail.message`.execute(web.db)
        return rows.length >= 2 && rows.every(({ last_error }) => last_error !== null) ? rows : []
      },
      { timeout: 20_000 },
    )
    .not.toEqual([])
  const { rows } = await sql<{ content: Buffer }>`select content from mail.message`.execute(web.db)
  for (const { content } of rows)
    expect(content.toString('latin1')).not.toMatch(/example\.com|reset-password|Tidewater/)
  expect(web.mailServer.countEmails(user.email)).toBe(0)
  web.mailServer.resume()
  await sql`update mail.message set next_attempt_at = now()`.execute(web.db)
  await web.mailServer.waitForEmail(user.email, SUBJECT)
  await web.mailServer.waitForEmail(user.email, 'Reset your password')
  await expect
    .poll(async () => (await sql`select from mail.message`.execute(web.db)).rows.length, { timeout: 10_000 })
    .toBe(0)
  expect(web.mailServer.countEmails(user.email)).toBe(2)
})

test('an email that has expired isn’t sent', async () => {
  const user = await newUserWithRule()
  web.mailServer.pause()
  await post('/forgot-password', { body: new URLSearchParams({ email: user.email }), headers: { origin: web.origin } })
  const expire = () => sql`update mail.message set expires_at = now(), next_attempt_at = now()`.execute(web.db)
  await expect.poll(async () => Number((await expire()).numAffectedRows), { timeout: 10_000 }).toBe(1)
  await expect
    .poll(async () => (await sql`select from mail.message`.execute(web.db)).rows.length, { timeout: 10_000 })
    .toBe(0)
  web.mailServer.resume()
  expect(web.log()).toContain('gave up on an email')
  expect(web.mailServer.countEmails(user.email)).toBe(0)
})

describe('bounces', () => {
  const report = (body: unknown, token = BOUNCE_TOKEN) =>
    post('/hooks/bounces', {
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })

  test('reported by the mail provider stop mail about alerts until the user saves the settings', async () => {
    const user = await newUserWithRule()
    expect((await report({ email: user.email, kind: 'bounce' }, 'wrong')).status).toBe(401)
    expect((await report({ email: user.email })).status).toBe(400)
    expect((await report('')).status).toBe(400)
    expect((await report({ email: 'nobody@example.com', kind: 'bounce' })).status).toBe(204)
    expect(await settingsOf(user)).toBeUndefined()
    expect((await report({ email: user.email.toUpperCase(), kind: 'complaint' })).status).toBe(204)
    expect(await settingsOf(user)).toEqual({ frequency: 'at_once', bounced: true })
    await crossPrice()
    expect(await scheduleOf(user)).toBeUndefined()

    const context = await web.signedInContext(user)
    const page = await context.newPage()
    await page.goto('/alerts/email')
    await page.getByText('rejects our mail').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await page.getByText('rejects our mail').count()).toBe(0)
    expect(await settingsOf(user)).toEqual({ frequency: 'at_once', bounced: false })
    await context.close()
  })

  test('of the mail server itself count too', async () => {
    const user = await newUserWithRule()
    web.mailServer.refuse(user.email)
    await crossPrice()
    await expect.poll(() => settingsOf(user), { timeout: 10_000 }).toEqual({ frequency: 'at_once', bounced: true })
  })
})

describe('when mail is due', () => {
  const due = async (settings: Record<string, unknown>, at: string) => {
    const { rows } = await sql<{ due: Date | null }>`
      select alert.mail_due_at(jsonb_populate_record(null::alert.mail_settings, ${JSON.stringify({
        account_id: 1,
        frequency: 'at_once',
        time_zone: 'America/New_York',
        quiet_from: 22,
        quiet_to: 7,
        daily_at: 8,
        ...settings,
      })}::jsonb), ${at}::timestamptz) as due`.execute(web.db)
    return rows[0]!.due?.toISOString().slice(0, 16)
  }

  test.each([
    ['at once by day', {}, '2026-06-01T16:00:00Z', '2026-06-01T16:00'],
    ['after quiet hours, before midnight', {}, '2026-06-02T02:30:00Z', '2026-06-02T11:00'],
    ['after quiet hours, after midnight', {}, '2026-06-02T05:00:00Z', '2026-06-02T11:00'],
    ['as soon as quiet hours end', {}, '2026-06-02T11:00:00Z', '2026-06-02T11:00'],
    ['after quiet hours by day', { quiet_from: 9, quiet_to: 17 }, '2026-06-01T16:00:00Z', '2026-06-01T21:00'],
    ['at once without quiet hours', { quiet_from: 9, quiet_to: 9 }, '2026-06-01T13:30:00Z', '2026-06-01T13:30'],
    ['once a day, today', { frequency: 'daily' }, '2026-06-01T10:00:00Z', '2026-06-01T12:00'],
    ['once a day, tomorrow', { frequency: 'daily' }, '2026-06-01T12:00:00Z', '2026-06-02T12:00'],
    ['after the clocks change', { frequency: 'daily' }, '2026-10-31T12:30:00Z', '2026-11-01T13:00'],
    ['never', { frequency: 'off' }, '2026-06-01T12:00:00Z', undefined],
  ])('%s', async (_, settings, at, expected) => {
    expect(await due(settings, at)).toBe(expected)
  })

  test('alerts before it come in one email, and the next one follows after five minutes', async () => {
    const user = await newUserWithRule()
    const daily = { frequency: 'daily', time_zone: 'UTC', daily_at: (new Date().getUTCHours() + 2) % 24 }
    await web.db
      .insertInto('alert.mail_settings')
      .values({ account_id: user.accountId, ...daily })
      .execute()
    await crossPrice()
    await crossPrice()
    expect((await scheduleOf(user))!.getTime()).toBeGreaterThan(Date.now())
    const dueNow = () =>
      sql`update alert.mail_schedule set due_at = now() where account_id = ${user.accountId}`.execute(web.db)
    await dueNow()
    expect(await web.mailServer.waitForEmail(user.email, '2 alerts')).toContain('See all alerts')
    await sql`update alert.mail_settings set frequency = 'at_once' where account_id = ${user.accountId}`.execute(web.db)
    await crossPrice()
    expect((await scheduleOf(user))!.getTime()).toBeGreaterThan(Date.now() + 200_000)
    await dueNow()
    await web.mailServer.waitForEmail(user.email, SUBJECT)
    expect(web.mailServer.countEmails(user.email)).toBe(2)
  })
})

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('a user chooses when to get email', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/alerts')
    await page.getByRole('link', { name: 'Email', exact: true }).click()
    await page.getByLabel('Send email').selectOption('daily')
    await page.getByLabel('Once a day at').selectOption('9')
    await page.getByLabel('Quiet from').selectOption('22')
    await page.getByLabel('Quiet until').selectOption('7')
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
    expect(
      await web.db
        .selectFrom('alert.mail_settings')
        .selectAll()
        .where('account_id', '=', user.accountId)
        .executeTakeFirst(),
    ).toMatchObject({ frequency: 'daily', daily_at: 9, quiet_from: 22, quiet_to: 7, time_zone: 'Europe/Berlin' })
    expect(browserErrors).toEqual([])
    await context.close()
  })
})

test('rejects settings that no list offers', async () => {
  const cookie = await web.signInCookies(await web.createUser())
  const fields = { frequency: 'daily', 'quiet-from': '22', 'quiet-to': '7', 'daily-at': '8', 'time-zone': 'UTC' }
  for (const wrong of [
    { frequency: 'hourly' },
    { 'quiet-to': '24' },
    { 'daily-at': '' },
    { 'time-zone': 'Mars/Base' },
  ]) {
    const body = new URLSearchParams({ ...fields, ...wrong })
    expect((await post('/alerts/email', { body, headers: { origin: web.origin, cookie } })).status).toBe(400)
  }
})

test('has no accessibility violations (light/dark, desktop/mobile)', async () => {
  const user = await newUserWithRule()
  const context = await web.signedInContext(user)
  await checkPage(context, '/alerts/email', 'alert-email')
  await crossPrice()
  const mail = await web.mailServer.waitForEmail(user.email, SUBJECT)
  const [path] = /\/unsubscribe\/\d+-[\w-]{43}/.exec(mail.replaceAll(/\r\n\s+/g, ''))!
  await checkPage(await web.newContext(), path, 'unsubscribe')
  await context.close()
})
