import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePlan } from '@brickmark/core/account/account-commands'
import { collectBrowserErrors } from './support/check-page.ts'
import { waitForRequest } from './support/first-request.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb()
})
afterAll(() => web.stop())

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])(
  'onboarding %s: sign up, verify email, sign in, get a plan, create a key, page detects the first 200',
  async (_, script) => {
    const context = await web.newContext({ javaScriptEnabled: script })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    const [email, password] = [`journey-${script}@example.com`, 'correct horse battery']
    await page.goto('/sign-up')
    await page.getByLabel('Name').fill('Jo Example')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.goto(/https?:\/\/\S+/.exec(await web.mailServer.waitForEmail(email, 'Confirm your email'))![0])
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const steps = async () => {
      await page.goto('/')
      return (
        await page
          .getByRole('listitem')
          .filter({ has: page.getByLabel(/^(Done|To do)$/) })
          .all()
      ).map(
        async (step) =>
          `${await step.getByLabel(/^(Done|To do)$/).getAttribute('aria-label')}: ${(await step.innerText()).trim()}`,
      )
    }
    // Without API access, nothing about it is promised.
    expect(await Promise.all(await steps())).toEqual(['Done: Create your account', 'To do: Add your first set'])
    await page.getByText('Your plan doesn’t include the API.').waitFor()

    // API access needs a plan, which an operator assigns.
    const { account_id: accountId } = await web.db
      .selectFrom('auth.user')
      .select('account_id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await changePlan(web.db, { accountId, plan: 'reseller', actor: 'operator' })

    await page.goto('/keys')
    await page.getByLabel('Name').fill('first')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByRole('region', { name: 'API key', exact: true }).textContent()
    await page.getByText('Waiting for your first request').waitFor()
    expect((await web.api.get('/brickfolio', key!)).status).toBe(200)
    await waitForRequest(page, 'It works!', script)
    expect(await Promise.all(await steps())).toEqual([
      'Done: Create your account',
      'To do: Add your first set',
      'Done: Create API key',
      'Done: Make your first API call',
    ])
    expect(browserErrors).toEqual([])
    await context.close()
  },
)
