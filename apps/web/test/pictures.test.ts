import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb
/** With public pages, and so with link previews. */
let openWeb: TestWeb
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'previews-'))
  ;[web, openWeb] = await Promise.all([
    startTestWeb({ seed: seedMarket, env: { PICTURE_HOSTS: 'https://images.example.com' } }),
    startTestWeb({ seed: seedMarket, env: { PUBLIC_PAGES: 'identity', PREVIEW_FOLDER: folder } }),
  ])
})
afterAll(async () => {
  await Promise.all([web.stop(), openWeb.stop()])
  await rm(folder, { recursive: true })
})

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

test('a number that nothing can have is unknown', async () => {
  for (const path of ['sets/%00', 'minifigs/a%00b', 'sets/%00/preview.png', `sets/${'9'.repeat(500)}`]) {
    expect((await fetch(`${openWeb.origin}/pictures/${path}`)).status, path).toBe(404)
  }
})

test('link previews are drawn once, and only so many per minute', async () => {
  await setPicture(null)
  const responses = await Promise.all(
    Array.from({ length: 40 }, () => fetch(`${openWeb.origin}/pictures/sets/90001-1/preview.png`)),
  )
  const pictures = await Promise.all(
    responses.filter(({ status }) => status === 200).map(async (response) => Buffer.from(await response.arrayBuffer())),
  )
  expect(pictures).toHaveLength(30)
  expect(pictures[0]!.subarray(1, 4).toString()).toBe('PNG')
  expect(new Set(pictures.map((picture) => picture.toString('base64'))).size).toBe(1)
  const refused = responses.find(({ status }) => status !== 200)!
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('cache-control')]).toEqual([
    429,
    '60',
    'no-store',
  ])
  expect(await readdir(folder)).toHaveLength(1)
})

test('the content policy allows the configured hosts and no others', async () => {
  const policy = (await fetch(`${web.origin}/sign-in`)).headers.get('content-security-policy')
  expect(policy).toContain("img-src 'self' data: https://images.example.com;")
})
