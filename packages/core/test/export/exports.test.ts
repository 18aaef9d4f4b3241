import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeDueExports } from '../../src/export/export-commands.ts'
import { CHUNK_BYTES, findExport, findLatestExports, readExportChunk } from '../../src/export/export-queries.ts'
import { withdrawSource } from '../../src/market/withdrawal/source-withdrawal-commands.ts'
import { recomputeDirty } from '../../src/market/values/recompute-commands.ts'
import { invalidateExports } from '../../src/source/export-validity-commands.ts'
import { setLicenseRules } from '../../src/source/source-commands.ts'
import { applyTimeLimits } from '../../src/source/time-limit-commands.ts'
import { addMonth, addRetailState, addSet, addValue } from '@brickmark/tests/support/fixtures'
import { startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

let market: TestMarket

beforeEach(async () => {
  market = await startTestMarket()
  for (const set_number of ['90002-1', '90010-1', '90001-1']) await addSet(market.superuserDb, { set_number })
  market.setNow('2099-11-19T04:10:00.250Z')
})
afterEach(() => market.stop())

const latest = () => findLatestExports(market.superuserDb)

async function rowsOf(dataset: string): Promise<Record<string, unknown>[]> {
  const file = (await latest()).find((one) => one.dataset === dataset)!
  const chunks: Buffer[] = []
  while (chunks.length * CHUNK_BYTES < file.bytes)
    chunks.push(await readExportChunk(market.superuserDb, file, chunks.length))
  const content = Buffer.concat(chunks)
  expect(content.length).toBe(file.bytes)
  expect(createHash('sha256').update(content).digest('hex')).toBe(file.sha256)
  const lines = gunzipSync(content).toString().split('\n')
  expect(lines.pop()).toBe('')
  expect(lines).toHaveLength(file.rows)
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('has every set in order, without retail prices, and the histories there are', async () => {
  await addValue(market.superuserDb, { set_number: '90002-1', value_cents: 12340 })
  await addRetailState(market.superuserDb, { set_number: '90002-1' })
  await addMonth(market.superuserDb, { set_number: '90002-1', month: '2026-01-01', value_cents: 9000 })
  expect(await writeDueExports(market)).toEqual({ rows: 4 })
  const sets = await rowsOf('sets')
  expect(sets.map(({ set_number, new_value_usd }) => [set_number, new_value_usd])).toEqual([
    ['90001-1', null],
    ['90002-1', 123.4],
    ['90010-1', null],
  ])
  expect(sets.every((set) => !('retailers' in set))).toBe(true)
  expect(await rowsOf('history')).toMatchObject([
    { set_number: '90002-1', condition: 'sealed', history: [{ month: '2026-01', value_usd: 90 }] },
  ])
  expect(await rowsOf('minifigs')).toEqual([])
})

test('are written in chunks of the same size', async () => {
  await sql`insert into catalog.set (set_number, title, theme)
    select n || '-1', string_agg(md5(n || '/' || part), ''), 'Harbor'
      from generate_series(100001, 102000) n, generate_series(1, 12) part group by n`.execute(market.superuserDb)
  await writeDueExports(market)
  const [file] = await latest()
  expect(file!.bytes).toBeGreaterThan(CHUNK_BYTES)
  expect(await readExportChunk(market.superuserDb, file!, 0)).toHaveLength(CHUNK_BYTES)
  expect(await rowsOf('sets')).toHaveLength(2003)
})

describe('when files are due', () => {
  test('once a night, at 04:00 UTC', async () => {
    expect((await writeDueExports(market)).rows).toBe(3)
    const [first] = await latest()
    market.setNow('2099-11-20T03:59:00Z')
    expect((await writeDueExports(market)).rows).toBe(0)
    market.setNow('2099-11-20T04:00:00Z')
    expect((await writeDueExports(market)).rows).toBe(3)
    expect((await latest())[0]!.createdAt).toEqual(new Date('2099-11-20T04:00:00Z'))
    // A download of the night before can still end.
    expect(await findExport(market.superuserDb, 'sets', first!.createdAt)).toEqual(first)
    market.setNow('2099-11-21T04:00:00Z')
    await writeDueExports(market)
    expect(await findExport(market.superuserDb, 'sets', first!.createdAt)).toBeUndefined()
  })

  test('not before what was queued is computed', async () => {
    await sql`insert into source.valuation_queue (item_kind, item_number) values ('set', '90001-1')`.execute(
      market.superuserDb,
    )
    expect((await writeDueExports(market)).rows).toBe(0)
    await recomputeDirty(market)
    expect((await writeDueExports(market)).rows).toBe(3)
  })

  test('not with an empty catalog', async () => {
    await sql`delete from catalog.set`.execute(market.superuserDb)
    expect((await writeDueExports(market)).rows).toBe(0)
    expect(await latest()).toEqual([])
  })

  test('a worker that was killed leaves nothing that is listed, and the next one begins again', async () => {
    await sql`insert into export.run (started_at) values ('2099-11-19 04:09:00+00')`.execute(market.superuserDb)
    await sql`insert into export.file select id, 'sets', 1, 1, '' from export.run`.execute(market.superuserDb)
    expect(await latest()).toEqual([])
    expect((await writeDueExports(market)).rows).toBe(3)
    expect(await latest()).toHaveLength(3)
    const { rows } = await sql`select from export.run`.execute(market.superuserDb)
    expect(rows).toHaveLength(1)
  })
})

describe('files that may hold what a license no longer allows', () => {
  beforeEach(async () => {
    await market.ingest(
      'catalog',
      toCsv([{ record: 'set', set_number: '90077-1', title: 'Lighthouse', theme: 'Harbor', msrp_usd: '50.00' }]),
    )
    await recomputeDirty(market)
    market.setNow(new Date().toISOString())
    await writeDueExports(market)
    expect(await rowsOf('sets')).toContainEqual(expect.objectContaining({ set_number: '90077-1', msrp_usd: 50 }))
  })

  const changes: [string, () => Promise<unknown>][] = [
    ['its license changes', () => setLicenseRules(market.pool, 'trial', { shown: false })],
    ['its source is withdrawn', () => withdrawSource(market, 'shop')],
  ]
  test.each(changes)('are gone at once if %s, and are written again without it', async (_name, change) => {
    const [file] = await latest()
    await change()
    expect(await latest()).toEqual([])
    expect(await findExport(market.superuserDb, 'sets', file!.createdAt)).toBeUndefined()
    await expect(readExportChunk(market.superuserDb, file!, 0)).rejects.toThrow('there is no chunk 0')
    market.setNow(new Date(Date.now() + 1000).toISOString())
    expect((await writeDueExports(market)).rows).toBe(0)
    await recomputeDirty(market)
    expect((await writeDueExports(market)).rows).toBeGreaterThan(0)
    expect(await rowsOf('sets')).not.toContainEqual(expect.objectContaining({ msrp_usd: 50 }))
  })

  test('are written again every night if a license limits how long something may be shown', async () => {
    expect(await applyTimeLimits(market.pool, new Date())).toEqual({ deleted: 0 })
    expect(await latest()).toHaveLength(3)
    await market.superuserDb.updateTable('source.license').set({ max_display_age: '30 days' }).execute()
    await applyTimeLimits(market.pool, new Date())
    expect(await latest()).toEqual([])
  })

  test('a run that began before isn’t served when it ends', async () => {
    await invalidateExports(market.pool)
    await sql`insert into export.run (started_at, finished_at) values (now() - interval '1 minute', now())`.execute(
      market.superuserDb,
    )
    await sql`insert into export.file select max(id), 'sets', 1, 1, '' from export.run`.execute(market.superuserDb)
    expect(await latest()).toEqual([])
  })
})
