import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket, env: { PICTURE_HOSTS: 'https://images.example.com' } })
})
afterAll(() => web.stop())

const fetchPicture = (path: string) => fetch(`${web.origin}/pictures/${path}`, { redirect: 'manual' })

async function setPicture(url: string | null): Promise<void> {
  await web.db.updateTable('catalog.set').set({ image_url: url }).where('set_number', '=', '90001-1').execute()
}

test('draws every set and minifig, the same each time, for everyone to cache', async () => {
  await setPicture(null)
  const pictures = await Promise.all(
    ['sets/90001-1', 'sets/90001-1', 'sets/90002-1', 'minifigs/hbr001'].map(async (path) => {
      const response = await fetchPicture(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('image/svg+xml')
      expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
      return response.text()
    }),
  )
  expect(pictures[0]).toBe(pictures[1])
  expect(new Set(pictures).size).toBe(3)
  for (const picture of pictures) expect(picture).toMatch(/^<svg .*<\/svg>$/s)
})

test('draws the pictures beside the sign-in form without a session', async () => {
  for (const name of ['lighthouse', 'treehouse', 'tugboat', 'castle']) {
    const response = await fetchPicture(`examples/${name}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  }
  expect((await fetchPicture('examples/nothing')).status).toBe(404)
})

test('redirects to the catalog’s own picture only on an allowed host', async () => {
  await setPicture('https://images.example.com/90001.png')
  const allowed = await fetchPicture('sets/90001-1')
  expect([allowed.status, allowed.headers.get('location')]).toEqual([302, 'https://images.example.com/90001.png'])
  for (const url of ['https://elsewhere.example/90001.png', 'http://images.example.com/1.png', 'not an address']) {
    await setPicture(url)
    expect((await fetchPicture('sets/90001-1')).headers.get('content-type')).toBe('image/svg+xml')
  }
})

test('knows no pictures of what isn’t in the catalog', async () => {
  const statuses = await Promise.all(
    ['sets/99999-1', 'minifigs/nobody', 'sets/%3Cscript%3E'].map(async (path) => (await fetchPicture(path)).status),
  )
  expect(statuses).toEqual([404, 404, 404])
})

test('the content policy allows the configured hosts and no others', async () => {
  const policy = (await fetch(`${web.origin}/sign-in`)).headers.get('content-security-policy')
  expect(policy).toContain("img-src 'self' data: https://images.example.com;")
})
