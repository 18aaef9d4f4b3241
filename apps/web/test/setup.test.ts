import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSetupNonce } from '@brickmark/core/account/setup-queries'
import { checkCurrentPage, collectBrowserErrors } from './support/check-page.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

/** The first operator, from the line in the log to the Data page. The tests build on one another. */

let web: TestWeb
let address: URL

beforeAll(async () => {
  web = await startTestWeb()
  address = new URL(/"url":"([^"]+\/setup\?[^"]+)"/.exec(web.log())![1]!)
})
afterAll(() => web.stop())

const person = { name: 'Olga Operator', email: 'olga@example.com', password: 'correct horse battery' }

const post = (fields: Record<string, string>, cookie = '') =>
  fetch(`${web.origin}/setup`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: web.origin, cookie },
    body: new URLSearchParams(fields),
  })
const findUser = (email: string) =>
  web.db.selectFrom('auth.user').selectAll().where('email', '=', email).executeTakeFirst()

test.each([
  ['no token', ''],
  ['another token', 'x'.repeat(32)],
  ['half of it', () => address.searchParams.get('token')!.slice(0, 16)],
])('with %s, nobody gets an account or becomes an operator', async (_, given) => {
  const token = typeof given === 'string' ? given : given()
  expect((await post({ ...person, token })).status).toBe(400)
  expect(await findUser(person.email)).toBeUndefined()
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  await web.db.updateTable('auth.session').set({ second_factor: true }).where('user_id', '=', user.userId).execute()
  expect((await post({ token, intent: 'appoint' }, cookie)).status).toBe(400)
  expect((await findUser(user.email))!.operator).toBe(false)
})

test('with the token, but without a second factor, nobody becomes an operator', async () => {
  const user = await web.createUser()
  const token = address.searchParams.get('token')!
  const response = await post({ token, intent: 'appoint' }, await web.signInCookies(user))
  expect(response.headers.get('location')).toMatch(/^\/sign-in\?done=again/)
  expect((await findUser(user.email))!.operator).toBe(false)
})

test('from the address in the log to the Data page; then the address is gone', async () => {
  const context = await web.newContext()
  const page = await context.newPage()
  const browserErrors = collectBrowserErrors(page)
  await page.goto(address.href)
  await checkCurrentPage(page, 'setup')
  await page.getByLabel('Name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()

  // Whoever leaves here comes back to where they were.
  await page.goto(address.href)
  await page.getByRole('link', { name: 'Turn on two-factor authentication' }).click()
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.getByRole('region', { name: 'Or enter this setup key' }).textContent()) ?? ''
  await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText(`You’re signed in as ${person.email}`).waitFor()
  await checkCurrentPage(page, 'setup, last step')
  await page.getByRole('button', { name: 'Become the operator' }).click()
  await page.getByRole('heading', { name: 'Sources' }).waitFor()
  await page.getByText('REBRICKABLE_LICENSE_ID').waitFor()

  const user = (await findUser(person.email))!
  expect(user.operator).toBe(true)
  const entries = web.db.selectFrom('account.audit_log').select('action').where('account_id', '=', user.account_id)
  expect((await entries.execute()).map(({ action }) => action)).toContain('operator.appointed')
  expect(await findSetupNonce(web.db)).toBeUndefined()
  await page.goto(address.href)
  expect(new URL(page.url()).pathname).toBe('/admin/data')
  expect(browserErrors).toEqual([])
  await context.close()

  expect((await fetch(address)).status).toBe(404)
  const token = address.searchParams.get('token')!
  expect((await post({ ...person, email: 'late@example.com', token })).status).toBe(404)
  expect(await findUser('late@example.com')).toBeUndefined()
})
