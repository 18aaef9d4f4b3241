import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedCatalog, findLots } from './support/collections.ts'
import { fetchSales, seedStock } from './support/sales.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

/** Forms submitted more than once, over plain HTTP as a browser without JavaScript would. */

let web: TestWeb
let user: TestUser
let cookie: string
let stock: number

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog })
  user = await web.createUser()
  cookie = await web.signInCookies(user)
  stock = (await seedStock(web, user)).stock
})
afterAll(() => web.stop())

async function submissionOf(path: string): Promise<string> {
  const page = await (await fetch(web.origin + path, { headers: { cookie } })).text()
  return /name="submission" value="([^"]+)"/.exec(page)![1]!
}
const post = async (path: string, fields: Record<string, string>) => {
  const response = await fetch(web.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: web.origin },
    body: new URLSearchParams(fields),
  })
  return response.status
}

test('five identical submits of a sale record it once; a rejected form can be corrected and submitted again', async () => {
  const path = '/sales/new?item=90001-1'
  const fields = { platform: 'ebay', date: '2026-01-05', quantity: '1', gross: '100', lot: 'none', intent: 'save' }
  const submission = await submissionOf(path)
  expect(await post(path, { ...fields, gross: 'nonsense', submission })).toBe(400)
  const before = (await fetchSales(web, user)).length
  const statuses = await Promise.all([1, 2, 3, 4, 5].map(() => post(path, { ...fields, submission })))
  expect(statuses).toEqual([302, 302, 302, 302, 302])
  expect(await fetchSales(web, user)).toHaveLength(before + 1)
  expect(await post(path, { ...fields, submission: await submissionOf(path) })).toBe(302)
  expect(await fetchSales(web, user)).toHaveLength(before + 2)
})

test('five identical submits of a lot add it once', async () => {
  const path = `/collections/${stock}/add?set=90001-1`
  const submission = await submissionOf(path)
  const lot = { set: '90001-1', quantity: '3', condition: 'sealed', status: 'owned', price: '10', date: '2026-01-05' }
  const before = (await findLots(web.db, user.accountId)).length
  const statuses = await Promise.all([1, 2, 3, 4, 5].map(() => post(path, { ...lot, submission })))
  expect(statuses).toEqual([302, 302, 302, 302, 302])
  expect(await findLots(web.db, user.accountId)).toHaveLength(before + 1)
})
