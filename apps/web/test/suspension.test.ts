import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueKey } from '@brickmark/core/account/api-key-commands'
import { makeOperator, PEPPER } from '@brickmark/tests/support/fixtures'
import { readTable, seedCatalog } from './support/collections.ts'
import { addPasskeyInBrowser } from './support/browser-passkey.ts'
import { checkCurrentPage, checkPage, collectBrowserErrors } from './support/check-page.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

/** An operator suspends an account and restores it; what its owner reads, and the signals that lead there. */

const CONTACT = 'help@brickmark.example'
const SUSPENDED = `Your account is suspended. Your data is kept, and nothing has been deleted. Write to ${CONTACT} to find out why.`
const root = fileURLToPath(new URL('../../../', import.meta.url))

let web: TestWeb
let operator: TestUser
let admin: BrowserContext
let page: Page

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog, env: { CONTACT_EMAIL: CONTACT, PUBLIC_PAGES: 'values' } })
  operator = await web.createUser()
  admin = await web.signedInContext(operator)
  await makeOperator(web.db, operator.email)
  await web.db.updateTable('auth.session').set({ second_factor: true }).where('user_id', '=', operator.userId).execute()
  page = await admin.newPage()
})
afterAll(async () => {
  await admin.close()
  await web.stop()
})

const logOf = ({ accountId }: TestUser) =>
  web.db
    .selectFrom('account.audit_log')
    .select(['actor', 'action', 'detail'])
    .where('account_id', '=', accountId)
    .where('action', 'like', '%account.%')
    .where('action', '<>', 'account.created')
    .orderBy('id')
    .execute()
const isSuspended = async ({ accountId }: TestUser) =>
  (await web.db.selectFrom('account.account').select('suspended').where('id', '=', accountId).executeTakeFirstOrThrow())
    .suspended

async function change(user: TestUser, label: string, reason: string): Promise<void> {
  await page.goto(`/admin/accounts/${user.accountId}`)
  await page.getByLabel('Reason').fill(reason)
  await page.getByRole('button', { name: label }).click()
}
async function suspend(user: TestUser, reason = 'Chargeback, ticket 812'): Promise<void> {
  await change(user, 'Suspend account', reason)
  await page.getByText('Suspended. Its keys are refused').waitFor()
}
async function restore(user: TestUser): Promise<void> {
  await change(user, 'Restore account', 'Settled')
  await page.getByText('Restored. Its keys work again').waitFor()
}

async function signIn(context: BrowserContext, { email }: TestUser, password: string): Promise<Page> {
  const form = await context.newPage()
  await form.goto('/sign-in')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Sign in', exact: true }).click()
  return form
}

test('suspended: the next page and a sign-in say so; restored, everything works again', async () => {
  const browserErrors = collectBrowserErrors(page)
  const user = await web.createUser()
  const { key } = await issueKey(web.db, [PEPPER], { accountId: user.accountId, name: 'sheet' })
  const theirs = await web.signedInContext(user)
  const here = await theirs.newPage()
  await here.goto('/account')
  expect((await web.api.get('/set/90001-1', key)).meta.rate_limit.remaining).toBe(999)

  await suspend(user)
  await page.getByText('Chargeback, ticket 812').waitFor()
  expect((await web.api.get('/set/90001-1', key)).status).toBe(401)
  await checkPage(admin, `/admin/accounts/${user.accountId}`, 'operator-account-suspended')

  // The next page of a session that began before, also without its own document.
  await here.getByRole('link', { name: 'Collection' }).first().click()
  await here.getByText(SUSPENDED).waitFor()
  await checkCurrentPage(here, 'sign-in-suspended')
  expect(await web.db.selectFrom('auth.session').select('id').where('user_id', '=', user.userId).execute()).toEqual([])
  await here.goto('/account')
  await here.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await here.getByText('suspended').count()).toBe(0)

  // Only the right password gets this answer. A refused sign-in from a new browser sends no mail about it.
  const elsewhere = await web.newContext()
  for (const [password, text] of [
    ['the wrong password', 'Incorrect email or password.'],
    [user.password, SUSPENDED],
  ] as const) {
    const form = await signIn(elsewhere, user, password)
    await form.getByText(text).waitFor()
    expect(await form.getByText('suspended').count()).toBe(text === SUSPENDED ? 1 : 0)
    await form.close()
  }
  await elsewhere.close()
  const devices = web.db.selectFrom('auth.known_device').select('client').where('user_id', '=', user.userId)
  expect(await devices.execute()).toHaveLength(1)
  expect(web.mailServer.countEmails(user.email)).toBe(0)

  await restore(user)
  expect((await web.api.get('/set/90001-1', key)).meta.rate_limit.remaining).toBe(998)
  const again = await signIn(theirs, user, user.password)
  await again.waitForURL((url) => url.pathname !== '/sign-in')
  await again.goto('/account/activity')
  expect((await readTable(again, 'Activity, newest first')).map((row) => `${row['Event']}, ${row['By']}`)).toEqual(
    expect.arrayContaining([
      'Account restored: Settled, Brickmark',
      'Account suspended: Chargeback, ticket 812, Brickmark',
    ]),
  )
  await theirs.close()
  await page.goto('/account/activity')
  const own = (await readTable(page, 'Activity, newest first')).map((row) => `${row['Event']}, ${row['By']}`)
  expect(own.slice(0, 2)).toEqual([
    `Account ${user.accountId} restored: Settled, You`,
    `Account ${user.accountId} suspended: Chargeback, ticket 812, You`,
  ])
  expect(browserErrors).toEqual([])
})

test('a form, a data request and a public page of a suspended person do nothing but say so', async () => {
  const user = await web.createUser()
  const requests: [path: string, body?: Record<string, string>][] = [
    ['/collections', { intent: 'create', name: 'Shelf' }],
    ['/account.data'],
    ['/set/90001-1'],
  ]
  for (const [path, fields] of requests) {
    const cookie = await web.signInCookies(user)
    await suspend(user)
    const response = await fetch(web.origin + path, {
      method: fields ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie, origin: web.origin },
      ...(fields && { body: new URLSearchParams(fields) }),
    })
    const said = `${response.headers.get('location')} ${await response.text()}`
    expect(said, path).toContain('/sign-in?done=suspended')
    await restore(user)
  }
  const { count } = await web.db
    .selectFrom('portfolio.collection')
    .where('account_id', '=', user.accountId)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
})

test('a session that wasn’t used during a suspension doesn’t come back', async () => {
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  await suspend(user)
  await restore(user)
  const response = await fetch(`${web.origin}/account`, { redirect: 'manual', headers: { cookie } })
  expect(response.headers.get('location')).toBe('/sign-in?to=%2Faccount')
})

test('no limit on wrong passwords is used up by trying the right one', async () => {
  const user = await web.createUser()
  await suspend(user)
  for (let attempt = 0; attempt < 12; attempt++) {
    const body = new URLSearchParams({ email: user.email, password: user.password })
    const response = await fetch(`${web.origin}/sign-in`, { method: 'POST', headers: { origin: web.origin }, body })
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(SUSPENDED)])
  }
})

test('a passkey is told the same', async () => {
  const user = await web.createUser()
  const theirs = await web.signedInContext(user)
  const here = await theirs.newPage()
  await addPasskeyInBrowser(here)
  await theirs.clearCookies()
  await suspend(user)
  await here.goto('/sign-in')
  await here.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await here.getByText(SUSPENDED).waitFor()
  await theirs.close()
})

describe('refused', () => {
  const post = (path: string, cookie: string, fields: Record<string, string>) =>
    fetch(web.origin + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: web.origin },
      body: new URLSearchParams(fields),
    })

  test('to others, and after 30 idle minutes', async () => {
    const [user, victim, idle] = [await web.createUser(), await web.createUser(), await web.createUser()]
    const path = `/admin/accounts/${victim.accountId}`
    const fields = { intent: 'suspend', reason: 'x' }
    expect((await post(path, await web.signInCookies(user), fields)).status).toBe(404)
    const cookie = await web.signInCookies(idle)
    await makeOperator(web.db, idle.email)
    await web.db
      .updateTable('auth.session')
      .set({ second_factor: true, updated_at: new Date(Date.now() - 31 * 60_000) })
      .where('user_id', '=', idle.userId)
      .execute()
    expect((await post(path, cookie, fields)).headers.get('location')).toMatch(/^\/sign-in\?done=again/)
    expect(await isSuspended(victim)).toBe(false)
    await sql`update auth."user" set operator = false where id = ${idle.userId}`.execute(web.db)
  })

  test('of oneself, without a reason, and twice', async () => {
    await page.goto(`/admin/accounts/${operator.accountId}`)
    await page.getByRole('heading', { name: 'Change plan' }).waitFor()
    expect(await page.getByRole('button', { name: 'Suspend account' }).count()).toBe(0)
    const cookie = (await admin.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const send = async ({ accountId }: TestUser, fields: Record<string, string>) => {
      const response = await post(`/admin/accounts/${accountId}`, cookie, fields)
      return `${response.status} ${await response.text()}`
    }
    expect(await send(operator, { intent: 'suspend', reason: 'x' })).toMatch(/^409[^]*You can’t suspend your own/)
    const user = await web.createUser()
    for (const reason of ['', '  ', 'x'.repeat(501)])
      expect(await send(user, { intent: 'suspend', reason })).toMatch(/^400[^]*Enter a reason/)
    expect(await logOf(user)).toEqual([])
    await suspend(user)
    expect(await send(user, { intent: 'suspend', reason: 'x' })).toMatch(/^409[^]*Somebody else has done this/)
    expect(await logOf(user)).toHaveLength(1)
  })
})

test('signals: on the account’s page, in the list, and as a list of those who need a look', async () => {
  const user = await web.createUser()
  await page.goto(`/admin/accounts/${user.accountId}`)
  await page.getByText('None in the last 7 days.').waitFor()
  await page.goto(`/admin?view=look&q=${user.email}`)
  await page.getByText('No matching accounts').waitFor()

  const { id } = await issueKey(web.db, [PEPPER], { accountId: user.accountId, name: 'sheet' })
  await sql`insert into account.api_key_usage (account_id, api_key_id, day, status, requests)
            values (${user.accountId}, ${id}, (now() at time zone 'utc')::date, 429, 1234)`.execute(web.db)
  for (const client of ['one', 'two'])
    await sql`insert into auth.known_device (user_id, device_hash, client)
              values (${user.userId}, sha256(${client}::bytea), ${client})`.execute(web.db)
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Needs a look' }).click()
  await page.getByText('Accounts with a signal in the last 7 days, among the newest 500.').waitFor()
  const rows = await readTable(page, 'Accounts, newest first')
  expect(rows.map((row) => row['Signals'])).not.toContain('None')
  expect(rows.find((row) => row['ID'] === String(user.accountId))).toMatchObject({
    Signals: 'New browsers: 1\nOver quota: 1,234',
  })
  await checkPage(admin, '/admin?view=look', 'operator-look')
  await page.goto(`/admin/accounts/${user.accountId}`)
  expect(await readTable(page, 'Signals of the last 7 days, latest first')).toMatchObject([
    { Signal: 'New browsers', Count: '1 sign-in with a new browser', Window: '7 days' },
    { Signal: 'Over quota', Count: '1,234 requests beyond the credits of a key (429)', Window: '7 days' },
  ])
  await checkPage(admin, `/admin/accounts/${user.accountId}`, 'operator-account-signals')
  await suspend(user)
  await page.goto('/admin?view=suspended')
  const suspended = await readTable(page, 'Accounts, newest first')
  expect(suspended.every((row) => row['Account']!.includes('Suspended'))).toBe(true)
  expect(suspended.map((row) => row['ID'])).toContain(String(user.accountId))
})

test('on the command line, with the same names and the same log', async () => {
  const ops = async (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: web.api.databaseUrl }
    const ran = promisify(execFile)(process.execPath, ['apps/ops/main.ts', ...args], { cwd: root, env })
    return ran.then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    )
  }
  const user = await web.createUser()
  const id = String(user.accountId)
  expect(await ops('account-suspend', id, 'Chargeback')).toBe(`Account ${id} is suspended.\n`)
  expect(await isSuspended(user)).toBe(true)
  expect(await ops('account-suspend', id, 'Chargeback')).toBe(`Account ${id} is already suspended.\n`)
  expect(await ops('account-restore', id, 'Settled')).toBe(`Account ${id} is restored.\n`)
  expect(await ops('account-restore', id, 'Settled')).toBe(`Account ${id} isn’t suspended.\n`)
  expect(await logOf(user)).toEqual([
    { actor: 'operator', action: 'account.suspended', detail: { reason: 'Chargeback' } },
    { actor: 'operator', action: 'account.restored', detail: { reason: 'Settled' } },
  ])
  expect(await ops('account-suspend', id)).toContain("missing required argument 'reason'")
  expect(await ops('account-suspend', id, ' ')).toBe('The reason must have 1 to 500 characters.\n')
  expect(await ops('account-suspend', 'robin', 'Chargeback')).toContain('Must be a positive integer.')
  expect(await ops('account-suspend', '999999', 'Chargeback')).toBe('Account 999999 not found.\n')
  expect(await ops('account-suspend', String(operator.accountId), 'Chargeback')).toBe(
    `Account ${operator.accountId} belongs to the last admin. Appoint another one first.\n`,
  )
  expect(await isSuspended(user)).toBe(false)
})
