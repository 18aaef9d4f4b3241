import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket, env: { PUBLIC_PAGES: 'values', TRUST_PROXY: '1' } })
})
afterAll(() => web.stop())

const fetchBadge = (path: string, ip = '192.0.2.1') =>
  fetch(`${web.origin}/badges/sets/${path}`, { headers: { 'x-forwarded-for': ip } })

test.each([
  ['90001-1.svg', '90001-1 sealed $112.40'],
  // Few sales, so an approximation.
  ['90001-1.svg?condition=used', '90001-1 used ≈ $71.10'],
  ['90001.svg', '90001-1 sealed $112.40'],
  ['90003-1.svg', '90003-1 sealed no value yet'],
])('%s says %s', async (path, text) => {
  const response = await fetchBadge(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/svg+xml')
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(await response.text()).toContain(`<title>Brickmark: ${text}</title>`)
})

test('an unknown set has none, and neither has a number that isn’t one', async () => {
  for (const path of ['99999-1.svg', '90001-1', '%00.svg', `${'9'.repeat(500)}.svg`, '%3Csvg%3E.svg']) {
    expect((await fetchBadge(path)).status, path).toBe(404)
  }
})

test('the code of the set page shows the badge on a page elsewhere, where it links to the set', async () => {
  const context = await web.signedInContext(await web.createUser())
  const page = await context.newPage()
  await page.goto('/set/90001-1')
  await page.getByText('Use this data elsewhere').click()
  const code = await page.getByRole('region', { name: 'Badge for your own page (free)' }).innerText()
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(`<p>${code}</p>`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const badge = page.getByRole('img', { name: 'Value at Brickmark' })
  await expect.poll(() => badge.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
  await badge.click()
  await page.waitForURL('**/set/90001-1')
  server.close()
  await context.close()
})

test('a client can’t read the values of the whole catalog this way', async () => {
  await web.db.updateTable('auth.attempt').set({ points: 1000 }).where('key', 'like', 'badge:%').execute()
  const refused = await fetchBadge('90001-1.svg')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await fetchBadge('90001-1.svg', '198.51.100.1')).status).toBe(200)
})

test('there are none unless visitors may see values', async () => {
  const closed = await startTestWeb({ seed: seedMarket, env: { PUBLIC_PAGES: 'identity' } })
  expect((await fetch(`${closed.origin}/badges/sets/90001-1.svg`)).status).toBe(404)
  const context = await closed.signedInContext(await closed.createUser())
  const page = await context.newPage()
  await page.goto('/set/90001-1')
  await page.getByText('Use this data elsewhere').click()
  expect(await page.getByText('Badge for your own page').count()).toBe(0)
  await context.close()
  await closed.stop()
})
