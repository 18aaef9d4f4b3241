import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueKey } from '@brickmark/core/account/api-key-commands'
import { addSet, PEPPER } from '@brickmark/tests/support/fixtures'
import { checkPage } from './support/check-page.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: (db) => addSet(db, { set_number: '90001-1' }) })
})
afterAll(() => web.stop())

/** Adds synthetic usage for the 35 days before today. */
async function addPast(accountId: number, keyId: number): Promise<void> {
  await sql`
    insert into account.api_key_quota_history (account_id, api_key_id, day, used, daily_limit, last_at)
    select ${accountId}, ${keyId}, (now() at time zone 'utc')::date - n, (n * 37 + ${keyId} * 91) % 700, 1000, now()
      from generate_series(1, 35) n`.execute(web.db)
  await sql`
    insert into account.api_key_usage (account_id, api_key_id, day, status, requests)
    select ${accountId}, ${keyId}, (now() at time zone 'utc')::date - n, s, (n * 13 + ${keyId}) % (case s when 200 then 300 else 20 end)
      from generate_series(1, 35) n, unnest(array[200, 400, 404, 429, 503]) s`.execute(web.db)
}

async function readPage(user: TestUser, path: string): Promise<string> {
  const response = await fetch(web.origin + path, { headers: { cookie: await web.signInCookies(user) } })
  expect(response.status).toBe(200)
  return response.text()
}

test('today’s usage is exact and matches the API', async () => {
  const user = await web.createUser()
  const { accountId } = user
  const [one, two] = [
    await issueKey(web.db, [PEPPER], { accountId, name: 'one' }),
    await issueKey(web.db, [PEPPER], { accountId, name: 'two' }),
  ]
  for (let n = 0; n < 7; n++) await web.api.get('/set/90001-1', one.key)
  const last = await web.api.post('/catalog/batch', two.key, { sets: ['90001-1', '90002-1', '90003-1'] })
  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/usage')
  const cells = (name: string) => page.getByRole('row', { name }).getByRole('cell').allInnerTexts()
  expect((await cells('one')).slice(0, 2)).toEqual(['7', '993'])
  expect((await cells('two')).slice(0, 2)).toEqual(['3', last.headers['x-ratelimit-remaining']])
  await page.getByText(/Resets in .*\(00:00 UTC, \d\d:\d\d.* local time\)/).waitFor()
  await context.close()
})

test('the forecast shows when a key runs out', async () => {
  const user = await web.createUser()
  const { accountId } = user
  const { id } = await issueKey(web.db, [PEPPER], { accountId, name: 'busy' })
  // 999 of 1,000 credits used: at this pace the key runs out before the day ends.
  await sql`
    insert into account.api_key_quota (account_id, api_key_id, day, used, daily_limit, last_cost, last_count, last_granted)
    values (${accountId}, ${id}, (now() at time zone 'utc')::date, 999, 1000, 1, 1, 1)`.execute(web.db)
  // In the last two minutes of the day, the last credit does last until midnight.
  const secondsLeft = 86_400 - ((Date.now() / 1000) % 86_400)
  const hasForecast = (await readPage(user, '/usage')).includes('Runs out at <time')
  expect(hasForecast || secondsLeft < 120).toBe(true)
})

test('shows 30 days by status and by key as chart, table and CSV, for this account only', async () => {
  const [user, other] = [await web.createUser(), await web.createUser()]
  const one = await issueKey(web.db, [PEPPER], { accountId: user.accountId, name: '=SUM(A1)' })
  const two = await issueKey(web.db, [PEPPER], { accountId: user.accountId, name: 'second' })
  const otherKey = await issueKey(web.db, [PEPPER], { accountId: other.accountId, name: 'foreign key' })
  for (const id of [one.id, two.id]) await addPast(user.accountId, id)
  await addPast(other.accountId, otherKey.id)

  const csv = await readPage(user, '/usage.csv')
  const [head, ...lines] = csv.trim().split('\r\n')
  expect(head).toBe(
    'day,key_id,key_name,credits,requests,status_200,status_400,status_401,status_403,status_404,status_429,status_500,status_503',
  )
  // 29 days before today for two keys; today has no usage yet.
  expect(lines).toHaveLength(58)
  expect(lines[0]).toContain(`,${one.id},'=SUM(A1),`)
  expect(csv).not.toContain('foreign key')
  const sums = await web.db
    .selectFrom('account.api_key_usage')
    .select((e) => e.fn.sum<string>('requests').as('requests'))
    .where('account_id', '=', user.accountId)
    .where('day', '>', sql<string>`(now() at time zone 'utc')::date - 30`)
    .executeTakeFirstOrThrow()
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[4]), 0)).toBe(Number(sums.requests))

  const context = await web.signedInContext(user)
  const page = await context.newPage()
  await page.goto('/usage')
  await page.getByText('View as table').click()
  const table = page.getByRole('region', { name: 'Requests per day, by status', exact: true })
  expect(await table.getByRole('row').count()).toBe(31)
  await page.getByRole('link', { name: 'By key' }).click()
  await page.getByText('Credits per day, by key').first().waitFor()
  expect(await page.content()).not.toContain('foreign key')
  await checkPage(context, '/usage', 'usage')
  await checkPage(context, '/usage?by=key', 'usage-by-key')
  await context.close()
})

test('an account without keys sees an accessible empty state', async () => {
  const context = await web.signedInContext(await web.createUser())
  await checkPage(context, '/usage', 'usage-empty')
  await context.close()
})

test('ignores invalid query parameters', async () => {
  const user = await web.createUser()
  for (const path of [
    '/usage?by=%00',
    `/usage?by=${randomUUID()}`,
    '/account/activity?offset=-1',
    '/account/activity?offset=1e9',
  ]) {
    await readPage(user, path)
  }
})
