import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPasskeyInBrowser } from './support/browser-passkey.ts'
import { checkPage, checkCurrentPage, collectBrowserErrors } from './support/check-page.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb()
})
afterAll(() => web.stop())

const PASSWORD = 'correct horse battery'

/** Returns the first link in an email. */
function linkIn(mail: string): string {
  return /https?:\/\/\S+/.exec(mail)![0]
}

async function fillSignIn(page: Page, { email, password }: Pick<TestUser, 'email' | 'password'>): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Name').fill('Ann Example')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('signs up, verifies the email address, signs in, sees the overview, signs out', async () => {
    const context = await web.newContext({ javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    const email = `ann-${javaScriptEnabled}@example.com`
    await signUp(page, email)
    await fillSignIn(page, { email, password: PASSWORD })
    await page.getByText('Confirm your email first').waitFor()
    const link = linkIn(await web.mailServer.waitForEmail(email, 'Confirm your email'))
    if (javaScriptEnabled) {
      const looked = await context.newPage()
      await looked.goto(link)
      await checkCurrentPage(looked, 'verify-email')
      await looked.close()
    }
    await page.goto(link)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto('/')
    expect(page.url()).toBe(`${web.origin}/sign-in`)
    expect(browserErrors).toEqual([])
    await context.close()
  })

  test('a password reset link works once, and ends every session and every other link', async () => {
    const user = await web.createUser()
    const before = await web.signedInContext(user)
    const context = await web.newContext({ javaScriptEnabled })
    const page = await context.newPage()
    const requestLink = async () => {
      const received = web.mailServer.countEmails(user.email)
      await page.goto('/forgot-password')
      await page.getByLabel('Email').fill(user.email)
      await page.getByRole('button', { name: 'Send reset link' }).click()
      await page.getByText('we’ve sent a reset link').waitFor()
      await expect.poll(() => web.mailServer.countEmails(user.email)).toBe(received + 1)
      return linkIn(await web.mailServer.waitForEmail(user.email, 'Reset your password'))
    }
    const [olderLink, link] = [await requestLink(), await requestLink()]
    const setAnew = async (link: string, password: string) => {
      await page.goto(link)
      await page.getByLabel('New password').fill(password)
      await page.getByRole('button', { name: 'Update password' }).click()
    }
    await setAnew(link, 'another password')
    await page.getByText('Password updated.').waitFor()
    for (const used of [link, olderLink]) {
      await setAnew(used, 'a third password')
      await page.getByText('This link is invalid').waitFor()
    }
    await fillSignIn(page, user)
    await page.getByText('Incorrect email or password.').waitFor()
    await fillSignIn(page, { ...user, password: 'another password' })
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const elsewhere = await before.newPage()
    await elsewhere.goto('/account')
    expect(new URL(elsewhere.url()).pathname).toBe('/sign-in')
    await context.close()
    await before.close()
  })

  test('two-factor: enrolls, asks for a code at sign-in, accepts a recovery code once', async () => {
    const user = await web.createUser()
    const context = await web.signedInContext(user, { javaScriptEnabled })
    const page = await context.newPage()
    await page.goto('/account/two-factor')
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    const secret = (await page.getByRole('region', { name: 'Or enter this setup key' }).textContent()) ?? ''
    const [recovery = ''] = (
      (await page.getByRole('region', { name: 'Use one to sign in' }).textContent()) ?? ''
    ).split('\n')
    if (javaScriptEnabled) await checkCurrentPage(page, 'two-factor-enrol')
    const enter = async (code: string, button: string) => {
      await page.getByLabel('Code', { exact: true }).fill(code)
      await page.getByRole('button', { name: button }).click()
    }
    await enter('000000', 'Turn on')
    await page.getByText('Incorrect code.').waitFor()
    const totp = new TOTP({ secret })
    await enter(totp.generate(), 'Turn on')
    await page.getByText('We ask for a code from your authenticator app').waitFor()

    await context.clearCookies()
    await fillSignIn(page, user)
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
    await page.goto('/')
    expect(page.url()).toBe(`${web.origin}/sign-in`)
    await fillSignIn(page, user)
    await enter('123456', 'Sign in')
    await page.getByText('Incorrect code.').waitFor()
    // The code that switched it on has been used.
    await enter(totp.generate({ timestamp: Date.now() + 30_000 }), 'Sign in')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    const useRecovery = async () => {
      await context.clearCookies()
      await fillSignIn(page, user)
      await page.getByText('Use a recovery code').click()
      await page.getByLabel('Recovery code').fill(recovery)
      await page.locator('details').getByRole('button', { name: 'Sign in' }).click()
    }
    await useRecovery()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await useRecovery()
    await page.getByText('Invalid or already used recovery code.').waitFor()
    await context.close()
  })

  test('lists sessions and ends them one by one or all at once', async () => {
    const user = await web.createUser()
    const [here, there, third] = await Promise.all([
      web.signedInContext(user, { javaScriptEnabled }),
      web.signedInContext(user),
      web.signedInContext(user),
    ])
    const page = await here.newPage()
    const accountPath = async (context: typeof here) => {
      const other = await context.newPage()
      await other.goto('/account')
      return new URL(other.url()).pathname
    }
    await page.goto('/account')
    await page
      .getByRole('button', { name: /^Sign out node/ })
      .first()
      .click()
    await page.getByText('Session signed out.').waitFor()
    expect([await accountPath(there), await accountPath(third)].sort()).toEqual(['/account', '/sign-in'])
    await page.getByRole('button', { name: 'Sign out of all devices' }).click()
    await page.getByText('You’ve been signed out on all devices.').waitFor()
    expect([await accountPath(here), await accountPath(there), await accountPath(third)]).toEqual([
      '/sign-in',
      '/sign-in',
      '/sign-in',
    ])
    for (const context of [here, there, third]) await context.close()
  })
})

test('adds a passkey, signs in with it without a password, and removes it', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await addPasskeyInBrowser(page)
  await web.mailServer.waitForEmail(user.email, 'A passkey was added')

  await context.clearCookies()
  const signIn = async () => {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  }
  await signIn()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.goto('/account')
  await page.getByRole('button', { name: /^Remove / }).click()
  await page.getByText('Passkey removed.').waitFor()
  await context.clearCookies()
  await signIn()
  await page.getByRole('alert').waitFor()
  await context.close()
})

describe('has no accessibility violations (light/dark, desktop/mobile)', () => {
  test.each([
    '/sign-in',
    '/sign-up',
    '/forgot-password',
    '/reset-password?token=x',
    '/verify-email?token=x',
    '/sign-in/code',
    '/no/where',
  ])('%s', async (path) => {
    const context = await web.newContext()
    await checkPage(context, path, path.replace(/\?.*/, '').slice(1).replaceAll('/', '-'))
    await context.close()
  })
  test.each(['/', '/account', '/account/two-factor'])('%s, signed in', async (path) => {
    const context = await web.signedInContext(await web.createUser())
    await checkPage(context, path, path.slice(1).replaceAll('/', '-') || 'overview')
    await context.close()
  })
})

test('keeps the chosen theme regardless of the system setting', async () => {
  const context = await web.signedInContext(await web.createUser(), { colorScheme: 'light' })
  const page = await context.newPage()
  await page.goto('/account')
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await paper()
  await page.getByRole('button', { name: 'dark' }).first().click()
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
  expect(await paper()).not.toBe(light)
  expect(new URL(page.url()).pathname).toBe('/account')
  await page.reload()
  expect(await paper()).not.toBe(light)
  await page.getByRole('button', { name: 'system' }).first().click()
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === undefined)
  expect(await paper()).toBe(light)
  await context.close()
})
