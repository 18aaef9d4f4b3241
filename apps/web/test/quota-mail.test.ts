import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueKey } from '@brickmark/core/account/api-key-commands'
import { PEPPER } from '@brickmark/tests/support/fixtures'
import { checkPage } from './support/check-page.ts'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket })
})
afterAll(() => web.stop())

async function createKey({ accountId }: TestUser, name: string) {
  const { key } = await issueKey(web.db, [PEPPER], { accountId, name })
  // A first request, so that the key has a row of usage.
  expect((await web.api.get('/set/90001-1', key)).status).toBe(200)
  return key
}

const setUsed = ({ accountId }: TestUser, used: number) =>
  sql`update account.api_key_quota set used = ${used} where account_id = ${accountId}`.execute(web.db)
/** As long as several rounds of the loop that writes mail. */
const roundsOfMail = () => new Promise((resolve) => setTimeout(resolve, 4000))

test('an account that opted in gets an email at 80% and at 100%, once a day each', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  const key = await createKey(user, 'repricing')
  await setUsed(user, 900)
  await page.goto('/usage')
  await page.getByText('Get an email when a key has used 80% and 100%').waitFor()
  await roundsOfMail()
  expect(web.mailServer.countEmails(user.email)).toBe(0)

  await setUsed(user, 799)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('You get an email when a key').waitFor()
  await roundsOfMail()
  expect(web.mailServer.countEmails(user.email)).toBe(0)

  expect((await web.api.get('/set/90001-1', key)).status).toBe(200)
  const first = await web.mailServer.waitForEmail(user.email, 'API key repricing: 80% of daily credits used')
  expect(first).toContain('has used 800 of 1,000 credits.')
  await setUsed(user, 999)
  expect((await web.api.get('/set/90001-1', key)).status).toBe(200)
  expect((await web.api.get('/set/90001-1', key)).status).toBe(429)
  await web.mailServer.waitForEmail(user.email, 'API key repricing: no credits left today')
  await roundsOfMail()
  expect(web.mailServer.countEmails(user.email)).toBe(2)

  // The next day starts over.
  await sql`update account.quota_notice set day = day - 1 where account_id = ${user.accountId}`.execute(web.db)
  await expect.poll(() => web.mailServer.countEmails(user.email), { timeout: 10_000 }).toBe(3)
  await sql`update account.quota_notice set day = day - 1 where account_id = ${user.accountId}`.execute(web.db)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Get an email when a key').waitFor()
  const sent = web.mailServer.countEmails(user.email)
  await sql`update account.quota_notice set day = day - 1 where account_id = ${user.accountId}`.execute(web.db)
  await roundsOfMail()
  expect(web.mailServer.countEmails(user.email)).toBe(sent)
  await checkPage(context, '/usage', 'usage-quota-mail')
  await context.close()
})

test('a revoked key and an address that rejects mail get none', async () => {
  const [revoked, rejecting, asking] = [await web.createUser(), await web.createUser(), await web.createUser()]
  for (const user of [revoked, rejecting, asking]) {
    await createKey(user, 'script')
    await sql`insert into alert.mail_settings (account_id, quota_mail, bounced_at)
              values (${user.accountId}, true, ${user === rejecting ? new Date() : null})`.execute(web.db)
  }
  await sql`update account.api_key set revoked_at = now(), slot = null where account_id = ${revoked.accountId}`.execute(
    web.db,
  )
  await Promise.all([revoked, rejecting, asking].map((user) => setUsed(user, 1000)))
  await web.mailServer.waitForEmail(asking.email, 'API key script: no credits left today')
  await roundsOfMail()
  expect([revoked, rejecting, asking].map(({ email }) => web.mailServer.countEmails(email))).toEqual([0, 0, 1])
})
