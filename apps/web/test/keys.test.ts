import { sql } from 'kysely'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, checkCurrentPage, collectBrowserErrors } from './support/check-page.ts'
import { waitForRequest } from './support/first-request.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb()
})
afterAll(() => web.stop())

const KEY = /bmk_live_[0-9a-f]{48}/

/** Creates a key with the page's form and returns the displayed key. */
async function createKey(page: Page, name: string): Promise<string> {
  await page.goto('/keys')
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  const shown = await page.getByRole('region', { name: 'API key', exact: true }).textContent()
  expect(shown).toMatch(KEY)
  return shown!
}

/** Posts a form with the session cookie, as a browser would. */
async function post(path: string, cookie: string, fields: Record<string, string>): Promise<Response> {
  const headers = { cookie, origin: web.origin }
  return fetch(web.origin + path, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) })
}

const idOf = async ({ accountId }: TestUser, name: string) => {
  const found = web.db.selectFrom('account.api_key').select('id').where('account_id', '=', accountId)
  return (await found.where('name', '=', name).executeTakeFirstOrThrow()).id
}

const callApi = (key: string) => web.api.get('/brickfolio', key)

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  let user: TestUser
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    user = await web.createUser()
    context = await web.signedInContext(user, { javaScriptEnabled })
    page = await context.newPage()
  })
  afterAll(() => context.close())

  test('shows a new key once and detects its first request', async () => {
    const browserErrors = collectBrowserErrors(page)
    const key = await createKey(page, 'price sheet')
    for (const name of ['curl', 'JavaScript', 'Python', 'Google Sheets']) {
      const sample = page.getByText(name, { exact: true }).locator('xpath=ancestor::details').locator('pre')
      expect(await sample.textContent(), name).toContain(key)
    }
    await page.getByText('Waiting for your first request').waitFor()
    if (javaScriptEnabled) await checkCurrentPage(page, 'keys-new')
    const response = await callApi(key)
    expect(response.status).toBe(200)
    await waitForRequest(page, 'It works!', javaScriptEnabled)
    expect(await page.locator('body').innerText()).toContain(response.headers['x-request-id'])
    if (javaScriptEnabled) await checkCurrentPage(page, 'keys-works')
    for (const path of ['/keys', `/keys/${await idOf(user, 'price sheet')}`, '/account/activity', '/usage']) {
      await page.goto(path)
      expect(await page.content(), path).not.toMatch(KEY)
    }
    await page.goto('/keys')
    const row = page.getByRole('row', { name: /price sheet/ })
    expect(await row.innerText()).toContain(`bmk_live_…${key.slice(-4)}`)
    expect(await row.innerText()).toContain('1 of 1,000')
    expect(await row.innerText()).toContain('node')
    expect(browserErrors).toEqual([])
  })

  test('shows the exact error of a failed first request', async () => {
    const key = await createKey(page, 'mistaken')
    const response = await web.api.get('/brickfolio?limits=5', key)
    expect(response.status).toBe(400)
    await waitForRequest(page, 'Your request returned 400', javaScriptEnabled)
    const text = await page.locator('body').innerText()
    expect(text).toContain(`BadRequest: ${response.error.message}`)
    expect(text).toContain(response.headers['x-request-id'])
  })

  test('revokes a key after its name is typed; the next request gets 401', async () => {
    const key = await createKey(page, 'to be ended')
    expect((await callApi(key)).status).toBe(200)
    await page.goto(`/keys/${await idOf(user, 'to be ended')}`)
    await page.getByRole('link', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke “to be ended”?' })
    await dialog.waitFor()
    if (javaScriptEnabled) await checkCurrentPage(page, 'key-revoke')
    const confirm = async (name: string) => {
      await dialog.getByRole('textbox').fill(name)
      await dialog.getByRole('button', { name: 'Revoke key' }).click()
    }
    await confirm('something else')
    await page.getByText('That doesn’t match the key’s name.').waitFor()
    expect((await callApi(key)).status).toBe(200)
    await confirm('to be ended')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect((await callApi(key)).status).toBe(401)
    await page.getByText('Revoked and expired keys (').click()
    await page
      .getByRole('row', { name: /to be ended/ })
      .getByText('Revoked')
      .waitFor()
  })

  test('replaces a key with or without an overlap', async () => {
    const old = await createKey(page, 'nightly')
    const replace = async (choice: string) => {
      await page.goto(`/keys/${await idOf(user, 'nightly')}/replace`)
      await page.getByLabel('Keep old key active for').selectOption({ label: choice })
      await page.getByRole('button', { name: 'Rotate key' }).click()
      return (await page.getByRole('region', { name: 'API key', exact: true }).textContent()) ?? ''
    }
    const second = await replace('24 hours')
    expect([(await callApi(old)).status, (await callApi(second)).status]).toEqual([200, 200])
    const third = await replace('Revoke immediately')
    expect(new Set([old, second, third]).size).toBe(3)
    expect([(await callApi(old)).status, (await callApi(second)).status, (await callApi(third)).status]).toEqual([
      200, 401, 200,
    ])
    await page.goto('/keys')
    await page.getByRole('row', { name: /nightly \(until / }).waitFor()
    await page.goto('/account/activity')
    await page.getByText(/^API key “nightly \(until .* rotated; the old key expires/).waitFor()
    expect(await page.getByText('API key “nightly” created').count()).toBe(3)
  })
})

test('Escape closes the revoke dialog without revoking', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  const key = await createKey(page, 'kept')
  await page.goto(`/keys/${await idOf(user, 'kept')}/revoke`)
  // The server sends the dialog open; Escape closes it from when the script has made it modal.
  await page.locator('dialog:modal').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect((await callApi(key)).status).toBe(200)
  await context.close()
})

test('50 concurrent submits create exactly five keys; rejections state the reason', async () => {
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  // On an overloaded machine a request may get 503, which creates no key; like its sender, this tries again.
  const submit = async (name: string, tries = 10): Promise<Response> => {
    const response = await post('/keys', cookie, { name, expires: 'never' })
    if (response.status !== 503 || tries === 1) return response
    await new Promise((resolve) => setTimeout(resolve, 500))
    return submit(name, tries - 1)
  }
  const responses = await Promise.all(Array.from({ length: 50 }, (_, n) => submit(`key ${n}`)))
  const pages = await Promise.all(responses.map((response) => response.text()))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(responses.map(({ status }) => status).filter((status) => ![200, 409, 503].includes(status))).toEqual([])
  const shown = pages.filter((page) => KEY.test(page))
  expect(shown).toHaveLength(5)
  for (const [index, { status }] of responses.entries()) {
    if (status === 409) expect(pages[index]).toContain('You’ve reached the limit of 5 active keys')
  }
  const keys = await web.db
    .selectFrom('account.api_key')
    .select('slot')
    .where('account_id', '=', user.accountId)
    .orderBy('slot')
    .execute()
  expect(keys.map(({ slot }) => slot)).toEqual([1, 2, 3, 4, 5])
  for (const page of shown) expect((await callApi(KEY.exec(page)![0])).status).toBe(200)
})

test.each(['auth.session', 'account.api_key'])(
  '503 with Retry-After while the database doesn’t respond (%s)',
  async (table) => {
    const cookie = await web.signInCookies(await web.createUser())
    const response = await web.db.transaction().execute(async (tx) => {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
      return fetch(`${web.origin}/keys`, { headers: { cookie } })
    })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
  },
)

test('submitting twice creates one key; rejects blank and overlong names', async () => {
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  const statuses: number[] = []
  for (const name of ['again', 'again', ' ', 'x'.repeat(61)]) {
    statuses.push((await post('/keys', cookie, { name })).status)
  }
  expect(statuses).toEqual([200, 409, 400, 400])
})

const namesOf = async ({ accountId }: TestUser) => {
  const keys = web.db.selectFrom('account.api_key').select('name').where('account_id', '=', accountId)
  return (await keys.orderBy('id').execute()).map(({ name }) => name)
}

test('ten concurrent submits create one key', async () => {
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  const responses = await Promise.all(Array.from({ length: 10 }, () => post('/keys', cookie, { name: 'twin' })))
  expect(await namesOf(user)).toEqual(['twin'])
  const rejected = responses.find(({ status }) => status === 409)
  expect(await rejected!.text()).toContain('You already have an active key with this name')
})

test('a key is replaced only once, however often the form is submitted', async () => {
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  await post('/keys', cookie, { name: 'nightly' })
  const id = await idOf(user, 'nightly')
  const replace = (overlap: string) => post(`/keys/${id}/replace`, cookie, { overlap, expires: 'never' })
  const together = await Promise.all(Array.from({ length: 4 }, () => replace('24')))
  expect(together.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const overlap of ['24', '0']) {
    const again = await replace(overlap)
    expect(again.status).toBe(409)
    expect(await again.text()).toContain('This key has already been rotated')
  }
  expect(await namesOf(user)).toEqual([expect.stringMatching(/^nightly \(until [\d-]+\)$/), 'nightly'])
  const page = await (await fetch(`${web.origin}/keys/${id}`, { headers: { cookie } })).text()
  expect(page).not.toContain(`/keys/${id}/replace`)
  // The new key can itself be replaced.
  const next = await idOf(user, 'nightly')
  expect((await post(`/keys/${next}/replace`, cookie, { overlap: '24' })).status).toBe(200)
})

test('stores the expiry; rejects a replacement with overlap if all five slots are used', async () => {
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  for (const name of ['1', '2', '3', '4', '5']) await post('/keys', cookie, { name, expires: '90' })
  const id = await idOf(user, '1')
  const rejected = await post(`/keys/${id}/replace`, cookie, { overlap: '24', expires: 'never' })
  expect(rejected.status).toBe(409)
  const advice = await rejected.text()
  expect(advice).toContain('Revoke the old key immediately, or revoke another key first.')
  expect(advice).not.toContain('Revoke one first')
  const keys = await web.db
    .selectFrom('account.api_key')
    .select(['name', 'expires_at'])
    .where('account_id', '=', user.accountId)
    .orderBy('id')
    .execute()
  expect(keys.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5'])
  const days = (keys[0]!.expires_at!.getTime() - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(89.9)
  expect(days).toBeLessThan(90.1)
  expect((await post(`/keys/${id}/replace`, cookie, { overlap: '0', expires: 'never' })).status).toBe(200)
})

test('responds 404 to every route of another account’s key', async () => {
  const [owner, thief] = [await web.createUser(), await web.createUser()]
  const page = await (await post('/keys', await web.signInCookies(owner), { name: 'mine' })).text()
  const key = KEY.exec(page)![0]
  const id = await idOf(owner, 'mine')
  const cookie = await web.signInCookies(thief)
  for (const path of [`/keys/${id}`, `/keys/${id}/revoke`, `/keys/${id}/replace`, `/keys/${id}.data`]) {
    const response = await fetch(web.origin + path, { headers: { cookie } })
    expect(await response.text(), path).not.toContain('mine')
    if (!path.endsWith('.data')) expect(response.status, path).toBe(404)
  }
  expect((await post(`/keys/${id}/revoke`, cookie, { name: 'mine' })).status).toBe(404)
  expect((await post(`/keys/${id}/replace`, cookie, { overlap: '0' })).status).toBe(404)
  expect((await callApi(key)).status).toBe(200)
})

test('creating a key requires a recent sign-in', async () => {
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  await web.db
    .updateTable('auth.session')
    .set({ created_at: new Date(Date.now() - 13 * 3_600_000) })
    .where('user_id', '=', user.userId)
    .execute()
  const response = await post('/keys', cookie, { name: 'late' })
  expect(response.headers.get('location')).toBe('/sign-in?done=again&to=%2Fkeys')
  const signIn = await fetch(`${web.origin}/sign-in?done=again&to=%2Fkeys`, { headers: { cookie }, redirect: 'manual' })
  expect(signIn.status).toBe(200)
  expect(await signIn.text()).toContain('Please sign in again to confirm it’s you.')
})

test('warns an account without API access before its first request', async () => {
  const context = await web.signedInContext(await web.createUser({ plan: 'hobby' }))
  const page = await context.newPage()
  const key = await createKey(page, 'too early')
  await page.getByText('Your plan doesn’t include API access').waitFor()
  expect((await callApi(key)).status).toBe(403)
  await page.getByText('Your request returned 403').waitFor()
  await checkCurrentPage(page, 'keys-no-plan')
  await context.close()
})

describe('has no accessibility violations (light/dark, desktop/mobile)', () => {
  let context: BrowserContext
  let id: number
  beforeAll(async () => {
    const user = await web.createUser()
    context = await web.signedInContext(user)
    await checkPage(context, '/keys', 'keys-empty')
    const page = await context.newPage()
    for (const name of ['price sheet', 'assistant on the laptop', 'nightly stock report']) await createKey(page, name)
    id = await idOf(user, 'price sheet')
  })
  afterAll(() => context.close())

  test.each([
    ['keys', () => '/keys'],
    ['key', () => `/keys/${id}`],
    ['key-rotate', () => `/keys/${id}/replace`],
    ['account-activity', () => '/account/activity'],
  ])('%s', (name, path) => checkPage(context, path(), name))
})

test('doesn’t log keys or parts of them', () => {
  expect(web.log()).not.toMatch(/bmk_live_[0-9a-f]/)
})
