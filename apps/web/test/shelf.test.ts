import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCollection, addLot } from '@brickmark/tests/support/fixtures'
import { checkCurrentPage, collectBrowserErrors } from './support/check-page.ts'
import { readTable, seedCatalog } from './support/collections.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

/** Collections that their owners share by a link, as strangers see them. */

const NOTES = 'canary-notes-7731'
const NAME = 'canary-collection-4402'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog, env: { PUBLIC_PAGES: 'values' } })
  await web.db
    .insertInto('catalog.minifig')
    .values({ minifig_number: 'hbr001', name: 'Keeper', year_released: 2021 })
    .execute()
})
afterAll(() => web.stop())

async function seedStock({ accountId: account_id }: TestUser): Promise<number> {
  const collection_id = await addCollection(web.db, account_id, { name: NAME, is_default: true })
  const lot = { account_id, collection_id, purchase_price_cents: 987_654, purchase_date: '2019-03-17', notes: NOTES }
  await addLot(web.db, { ...lot, set_number: '90001-1', quantity: 2 })
  const other = { ...lot, status: 'owned', quantity: 1 }
  await web.db
    .insertInto('portfolio.lot')
    .values([
      { ...other, minifig_number: 'hbr001', condition: 'used' },
      { ...other, custom_name: 'Display case', own_value_cents: 4321, own_value_date: '2026-01-02' },
    ])
    .execute()
  return collection_id
}

/** Opens the settings of a collection as its owner. */
async function openSettings(javaScriptEnabled = true) {
  const user = await web.createUser()
  const stock = await seedStock(user)
  const page = await (await web.signedInContext(user, { javaScriptEnabled })).newPage()
  await page.goto(`/collections/${stock}/settings`)
  return { user, stock, page }
}
type Settings = Awaited<ReturnType<typeof openSettings>>

const linkOf = async ({ page }: Settings) =>
  (await page.getByRole('link', { name: /\/shelf\// }).getAttribute('href')) ?? ''

async function share(settings: Settings, choices: string[] = []): Promise<string> {
  const { page } = settings
  await page.getByLabel('Heading').fill('Bricks on display')
  for (const choice of choices) await page.getByLabel(choice).check()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Stop sharing' }).waitFor()
  return linkOf(settings)
}

const statusOf = async (url: string) => (await fetch(url)).status

describe.each([true, false])('JavaScript: %s', (javaScriptEnabled) => {
  test('a stranger sees what the owner chose, and nothing else is sent', async () => {
    const settings = await openSettings(javaScriptEnabled)
    const { user } = settings
    const url = await share(settings)
    expect(url).toMatch(/\/shelf\/[\w-]{43}$/)
    const page = await (await web.newContext({ javaScriptEnabled })).newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto(url)
    await page.getByRole('heading', { name: 'Bricks on display', level: 1 }).waitFor()
    const rows = await readTable(page, 'Collection')
    expect(rows.map((row) => [row['Item']?.split('\n')[0], row['Qty'], row['Condition']])).toEqual([
      ['Display case', '1', expect.stringContaining('Not available')],
      ['Keeper', '1', 'Used'],
      ['Tidewater Lighthouse', '2', 'Sealed'],
    ])
    expect(Object.keys(rows[0]!)).toEqual(['Item', 'Qty', 'Condition'])
    expect(browserErrors).toEqual([])
    const secrets = [NOTES, NAME, user.email, user.name, '9,876', '987654', '2019', '112.40', '11240', '43.21', '4321']
    const stranger = await (await fetch(url)).text()
    // The page of somebody who is signed in also has the data it was made of.
    const other = await web.createUser()
    const headers = { cookie: await web.signInCookies(other) }
    const member = await (await fetch(url, { headers })).text()
    const loaderData = await (await fetch(`${url}.data`, { headers })).text()
    expect(loaderData).toContain('Bricks on display')
    for (const text of [stranger, member.replaceAll(other.name, ''), loaderData]) {
      // Random bytes in the token and file names may look like one of the numbers.
      const plain = text.replaceAll(new URL(url).pathname.split('/')[2]!, '').replaceAll(/nonce="[^"]*"/g, '')
      for (const secret of secrets) expect(plain.includes(secret), secret).toBe(false)
    }
  })

  test('values come with a total and their age, dates and notes as chosen', async () => {
    const settings = await openSettings(javaScriptEnabled)
    const url = await share(settings, ['Value, and the total', 'Purchase date', 'Notes'])
    const page = await (await web.newContext({ javaScriptEnabled })).newPage()
    await page.goto(url)
    const rows = await readTable(page, 'Collection')
    expect(rows.map((row) => row['Value each'])).toEqual([
      '$43.21',
      expect.stringContaining('Not available'),
      '$112.40',
    ])
    expect(rows[0]).toMatchObject({ Purchased: 'Mar 17, 2019', Notes: NOTES })
    expect(await page.getByText(/^Worth/).innerText()).toContain('$268.01')
    expect(await page.getByText(/^Updated/).count()).toBe(1)
    const text = await page.content()
    for (const secret of ['9,876', '987654', NAME]) expect(text.includes(secret), secret).toBe(false)
  })
})

test('nothing keeps the page, indexes it or learns its address', async () => {
  const settings = await openSettings()
  const url = await share(settings)
  const response = await fetch(url)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('same-origin')
  const text = await response.text()
  expect(text).toContain('<meta name="robots" content="noindex"/>')
  expect(text).not.toContain('canonical')
  expect(web.log()).not.toContain(url.split('/').at(-1)!)
  const sitemap = await (await fetch(`${web.origin}/sitemap.xml`)).text()
  expect(sitemap).not.toContain('shelf')
})

test('a link that was replaced, turned off, suspended or deleted is a page that doesn’t exist', async () => {
  const settings = await openSettings()
  const { user, page } = settings
  const first = await share(settings)
  expect(await statusOf(first)).toBe(200)
  await page.getByRole('button', { name: 'New link' }).click()
  await expect.poll(() => linkOf(settings)).not.toBe(first)
  const second = await linkOf(settings)
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
  const suspend = (suspended: boolean) =>
    web.db.updateTable('account.account').set({ suspended }).where('id', '=', user.accountId).execute()
  await suspend(true)
  expect(await statusOf(second)).toBe(404)
  await suspend(false)
  expect(await statusOf(second)).toBe(200)
  await page.getByRole('button', { name: 'Stop sharing' }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor()
  const other = await openSettings()
  const third = await share(other)
  await web.db.deleteFrom('account.account').where('id', '=', other.user.accountId).execute()
  const pageOf = async (url: string) => {
    const response = await fetch(url)
    const text = await response.text()
    return { status: response.status, text: text.replaceAll(/nonce="[^"]*"/g, '') }
  }
  const unknown = await pageOf(`${web.origin}/shelf/${'A'.repeat(43)}`)
  expect(unknown.status).toBe(404)
  const malformed = ['x', '%00', `${'A'.repeat(43)}%ff`, 'a'.repeat(3000)].map(
    (token) => `${web.origin}/shelf/${token}`,
  )
  for (const url of [first, second, third, malformed[0]!, malformed[1]!, malformed[3]!, `${second}?from=50`])
    expect(await pageOf(url)).toEqual(unknown)
  await page.goto('/account/activity')
  for (const text of ['shared by a link', 'New link for shared collection', 'no longer shared'])
    await page.getByText(text).first().waitFor()
})

test('rejects sharing another account’s collection', async () => {
  const { stock } = await openSettings()
  const headers = { cookie: await web.signInCookies(await web.createUser()), origin: web.origin }
  for (const intent of ['share', 'new-link', 'unshare']) {
    const body = new URLSearchParams({ intent, heading: 'Mine' })
    const response = await fetch(`${web.origin}/collections/${stock}/settings`, { method: 'POST', headers, body })
    expect(response.status).toBe(404)
  }
})

test('fifty lots a page; both pages are accessible on every screen', async () => {
  const settings = await openSettings()
  const { user, stock, page } = settings
  const url = await share(settings, ['Value, and the total', 'Purchase date', 'Notes'])
  await checkCurrentPage(page, 'shelf-settings')
  await web.db
    .insertInto('portfolio.lot')
    .values(
      Array.from({ length: 60 }, (_, index) => ({
        account_id: user.accountId,
        collection_id: stock,
        custom_name: `Box ${String(index).padStart(2, '0')} ${'wide'.repeat(10)}`,
        quantity: 1,
        status: 'owned',
        notes: 'x'.repeat(120),
      })),
    )
    .execute()
  const shelf = await (await web.newContext()).newPage()
  await shelf.goto(url)
  expect(await readTable(shelf, 'Collection')).toHaveLength(50)
  await checkCurrentPage(shelf, 'shelf')
  await shelf.getByRole('link', { name: 'Next' }).click()
  await shelf.getByText('51–63 of 63').waitFor()
  expect(await readTable(shelf, 'Collection')).toHaveLength(13)
})

test('strangers of one network read a hundred pages a day', async () => {
  const limited = await startTestWeb({ seed: seedCatalog, env: { PUBLIC_PAGES: 'values' } })
  const statuses = new Map<number, number>()
  for (let page = 1; page <= 101; page++) {
    const status = await statusOf(`${limited.origin}/shelf/unknown`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  await limited.stop()
  expect(Object.fromEntries(statuses)).toEqual({ 404: 100, 429: 1 })
})

test.each([
  ['identity', 200],
  ['off', 302],
])('PUBLIC_PAGES=%s: strangers get no values', async (publicPages, status) => {
  const careful = await startTestWeb({ seed: seedCatalog, env: { PUBLIC_PAGES: publicPages } })
  const user = await careful.createUser()
  const collection_id = await addCollection(careful.db, user.accountId, { name: NAME, is_default: true })
  await addLot(careful.db, { account_id: user.accountId, collection_id, set_number: '90001-1' })
  const cookie = await careful.signInCookies(user)
  const headers = { cookie, origin: careful.origin }
  const settings = `${careful.origin}/collections/${collection_id}/settings`
  const body = new URLSearchParams({ intent: 'share', heading: 'Shown', value: 'yes' })
  await fetch(settings, { method: 'POST', headers, body })
  const [url] = /http:[^"<]+\/shelf\/[\w-]{43}/.exec(await (await fetch(settings, { headers })).text())!
  const response = await fetch(url, { redirect: 'manual' })
  expect(response.status).toBe(status)
  expect(await response.text()).not.toContain('112.40')
  expect(await (await fetch(url, { headers })).text()).toContain('$112.40')
  await careful.stop()
})
