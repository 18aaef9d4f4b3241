import { readFile } from 'node:fs/promises'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '@brickmark/core/account/api-key'
import { issueKey } from '@brickmark/core/account/api-key-commands'
import { PEPPER } from '@brickmark/tests/support/fixtures'
import { seedFullAccount, countRowsByTable, findTextAnywhere } from '@brickmark/tests/support/full-account'
import { addPasskeyInBrowser } from './support/browser-passkey.ts'
import { seedCatalog } from './support/collections.ts'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { registerAuthenticator } from './support/software-authenticator.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

/** Account page: plan, export, deletion, and the session checks that protect them. */

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog, env: { CONTACT_EMAIL: 'desk@brickmark.example' } })
})
afterAll(() => web.stop())

const post = (path: string, cookie: string, fields: Record<string, string> = {}) =>
  fetch(web.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: web.origin },
    body: new URLSearchParams(fields),
  })
const get = (path: string, cookie: string) => fetch(web.origin + path, { redirect: 'manual', headers: { cookie } })

/** Backdates the user's sessions: `began` and `used` are minutes since creation and last use. */
async function age({ userId }: TestUser, { began, used }: { began: number; used: number }): Promise<void> {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  await web.db
    .updateTable('auth.session')
    .set({ created_at: ago(began), updated_at: ago(used) })
    .where('user_id', '=', userId)
    .execute()
}

async function signInAgain(page: Page, user: TestUser): Promise<void> {
  await page.getByText('Please sign in again to confirm it’s you.').waitFor()
  await signIn(page, user)
}

async function signIn(page: Page, { email, password }: TestUser): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

describe('plan card', () => {
  const planCardText = async (user: TestUser) => {
    const context = await web.signedInContext(user)
    const page = await context.newPage()
    await page.goto('/account')
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Plan', exact: true }) })
    const text = (await card.innerText()).replaceAll(/\s+/g, ' ')
    await context.close()
    return text
  }

  test('Reseller: shows the allowance, today’s usage as counted by the API, and what Hobby lacks', async () => {
    const user = await web.createUser()
    const { key } = await issueKey(web.db, [PEPPER], { accountId: user.accountId, name: 'sheet' })
    for (let n = 0; n < 3; n++) await web.api.get('/brickfolio', key)
    const text = await planCardText(user)
    expect(text).toMatch(/^Plan Reseller What’s included/)
    expect(text).toContain('1,000 credits per key per day')
    expect(text).toContain('Used today Your keys have used 3 credits in total. Your busiest key has used 3 of 1,000.')
    expect(text).toContain('You have 1 of 5 keys')
    expect(text).toContain('On the Hobby plan Removes API access.')
    expect(text).toContain('email desk@brickmark.example')
  })

  test('Hobby: shows that the API is not included and what Reseller adds', async () => {
    const text = await planCardText(await web.createUser({ plan: 'hobby' }))
    expect(text).toContain('No API access.')
    expect(text).toContain('On the Reseller plan Adds API access with 1,000 credits per key per day.')
  })
})

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('exports all account data in one file that matches the database', async () => {
    const user = await web.createUser()
    await seedFullAccount(web.db, user, `take-${javaScriptEnabled}`)
    const context = await web.signedInContext(user, { javaScriptEnabled, acceptDownloads: true })
    const page = await context.newPage()
    await page.goto('/account')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export data' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^brickmark-account-\d{4}-\d\d-\d\d\.json$/)
    const file = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, object[]>
    const counts = await countRowsByTable(web.db, user)
    const PARTS: Record<string, string> = {
      collections: 'portfolio.collection',
      lots: 'portfolio.lot',
      sales: 'portfolio.sale',
      sale_lots: 'portfolio.sale_lot',
      imports: 'portfolio.import',
      keys: 'account.api_key',
      last_requests: 'account.api_key_last_request',
      units: 'account.api_key_quota',
      requests: 'account.api_key_usage',
      history: 'account.audit_log',
      sessions: 'auth.session',
      passkeys: 'auth.passkey',
    }
    for (const [part, table] of Object.entries(PARTS)) expect(file[part]!.length, part).toBe(counts[table])
    expect(file['lots']![0]).toMatchObject({ set_number: '90001-1', quantity: 2, purchase_price_cents: 6000 })
    expect(file['person']).toMatchObject({ email: user.email })
    await context.close()
  })

  test('changing the password confirms it, keeps this session and ends all others', async () => {
    const user = await web.createUser()
    const elsewhere = await web.signInCookies(user)
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/account')
    await page.getByLabel('Current password').fill(user.password)
    await page.getByLabel('New password').fill('another good password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed. You’ve been signed out on your other devices.').waitFor()
    await page.getByText('This device').waitFor()
    expect(await page.getByRole('button', { name: 'Sign out other devices' }).count()).toBe(0)
    expect((await get('/account', elsewhere)).headers.get('location')).toContain('/sign-in')
    await web.signInCookies({ ...user, password: 'another good password' })
    expect(browserErrors).toEqual([])
    await context.close()
  })

  test('deleting the account requires signing in again and typing the email address, and leaves no data', async () => {
    const user = await web.createUser()
    const other = await web.createUser()
    const canary = `gone-${javaScriptEnabled}`
    const { key } = await seedFullAccount(web.db, user, canary)
    await web.db.deleteFrom('auth.two_factor').where('user_id', '=', user.userId).execute()
    expect((await web.api.get('/brickfolio', key)).status).toBe(200)
    const elsewhere = await web.signInCookies(user)
    const context = await web.signedInContext(user, { javaScriptEnabled })
    await age(user, { began: 15, used: 1 })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/account')
    await page.getByRole('link', { name: 'Delete account' }).click()
    await signInAgain(page, user)
    await page.getByText('1 collection with 1 lot, 2 units in total').waitFor()
    await page.getByText('1 active API key; requests using it fail immediately').waitFor()
    const confirm = async (address: string) => {
      await page.getByLabel(/^Type .* to confirm/).fill(address)
      await page.getByRole('button', { name: 'Delete account permanently' }).click()
    }
    await confirm(other.email)
    await page.getByText('That doesn’t match your email address.').waitFor()
    expect((await web.api.get('/brickfolio', key)).status).toBe(200)

    await confirm(user.email)
    await page.getByText('Your account has been deleted').waitFor()
    expect((await web.api.get('/brickfolio', key)).status).toBe(401)
    expect((await get('/account', elsewhere)).headers.get('location')).toContain('/sign-in')
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('brickmark.session_token')
    expect(Object.entries(await countRowsByTable(web.db, user)).filter(([, count]) => count > 0)).toEqual([])
    const hash = hashKey(key, PEPPER).toString('hex')
    expect(await findTextAnywhere(web.db, [canary, user.email, user.userId, hash])).toEqual([])
    await web.mailServer.waitForEmail(user.email, 'Your Brickmark account has been deleted')
    expect((await countRowsByTable(web.db, other))['auth."user"']).toBe(1)
    await page.goto('/sign-in')
    await signIn(page, user)
    await page.getByText('Incorrect email or password.').waitFor()
    expect(browserErrors).toEqual([])
    await context.close()
  })
})

test('deleting an account with two-factor authentication requires the code too', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/account/two-factor')
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.getByRole('region', { name: 'Or enter this setup key' }).textContent()) ?? ''
  await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('We ask for a code from your authenticator app').waitFor()
  await age(user, { began: 15, used: 1 })
  await page.goto('/account/delete')
  await signInAgain(page, user)
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
  // The password alone already ended the previous session.
  await page.goto('/account/delete')
  expect(new URL(page.url()).pathname).toBe('/sign-in')
  await signIn(page, user)
  // The code that switched it on has been used.
  const nextCode = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 })
  await page.getByLabel('Code', { exact: true }).fill(nextCode)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('What will be deleted').waitFor()
  await context.close()
})

test('a passkey is accepted for reauthentication', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await addPasskeyInBrowser(page)
  await age(user, { began: 15, used: 1 })
  await page.goto('/account/delete')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('What will be deleted').waitFor()
  await context.close()
})

describe('session without a recent sign-in', () => {
  const expectReauthRedirect = async (response: Response) => {
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toMatch(/^\/sign-in\?done=again/)
  }

  test.each([
    ['idle for 31 minutes', { began: 60, used: 31 }, true],
    ['13 hours old, and in use', { began: 13 * 60, used: 1 }, true],
    ['11 hours old, and in use', { began: 11 * 60, used: 1 }, false],
    ['idle for 29 minutes', { began: 60, used: 29 }, false],
  ])('%s', async (_, session, rejected) => {
    const user = await web.createUser()
    const cookie = await web.signInCookies(user)
    await age(user, session)
    // Any session may view pages, which does not renew the recent sign-in.
    expect((await get('/keys', cookie)).status).toBe(200)
    const created = await post('/keys', cookie, { name: 'sheet' })
    const file = await get('/account/export.json', cookie)
    const passkey = await get('/passkey/add-options', cookie)
    if (rejected) {
      await expectReauthRedirect(created)
      await expectReauthRedirect(file)
      expect(passkey.status).toBe(403)
    } else {
      expect([created.status, file.status, passkey.status]).toEqual([200, 200, 200])
    }
    const keys = await countRowsByTable(web.db, user)
    expect(keys['account.api_key']).toBe(rejected ? 0 : 1)
  })

  test.each([
    ['password', '/account', { intent: 'password', new: 'another good password' }],
    ['passkey', '/account', { intent: 'remove-passkey' }],
    ['starting two-factor enrollment', '/account/two-factor', { intent: 'begin' }],
    ['confirming two-factor enrollment', '/account/two-factor', { intent: 'confirm', code: '000000' }],
    ['recovery codes', '/account/two-factor', { intent: 'codes' }],
    ['disabling two-factor authentication', '/account/two-factor', { intent: 'end' }],
  ])('cannot change credentials, even with the password: %s', async (_, path, fields: Record<string, string>) => {
    const user = await web.createUser()
    await registerAuthenticator(web, user)
    const { id } = await web.db
      .selectFrom('auth.passkey')
      .select('id')
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow()
    const cookie = await web.signInCookies(user)
    const before = await countRowsByTable(web.db, user)
    await age(user, { began: 60, used: 31 })
    const { password } = user
    const response = await post(path, cookie, { password, current: password, id, ...fields })
    await expectReauthRedirect(response)
    expect(response.headers.get('location')).toBe(`/sign-in?done=again&to=${encodeURIComponent(path)}`)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await countRowsByTable(web.db, user)).toEqual(before)
    await expectReauthRedirect(await post('/keys', cookie, { name: 'sheet' }))
    // The password is unchanged.
    await web.signInCookies(user)
  })

  test('can end sessions, because that grants no access', async () => {
    const user = await web.createUser()
    const cookie = await web.signInCookies(user)
    const elsewhere = await web.signInCookies(user)
    await age(user, { began: 13 * 60, used: 31 })
    expect((await post('/account', cookie, { intent: 'end-others' })).status).toBe(200)
    expect((await get('/account', elsewhere)).headers.get('location')).toContain('/sign-in')
    expect((await get('/account', cookie)).status).toBe(200)
    await expectReauthRedirect(await post('/keys', cookie, { name: 'sheet' }))
  })

  test('entering a password or code in a form does not count as a new sign-in', async () => {
    const user = await web.createUser()
    let cookie = await web.signInCookies(user)
    await age(user, { began: 60, used: 1 })
    const change = async (path: string, fields: Record<string, string>) => {
      const response = await post(path, cookie, fields)
      const set = response.headers.getSetCookie().find((header) => header.startsWith('brickmark.session_token='))
      if (set !== undefined) cookie = set.split(';')[0]!
      await expectReauthRedirect(await get('/account/delete', cookie))
      return { replaced: set !== undefined, page: await response.text() }
    }
    const password = 'another good password'
    const changed = await change('/account', { intent: 'password', current: user.password, new: password })
    expect(changed.replaced).toBe(true)
    const { page } = await change('/account/two-factor', { intent: 'begin', password })
    const code = new TOTP({ secret: /secret=([A-Z2-7]+)/.exec(page)![1]! }).generate()
    expect((await change('/account/two-factor', { intent: 'confirm', code })).replaced).toBe(true)
    expect((await change('/account/two-factor', { intent: 'end', password })).replaced).toBe(true)
    expect((await get('/account', cookie)).status).toBe(200)
  })

  test('requires a recent sign-in to change credentials, then returns to the page', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user)
    const page = await context.newPage()
    await page.goto('/account')
    const stale = () => age(user, { began: 60, used: 31 })
    await stale()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await signInAgain(page, user)
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await stale()
    await page.getByLabel('Current password').fill(user.password)
    await page.getByLabel('New password').fill('another good password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await signInAgain(page, user)
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await page.goto('/account/two-factor')
    await stale()
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await signInAgain(page, user)
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/account/two-factor')
    await context.close()
  })

  test('cannot delete the account if the sign-in is over 10 minutes old, even in an active session', async () => {
    const user = await web.createUser()
    const cookie = await web.signInCookies(user)
    await age(user, { began: 11, used: 0 })
    await expectReauthRedirect(await get('/account/delete', cookie))
    await expectReauthRedirect(await post('/account/delete', cookie, { email: user.email }))
    expect((await countRowsByTable(web.db, user))['auth."user"']).toBe(1)
  })

  test('requests by the user keep the session active, automatic polling does not', async () => {
    const user = await web.createUser()
    const cookie = await web.signInCookies(user)
    const idleMinutes = async () => {
      const found = web.db.selectFrom('auth.session').select('updated_at').where('user_id', '=', user.userId)
      return Math.round((Date.now() - (await found.executeTakeFirstOrThrow()).updated_at.getTime()) / 60_000)
    }
    await age(user, { began: 60, used: 20 })
    await get('/keys?waiting', cookie)
    expect(await idleMinutes()).toBe(20)
    await get('/keys', cookie)
    expect(await idleMinutes()).toBe(0)
  })
})

test('rejects a cross-origin deletion form', async () => {
  const user = await web.createUser()
  const cookie = await web.signInCookies(user)
  for (const origin of ['https://evil.example', 'null']) {
    const response = await fetch(`${web.origin}/account/delete`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin },
      body: new URLSearchParams({ email: user.email }),
    })
    expect(response.status).toBe(403)
  }
  expect((await countRowsByTable(web.db, user))['auth."user"']).toBe(1)
})

test('has no accessibility violations (light/dark, desktop/mobile)', async () => {
  const user = await web.createUser()
  await seedFullAccount(web.db, user, 'look')
  await web.db.deleteFrom('auth.two_factor').where('user_id', '=', user.userId).execute()
  const context = await web.signedInContext(user)
  await checkPage(context, '/account', 'account')
  await checkPage(context, '/account/delete', 'account-delete')
  await checkPage(context, '/sign-in?done=again&to=/account/delete', 'sign-in-again')
  await context.close()
})

test('doesn’t log data of deleted accounts', () => {
  for (const secret of ['canary', 'gone-', '@example.com', 'session_token']) expect(web.log()).not.toContain(secret)
})
