import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDueExports } from '@brickmark/core/export/export-commands'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addSet, type TestAccount } from '@brickmark/tests/support/fixtures'

/** Downloads, which have no envelope. `GET /exports` is also tested in all-endpoints.test.ts. */

type Export = { dataset: string; file: string; path: string; rows: number; bytes: number; sha256: string }

let api: TestApi
let account: TestAccount
let sets: Export
/** As downloaded in one piece. */
let content: Buffer

beforeAll(async () => {
  api = await startTestApi(async (db) => {
    await addSet(db, { set_number: '90001-1', title: 'Tidewater Lighthouse' })
    // Titles that don't compress, so that the file has more than a MiB.
    const seed = randomBytes(8).toString('hex')
    for (let part = 0; part < 10; part++)
      await sql`insert into catalog.set (set_number, title, theme)
        select ${part}::integer * 1000 + n || '-1',
               (select string_agg(md5(${seed} || n || '/' || i), '') from generate_series(1, 8) i), 'Harbor'
          from generate_series(10000, 10999) n`.execute(db)
  })
  account = await api.createAccount()
  await writeDueExports({ db: api.db, now: () => new Date() })
  sets = (await list())[0]!
  content = Buffer.from(await (await download(sets.path)).arrayBuffer())
})
afterAll(() => api.stop())

async function list(caller = account): Promise<Export[]> {
  return (await api.get<{ exports: Export[] }>('/api/extensions/v1/exports', caller)).data.exports
}

function download(path: string, headers: Record<string, string> = {}, { key } = account): Promise<Response> {
  return fetch(api.origin + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
}

/** Downloads, and returns the bytes and what they cost. */
async function parts(headers: Record<string, string>) {
  const before = await api.creditsUsed(account)
  const response = await download(sets.path, headers)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { response, bytes, cost: (await api.creditsUsed(account)) - before }
}

const MIB = 1024 * 1024

test('lists a file per dataset', async () => {
  expect((await list()).map(({ dataset, rows }) => [dataset, rows])).toEqual([
    ['sets', 10_001],
    ['minifigs', 0],
    ['history', 0],
  ])
})

test('sends the file as listed, with its checksum and the quota', async () => {
  const { response, bytes, cost } = await parts({})
  expect(bytes.length).toBe(sets.bytes)
  expect(bytes.length).toBeGreaterThan(MIB)
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sets.sha256)
  expect(cost).toBe(Math.ceil(bytes.length / MIB))
  const headers = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-length': String(sets.bytes),
    'content-disposition': `attachment; filename="${sets.file}"`,
    'accept-ranges': 'bytes',
    etag: `"${sets.sha256}"`,
    'cache-control': 'private, no-transform',
    'x-api-version': '1',
    'x-ratelimit-limit': '1000',
  })
  expect(headers['x-ratelimit-remaining']).toBe(String(1000 - (await api.creditsUsed(account))))
  expect(headers['repr-digest']).toBe(`sha-256=:${Buffer.from(sets.sha256, 'hex').toString('base64')}:`)
})

describe('ranges', () => {
  const etag = () => `"${sets.sha256}"`

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=16383-16384', 16_383, 16_385],
    ['bytes=1000-', 1000, undefined],
    ['bytes=-5', -5, undefined],
    ['bytes=0-999999999', 0, undefined],
  ])('%s', async (range, start, end) => {
    const { response, bytes, cost } = await parts({ range })
    const expected = content.subarray(start, end)
    expect(response.status).toBe(206)
    expect(bytes.equals(expected)).toBe(true)
    const first = start < 0 ? content.length + start : start
    expect(response.headers.get('content-range')).toBe(
      `bytes ${first}-${first + expected.length - 1}/${content.length}`,
    )
    expect(cost).toBe(Math.ceil(expected.length / MIB))
  })

  test.each(['lines=1-2', 'bytes=0-1,5-6', 'nonsense'])('%s is ignored', async (range) => {
    const { response, bytes } = await parts({ range })
    expect([response.status, bytes.length]).toEqual([200, content.length])
  })

  test('beyond the end: 416, free', async () => {
    const { response, bytes, cost } = await parts({ range: `bytes=${content.length}-` })
    expect([response.status, cost]).toEqual([416, 0])
    expect(response.headers.get('content-range')).toBe(`bytes */${content.length}`)
    expect(JSON.parse(bytes.toString())).toMatchObject({ error: { code: 'BadRequest' } })
  })

  test('If-Range: another file is sent whole', async () => {
    expect((await parts({ range: 'bytes=5-', 'if-range': etag() })).response.status).toBe(206)
    expect((await parts({ range: 'bytes=5-', 'if-range': '"other"' })).response.status).toBe(200)
  })

  test('If-None-Match: 304, free', async () => {
    const { response, bytes, cost } = await parts({ 'if-none-match': `"other", ${etag()}` })
    expect([response.status, bytes.length, cost]).toEqual([304, 0, 0])
    expect((await parts({ 'if-none-match': '"other"' })).response.status).toBe(200)
  })
})

describe('errors are those of every endpoint', () => {
  test.each(['nothing', 'sets-20260101T000000Z.ndjson.gz', 'sets-99999999T999999Z.ndjson.gz', '%2e%2e%2fetc%2fpasswd'])(
    '404 for %s, charged',
    async (name) => {
      const response = await api.get(`/api/extensions/v1/exports/${name}`, account)
      expect([response.status, response.error.code]).toEqual([404, 'NotFound'])
    },
  )

  test('400, 401, 403 and 429', async () => {
    expect((await download(`${sets.path}?bogus=1`)).status).toBe(400)
    expect((await download(sets.path, {}, { ...account, key: 'nothing' })).status).toBe(401)
    expect((await download(sets.path, {}, await api.createAccount({ plan: 'hobby' }))).status).toBe(403)
    const limited = await api.createAccount({ limit: 1 })
    const response = await download(sets.path, {}, limited)
    expect([response.status, await api.creditsUsed(limited)]).toEqual([429, 0])
    expect((await download(sets.path, { range: 'bytes=0-1' }, limited)).status).toBe(206)
  })
})

test('a key that downloads more than ten at a time is asked to retry, and no download is cut short', async () => {
  const part = { range: 'bytes=0-99999' }
  const responses = await Promise.all(Array.from({ length: 25 }, () => download(sets.path, part)))
  const bytes = await Promise.all(
    responses.map(async (response) => [response.status, (await response.arrayBuffer()).byteLength]),
  )
  const complete = bytes.filter(([status]) => status === 206)
  expect(complete.length).toBeGreaterThanOrEqual(10)
  expect(complete.every(([, length]) => length === 100_000)).toBe(true)
  const others = responses.filter(({ status }) => status !== 206)
  expect(others.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
    others.map(() => [503, expect.any(String)]),
  )
})

test('a download ends with an error, not with a short file, if the file is withdrawn', async () => {
  await sql`delete from export.chunk where dataset = 'sets' and position = 3`.execute(api.db)
  await expect(download(sets.path).then((response) => response.arrayBuffer())).rejects.toThrow('terminated')
  await sql`update export.validity set valid_from = now()`.execute(api.db)
  expect((await download(sets.path)).status).toBe(404)
  expect(await list()).toEqual([])
})
