import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeOperator } from '@brickmark/tests/support/fixtures'
import { checkPage } from './support/check-page.ts'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket, env: { PUBLIC_PAGES: 'values' } })
})
afterEach(async () => {
  await web.db.deleteFrom('account.announcement').execute()
})
afterAll(() => web.stop())

const page = async (path: string) => (await fetch(web.origin + path)).text()
const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Every process keeps what it read for three seconds. */
const SHOWN = { timeout: 15_000, interval: 500 }
const announced = () =>
  web.db.selectFrom('account.announcement').select(['message', 'created_by']).orderBy('id').execute()

test('an operator announces something to everyone, replaces it and ends it; who did is kept', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  await makeOperator(web.db, user.email)
  await web.db.updateTable('auth.session').set({ second_factor: true }).where('user_id', '=', user.userId).execute()
  const admin = await context.newPage()
  await admin.goto('/admin/announcement')
  for (const [heading, message] of [
    ['Announce something', 'Maintenance on Sunday, 06:00 UTC <b>'],
    ['Replace it', 'It’s on Monday'],
  ] as const) {
    await admin.getByRole('heading', { name: heading }).waitFor()
    await admin.getByLabel('Message').fill(message)
    await admin.getByLabel('For').selectOption({ label: '4 hours' })
    await admin.getByRole('button', { name: 'Announce', exact: true }).click()
    await admin.getByText('Announced. Every page shows it within seconds.').waitFor()
    await admin.getByText(message, { exact: true }).first().waitFor()
    const visitor = await context.browser()!.newPage({ baseURL: web.origin })
    for (const path of ['/', '/sign-in', '/set/90001-1']) {
      await expect
        .poll(async () => {
          await visitor.goto(path)
          return visitor
            .getByRole('complementary', { name: 'Announcement' })
            .innerText({ timeout: 200 })
            .catch(() => '')
        }, SHOWN)
        .toBe(message)
    }
    await visitor.close()
  }
  await checkPage(context, '/admin/announcement', 'admin-announcement')
  await admin.goto('/admin/announcement')
  await admin.getByRole('button', { name: 'End now' }).click()
  await admin.getByText('The announcement has ended.').waitFor()
  await expect.poll(() => page('/sign-in'), SHOWN).not.toContain('Monday')
  expect(await announced()).toEqual([
    { message: 'Maintenance on Sunday, 06:00 UTC <b>', created_by: user.accountId },
    { message: 'It’s on Monday', created_by: user.accountId },
    { message: null, created_by: user.accountId },
  ])
  await context.close()
})

test('it ends by itself', async () => {
  const until = new Date(Date.now() + 6000)
  await web.db.insertInto('account.announcement').values({ message: 'Back in a moment', until }).execute()
  await expect.poll(() => page('/sign-in'), SHOWN).toContain('Back in a moment')
  await expect.poll(() => page('/sign-in'), SHOWN).not.toContain('Back in a moment')
})

test('only an operator can announce anything', async () => {
  const user = await web.createUser()
  const response = await fetch(`${web.origin}/admin/announcement`, {
    method: 'POST',
    headers: { cookie: await web.signInCookies(user), origin: web.origin },
    body: new URLSearchParams({ message: 'Hello', hours: '1' }),
  })
  expect(response.status).toBe(404)
  expect(await announced()).toEqual([])
})

test('an operator announces something on the command line', async () => {
  const ops = async (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: web.api.databaseUrl }
    const ran = promisify(execFile)(process.execPath, ['apps/ops/main.ts', 'announce', ...args], { cwd: root, env })
    return ran.then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    )
  }
  expect(await ops('Back at noon', '--hours', '2')).toMatch(/^Announced until 20/)
  await expect.poll(() => page('/sign-in'), SHOWN).toContain('Back at noon')
  expect(await ops('--end')).toBe('The announcement has ended.\n')
  await expect.poll(() => page('/sign-in'), SHOWN).not.toContain('Back at noon')
  expect(await ops()).toContain('Give either a message or --end.')
  expect(await ops('x'.repeat(301))).toContain('The message must have 1 to 300 characters.')
  expect(await ops('Hello', '--hours', '0')).toContain('Must be a positive integer.')
})
