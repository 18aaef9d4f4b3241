import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCollection } from '@brickmark/tests/support/fixtures'
import { seedCatalog, findLots } from './support/collections.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

/** Accepted and rejected imports over plain HTTP, independent of the page. */

let web: TestWeb
let user: TestUser
let cookie: string

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog })
  user = await web.createUser()
  cookie = await web.signInCookies(user)
})
afterAll(() => web.stop())

const post = (path: string, body: FormData | URLSearchParams, sessionCookie = cookie) =>
  fetch(web.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: sessionCookie, origin: web.origin },
    body,
  })
const send = async (text: string | Uint8Array<ArrayBuffer>, into = '') => {
  const form = new FormData()
  form.set('file', new Blob([text]), 'file.csv')
  form.set('into', into)
  return post('/import', form)
}

test.each([
  ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 1]), 'This file isn’t supported'],
  ['no content', '  \n', 'Choose a file'],
  ['only a header', 'Set Number,Quantity\n', 'no rows'],
  ['a DTD', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><INVENTORY><ITEM/></INVENTORY>', 'DOCTYPE'],
  ['malformed XML', '<INVENTORY><ITEM>', 'isn’t valid XML'],
  ['other XML', '<html><p>x</p></html>', 'isn’t a BrickLink inventory'],
  ['an unclosed quote', 'Set Number,Quantity\n"90001-1,2\n', 'Check the quotation marks'],
  ['too many rows', `Set Number\n${'90001-1\n'.repeat(20_001)}`, 'up to 20,000 rows'],
])('400: %s', async (_, content, message) => {
  const response = await send(content)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(message)
})

test('concurrent submits create one import and redirect to it', async () => {
  const other = await web.createUser()
  const otherCookie = await web.signInCookies(other)
  const form = new FormData()
  form.set('text', 'Set Number,Quantity,Includes Spares\n90001-1,1,True\n')
  const draft = (await post('/import', form, otherCookie)).headers.get('location')!
  const go = new URLSearchParams({ intent: 'import' })
  const responses = await Promise.all([1, 2, 3, 4].map(() => post(draft, go, otherCookie)))
  const done = draft.replace('/import/', '/imports?new=')
  expect(responses.map(({ headers }) => headers.get('location'))).toEqual([done, done, done, done])
  expect(await findLots(web.db, other.accountId)).toHaveLength(1)
})

test('an upload built to be expensive slows down nobody else and takes little memory', async () => {
  await send('Set Number,Quantity,Includes Spares\n90001-1,1,True\n')
  const before = await web.residentMemory()
  const tags = Array.from({ length: 400_000 }, (_, n) => `<a${n}/>`).join('')
  const start = performance.now()
  let uploadMs: number | undefined
  const uploaded = send(`<INVENTORY><ITEM>${tags}</ITEM></INVENTORY>`).then((response) => {
    uploadMs = performance.now() - start
    return response.status
  })
  const probes: number[] = []
  while (uploadMs === undefined && probes.length < 1000) {
    const probeStart = performance.now()
    await (await fetch(`${web.origin}/healthz`)).text()
    probes.push(performance.now() - probeStart)
  }
  expect(await uploaded).toBe(400)
  const growth = (await web.residentMemory()) - before
  // A process that parses the file itself answers nothing else until it is done.
  expect(probes.length).toBeGreaterThanOrEqual(3)
  expect(growth).toBeLessThan(100)
})

test('planning 20,000 rows and looking at them keeps other requests fast', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => `9000${n % 3}-1,1,sealed,owned,12.50,2024-03-01,note ${n},Main`)
  const header = 'Set Number,Quantity,Condition,Status,Purchase Price USD,Purchase Date,Notes,Collection'
  const draft = (await send([header, ...rows].join('\n'))).headers.get('location')!
  const pages = Array.from({ length: 6 }, (_, n) => n * 50).map((offset) =>
    fetch(`${web.origin}${draft}?offset=${offset}`, { headers: { cookie } }),
  )
  expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(Array(6).fill(200))
})

test('limits the uploads of an account: 429 with Retry-After', async () => {
  const eager = await web.createUser()
  const eagerCookie = await web.signInCookies(eager)
  const upload = () => {
    const form = new FormData()
    form.set('text', 'Set Number,Quantity,Includes Spares\n90001-1,1,True\n')
    return post('/import', form, eagerCookie)
  }
  for (let n = 0; n < 60; n++) expect((await upload()).status).toBe(302)
  const refused = await upload()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
  expect(await refused.text()).toContain('You’ve uploaded too many files in the last hour')
  expect((await send('Set Number,Quantity,Includes Spares\n90001-1,1,True\n')).status).toBe(302)
})

test('rejects a future purchase date', async () => {
  const draft = (await send('Set Number,Quantity,Includes Spares\n90002-1,3,True\n')).headers.get('location')!
  const before = await findLots(web.db, user.accountId)
  const response = await post(draft, new URLSearchParams({ intent: 'import', date: '2999-01-01' }))
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('Enter a date no later than today, e.g. 2025-03-31.')
  expect(await findLots(web.db, user.accountId)).toEqual(before)
})

test('accepts a 5 MB file; responds 413 to a larger one, with or without Content-Length', async () => {
  const list = 'Set Number,Quantity,Includes Spares\n90001-1,1,True\n'
  const limit = 5 * 1024 * 1024
  expect((await send(list.padEnd(limit, '\n'))).status).toBe(302)
  const response = await send(list.padEnd(limit + 100_000, '\n'))
  expect([response.status, await response.text()]).toEqual([413, expect.stringContaining('up to 5 MB')])
  const streamed = await fetch(`${web.origin}/import`, {
    method: 'POST',
    headers: { cookie, origin: web.origin },
    body: new Blob([list.padEnd(limit + 100_000, '\n')]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect([streamed.status, await streamed.text()]).toEqual([413, expect.stringContaining('up to 5 MB')])
})

test('responds 404 to drafts, imports and collections of another account and changes nothing', async () => {
  const draft = (await send('Set Number,Quantity,Includes Spares\n90001-1,1,True\n')).headers.get('location')!
  const stranger = await web.createUser()
  const otherCookie = await web.signInCookies(stranger)
  const get = (path: string, sessionCookie: string) =>
    fetch(web.origin + path, { headers: { cookie: sessionCookie }, redirect: 'manual' })
  const go = new URLSearchParams({ intent: 'import' })
  expect((await get(draft, cookie)).status).toBe(200)
  expect((await get(draft, otherCookie)).status).toBe(404)
  expect((await post(draft, go, otherCookie)).status).toBe(404)
  // Into another account's collection.
  const otherCollection = await addCollection(web.db, stranger.accountId, { name: 'Theirs', is_default: true })
  const aim = new URLSearchParams({ intent: 'import', target: String(otherCollection) })
  expect((await post(draft, aim)).status).toBe(404)
  expect((await get(`/collections/export.csv?collection=${otherCollection}`, cookie)).status).toBe(404)
  expect(await findLots(web.db, stranger.accountId)).toEqual([])

  expect((await post(draft, go)).headers.get('location')).toMatch(/^\/imports\?new=/)
  expect((await post(draft, go)).headers.get('location')).toMatch(/^\/imports\?new=/)
  expect(await findLots(web.db, user.accountId)).toHaveLength(1)
  const done = draft.replace('/import/', '/imports/')
  for (const path of [`${done}/undo`, `${done}/skipped.csv`]) expect((await get(path, otherCookie)).status).toBe(404)
  expect((await post(`${done}/undo`, go, otherCookie)).status).toBe(404)
  expect(await findLots(web.db, user.accountId)).toHaveLength(1)
  await web.db
    .updateTable('portfolio.import')
    .set({ imported_at: new Date(Date.now() - 31 * 86_400_000) })
    .where('account_id', '=', user.accountId)
    .execute()
  expect((await post(`${done}/undo`, go)).status).toBe(400)
  expect(await findLots(web.db, user.accountId)).toHaveLength(1)
})
