import { sql } from 'kysely'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setOperator } from '@brickmark/core/account/user-commands'
import { issueKey } from '@brickmark/core/account/api-key-commands'
import { makeOperator, PEPPER } from '@brickmark/tests/support/fixtures'
import { withQueue } from '@brickmark/tests/support/queue'
import { seedCatalog, readTable } from './support/collections.ts'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

/** Operator pages, and that all other users get 404. */

let web: TestWeb
let operatorUser: TestUser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog })
  operatorUser = await web.createUser()
  context = await web.signedInContext(operatorUser)
  await makeOperator(web.db, operatorUser.email)
  await markSecondFactor(operatorUser)
  page = await context.newPage()
})
afterAll(async () => {
  await context.close()
  await web.stop()
})

/** Makes the user's sessions count as begun with a second factor; sign-in-protection.test.ts goes through it for real. */
const markSecondFactor = ({ userId }: TestUser) =>
  web.db.updateTable('auth.session').set({ second_factor: true }).where('user_id', '=', userId).execute()

const PAGES = [
  '/admin',
  '/admin/accounts/1',
  '/admin/data',
  '/admin/jobs',
  '/admin/deliveries',
  '/admin/quarantine',
  '/admin/announcement',
  '/admin/design',
]

const send = (path: string, cookie: string, fields?: Record<string, string>) =>
  fetch(web.origin + path, {
    method: fields ? 'POST' : 'GET',
    redirect: 'manual',
    headers: { cookie, origin: web.origin },
    ...(fields && { body: new URLSearchParams(fields) }),
  })

const planOf = async ({ accountId }: TestUser) => {
  const found = web.db.selectFrom('account.account').select('plan').where('id', '=', accountId)
  return (await found.executeTakeFirstOrThrow()).plan
}

describe('for users who are not operators', () => {
  test.each(PAGES)('%s responds 404', async (path) => {
    const cookie = await web.signInCookies(await web.createUser())
    for (const address of [path, `${path}.data`]) {
      const response = await send(address, cookie)
      expect(response.status, address).toBe(404)
      expect(await response.text(), address).not.toContain(operatorUser.email)
    }
    // Redirects to the sign-in page without a session.
    const signedOut = await send(path, '')
    expect(signedOut.headers.get('location')).toMatch(/^\/sign-in/)
  })

  test('rejects plan changes, as form posts and as data requests', async () => {
    const user = await web.createUser({ plan: 'hobby' })
    const cookie = await web.signInCookies(user)
    const path = `/admin/accounts/${user.accountId}`
    for (const address of [path, `${path}.data`]) {
      expect((await send(address, cookie, { plan: 'reseller' })).status, address).toBe(404)
    }
    expect(await planOf(user)).toBe('hobby')
  })

  test('the navigation doesn’t list the operator pages', async () => {
    const cookie = await web.signInCookies(await web.createUser())
    expect(await (await send('/account', cookie)).text()).not.toContain('href="/admin"')
  })

  test('access ends immediately when the operator flag is revoked', async () => {
    const former = await web.createUser()
    const cookie = await web.signInCookies(former)
    await makeOperator(web.db, former.email)
    await markSecondFactor(former)
    expect((await send('/admin', cookie)).status).toBe(200)
    await setOperator(web.db, former.email, false)
    expect((await send('/admin', cookie)).status).toBe(404)
  })
})

test('changing an account’s plan takes effect immediately and appears in its history', async () => {
  const browserErrors = collectBrowserErrors(page)
  const user = await web.createUser({ plan: 'hobby' })
  const { key } = await issueKey(web.db, [PEPPER], { accountId: user.accountId, name: 'sheet' })
  expect((await web.api.get('/brickfolio', key)).status).toBe(403)
  await page.goto('/')
  await page.getByRole('link', { name: 'Admin' }).click()
  await page.getByLabel('Name, email or account ID').fill(user.email)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect.poll(async () => (await readTable(page, 'Accounts, newest first')).length).toBe(1)
  expect(await readTable(page, 'Accounts, newest first')).toMatchObject([
    {
      Account: `Robin\n${user.email}`,
      ID: String(user.accountId),
      Plan: 'Hobby',
      Keys: '1',
      'Credits today': '0',
    },
  ])
  await page.getByRole('link', { name: 'Robin' }).click()
  await page.getByLabel('Plan', { exact: true }).selectOption('reseller')
  await page.getByRole('button', { name: 'Change plan' }).click()
  await page.getByText('Plan changed to Reseller. It takes effect immediately').waitFor()
  expect((await web.api.get('/brickfolio', key)).status).toBe(200)
  await page.getByRole('button', { name: 'Change plan' }).click()
  await page.getByText('The account is already on that plan').waitFor()
  await page.goto(`/admin?q=${user.accountId}`)
  // An email address may contain the same digits.
  const found = await readTable(page, 'Accounts, newest first')
  expect(found.find((row) => row['ID'] === String(user.accountId))).toMatchObject({
    Plan: 'Reseller',
    'Credits today': '1',
  })

  const theirs = await web.signedInContext(user)
  const history = await theirs.newPage()
  await history.goto('/account/activity')
  // The newest is their own sign-in.
  expect((await readTable(history, 'Activity, newest first'))[1]).toMatchObject({
    Event: 'Plan changed from hobby to reseller',
    By: 'Brickmark',
  })
  await theirs.close()
  expect(browserErrors).toEqual([])
})

test('changes a plan without JavaScript; requires a recent sign-in after 30 idle minutes', async () => {
  const user = await web.createUser({ plan: 'hobby' })
  const another = await web.createUser()
  const plain = await web.signedInContext(another, { javaScriptEnabled: false })
  await makeOperator(web.db, another.email)
  await markSecondFactor(another)
  const form = await plain.newPage()
  await form.goto(`/admin/accounts/${user.accountId}`)
  await form.getByLabel('Plan', { exact: true }).selectOption('reseller')
  await form.getByRole('button', { name: 'Change plan' }).click()
  await form.getByText('Plan changed to Reseller').waitFor()
  const idle = await web.createUser()
  const cookie = await web.signInCookies(idle)
  await makeOperator(web.db, idle.email)
  await markSecondFactor(idle)
  const long = new Date(Date.now() - 31 * 60_000)
  await web.db.updateTable('auth.session').set({ updated_at: long }).where('user_id', '=', idle.userId).execute()
  const response = await send(`/admin/accounts/${user.accountId}`, cookie, { plan: 'hobby' })
  expect(response.headers.get('location')).toMatch(/^\/sign-in\?done=again/)
  expect(await planOf(user)).toBe('reseller')
  await plain.close()
})

test('search escapes its input; unknown accounts respond 404', async () => {
  await page.goto(`/admin?q=${encodeURIComponent('<img src=x onerror=alert(1)>')}`)
  await page.getByText('No accounts match “<img src=x onerror=alert(1)>”').waitFor()
  for (const id of ['999999', '0', 'x', '1e3']) {
    expect((await page.goto(`/admin/accounts/${id}`))?.status(), id).toBe(404)
  }
})

test('data: shows the newest file of each feed with its row counts, the sources and the backlog', async () => {
  await page.goto('/admin/data')
  await page.getByRole('heading', { name: 'Rebrickable' }).waitFor()
  await checkPage(context, '/admin/data', 'operator-data-empty')
  const file = { fingerprint: '', repeated: 3, quarantined: 2, accepted: 1234 }
  const { id: import_id } = await web.db
    .insertInto('source.import')
    .values({ ...file, feed: 'sales', file_name: 'sales-of-may.csv.gz', finished_at: new Date(Date.now() - 7_500_000) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await web.db
    .insertInto('source.license')
    .values({
      id: 'terms-a',
      terms: 'as agreed',
      feeds_values: false,
      max_display_age: '24 hours',
      retention: '2 years',
    })
    .execute()
  const source = { id: 'shop', name: 'The Shop', license_id: 'terms-a', rank: 2 }
  await web.db.insertInto('source.source').values(source).execute()
  await web.db.insertInto('source.valuation_queue').values({ item_kind: 'set', item_number: '90001-1' }).execute()
  const rejected = { import_id, feed: 'sales', raw: 'header\nlicensed canary' }
  await web.db
    .insertInto('source.quarantine')
    .values([
      { ...rejected, row_number: 17, reason: 'source elsewhere is not declared; declare it with ops source add' },
      { ...rejected, row_number: 2005, reason: 'sold_on is no date' },
    ])
    .execute()
  await page.reload()
  const feeds = await readTable(page, 'Latest file per feed')
  expect(feeds.map(({ Feed }) => Feed)).toEqual(['catalog', 'sales', 'returns', 'retail'])
  expect(feeds[1]).toMatchObject({
    'Latest file': 'sales-of-may.csv.gz',
    Received: expect.stringMatching(/^2 hours ago/) as string,
    Rows: '1,234 accepted\n3 duplicates, 2 rejected',
    'Last 24 hours': '1,234 rows, 1 file',
    Quarantined: '2',
  })
  expect(feeds[0]).toMatchObject({ 'Latest file': 'None yet' })
  const shop = page.getByRole('heading', { name: 'The Shop' }).locator('xpath=ancestor::article')
  for (const text of ['terms-a', 'From files', 'Values never use it', 'Hidden after 24 hours', 'deleted after 2 years'])
    await shop.getByText(text).waitFor()
  expect(await page.getByText('Valuation backlog').locator('..').innerText()).toContain('1')
})

test('quarantine: shows location and reason by feed, never the row’s content', async () => {
  await page.goto('/admin/data')
  await page.getByRole('link', { name: '2', exact: true }).click()
  expect(await readTable(page, 'Rows in quarantine, newest first')).toMatchObject([
    { Reason: 'sold_on is no date', Row: '2,005', File: 'sales-of-may.csv.gz' },
    { Row: '17' },
  ])
  await page.getByText('npm run ops -- quarantine --feed sales --retry').waitFor()
  expect(await page.content()).not.toContain('canary')
  await page.getByRole('link', { name: 'retail' }).click()
  await page.getByText('Nothing in quarantine').waitFor()
})

test('jobs: empty before a worker has run, then lists each queue with its last failure', async () => {
  await page.goto('/admin/jobs')
  await page.getByText('No jobs yet').waitFor()
  await withQueue(web.api.databaseUrl, async (boss) => {
    for (const name of ['finalize-months', 'maintain-partitions']) {
      await boss.createQueue(name, { retryLimit: 0 })
      await boss.schedule(name, '5 0 * * *', null, { tz: 'UTC' })
      await boss.send(name, {})
    }
    const [job] = await boss.fetch('finalize-months')
    await boss.fail('finalize-months', job!.id, new Error('the disk is full'))
  })
  await page.reload()
  expect(await readTable(page, 'Jobs')).toMatchObject([
    {
      Job: 'finalize-months',
      Status: 'Failed',
      Failed: '1',
      'Last failure': expect.stringContaining('the disk is full') as string,
    },
    { Job: 'maintain-partitions', Status: 'Not run yet', Waiting: '1', Schedule: '5 0 * * *', 'Last success': 'Never' },
  ])
})

test('deliveries: mail that waits, and endpoints that fail, without their paths', async () => {
  await page.goto('/admin/deliveries')
  await page.getByText('All webhooks have arrived').waitFor()
  await sql`
    insert into mail.message (content, expires_at, next_attempt_at, attempts, last_error)
    values ('', now() + interval '1 day', now() + interval '1 day', 3, 'Connection refused')`.execute(web.db)
  await sql`
    with endpoint as (
      insert into webhook.endpoint (account_id, url, salt, last_attempt_at, last_status_code)
      values (${operatorUser.accountId}, 'https://hooks.example.com/canary', '', now(), 503) returning account_id, id),
    event as (
      insert into webhook.event (account_id, type, data) values (${operatorUser.accountId}, 'test', '{}') returning id)
    insert into webhook.delivery (account_id, event_id, endpoint_id) select account_id, event.id, endpoint.id from endpoint, event`.execute(
    web.db,
  )
  await page.reload()
  await page.getByText('Connection refused').waitFor()
  expect(await readTable(page, 'Webhook endpoints')).toMatchObject([
    {
      Host: 'hooks.example.com',
      Account: String(operatorUser.accountId),
      Status: 'Enabled',
      Waiting: '1',
      Failed: '0',
      'Last attempt': expect.stringContaining('Status 503') as string,
    },
  ])
  expect(await page.content()).not.toContain('canary')
})

test('has no accessibility violations (light/dark, desktop/mobile)', async () => {
  await checkPage(context, '/admin', 'operator')
  await checkPage(context, '/admin?q=nobody-at-all', 'operator-none')
  await checkPage(context, `/admin/accounts/${operatorUser.accountId}`, 'operator-account')
  await checkPage(context, '/admin/data', 'operator-data')
  await checkPage(context, '/admin/jobs', 'operator-jobs')
  await checkPage(context, '/admin/deliveries', 'operator-deliveries')
  await checkPage(context, '/admin/quarantine', 'operator-quarantine')
  await checkPage(context, '/admin/design', 'design')
})
