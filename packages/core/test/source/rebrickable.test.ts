import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FeedRejectedError } from '@brickmark/core/source/feeds/feed'
import { readRebrickable } from '@brickmark/core/source/connectors/rebrickable'
import type { CatalogRow } from '@brickmark/core/source/feeds/feed-rows'
import { readFeed } from './read-feed.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rebrickable-'))
  await cp(join(import.meta.dirname, 'files/rebrickable'), folder, { recursive: true })
})
afterEach(async () => rm(folder, { recursive: true }))

async function read(options: { withOthers?: boolean } = {}) {
  const { batches, counts } = readRebrickable(folder, {
    source_id: 'rebrickable',
    license_id: 'rebrickable',
    stated_on: '2026-04-01',
    ...options,
  })
  const rows: CatalogRow[] = []
  const bad: { row_number: number; reason: string; raw: string }[] = []
  for await (const batch of batches) {
    for (const row of batch) {
      if ('row' in row) rows.push(row.row)
      else bad.push(row)
    }
  }
  return { rows, bad, counts }
}

describe('readRebrickable', () => {
  test('a set has its top-level theme, its own theme as subtheme, and no made-up release date', async () => {
    const sets = (await read()).rows.filter((row) => row.record === 'set')
    expect(sets).toMatchObject([
      {
        set_number: '90001-1',
        title: 'Harbor, "Old"',
        theme: 'Town',
        subtheme: 'Harbor',
        pieces: 812,
        release_year: 2019,
        release_date: null,
      },
      { set_number: '90002-1', theme: 'Town', subtheme: null, image_url: null, source_id: 'rebrickable' },
      { set_number: '90003-1', theme: 'Town', subtheme: 'Lighthouses', msrp_cents: null },
      { set_number: '90005-1' },
    ])
  })

  test('minifigs have Rebrickable’s numbers, those of marketplaces are aliases, and contents come from the latest inventory', async () => {
    const { rows, counts } = await read()
    expect(rows.filter((row) => row.record === 'minifig')).toMatchObject([
      { minifig_number: 'fig-000001', name: 'Fisher, Yellow Coat', stated_on: '2026-04-01' },
      { minifig_number: 'fig-000002', image_url: null },
      { minifig_number: 'fig-000003', name: 'Nobody Mapped' },
      { minifig_number: 'fig-000004' },
    ])
    expect(rows.filter((row) => row.record === 'alias')).toMatchObject([
      { minifig_number: 'fig-000001', alias: 'zz0001' },
      { minifig_number: 'fig-000002', alias: 'zz0002' },
      { minifig_number: 'fig-000005', alias: 'ZZ0001' },
    ])
    expect(rows.filter((row) => row.record === 'contains')).toMatchObject([
      { set_number: '90001-1', minifig_number: 'fig-000001', quantity: 2 },
      { set_number: '90001-1', minifig_number: 'fig-000003', quantity: 1 },
      { set_number: '90002-1', minifig_number: 'fig-000004', quantity: 1 },
      { set_number: '90002-1', minifig_number: 'fig-000001', quantity: 1 },
    ])
    expect(counts).toEqual({ sets: 4, minifigs: 4, contains: 4, aliases: 3, others: 0, rejected: 4 })
  })

  test('a bad row reports its file, line and reason', async () => {
    const { bad } = await read()
    expect(bad.map(({ row_number, reason }) => `${row_number} ${reason}`)).toEqual([
      '5 sets.csv: theme_id 99 is not in themes.csv',
      '7 sets.csv: set_number bad number is not a set or minifig number (letters, digits, . _ -, at most 24 characters)',
      '4 minifig-numbers.csv: alias ? is not a set or minifig number (letters, digits, . _ -, at most 24 characters)',
      '5 inventory_minifigs.csv: quantity must be a whole number from 1 to 10,000, not 0',
    ])
  })

  test('a bad row can be corrected and ingested as a catalog feed', async () => {
    const raw = (await read()).bad[1]?.raw.replace('bad number', '90006-1') ?? ''
    expect((await readFeed('catalog', Buffer.from(raw))).good).toMatchObject([{ set_number: '90006-1', theme: 'Town' }])
  })

  test('without a mapping, every minifig has Rebrickable’s number', async () => {
    await rm(join(folder, 'minifig-numbers.csv'))
    const { rows, counts } = await read()
    expect(rows.flatMap((row) => (row.record === 'minifig' ? row.minifig_number : []))).toEqual([
      'fig-000001',
      'fig-000002',
      'fig-000003',
      'fig-000004',
    ])
    expect(counts).toMatchObject({ sets: 4, minifigs: 4, contains: 4 })
  })

  test('without minifigs, reads only sets', async () => {
    await rm(join(folder, 'minifigs.csv'))
    expect(new Set((await read()).rows.map((row) => row.record))).toEqual(new Set(['set']))
  })

  test('leaves out what is not a set, unless asked for', async () => {
    await writeFile(join(folder, 'themes.csv'), 'id,name,parent_id\n1,Town,\n2,Gear,\n3,Key Chain,2\n4,Books,\n')
    await writeFile(
      join(folder, 'sets.csv'),
      'set_num,name,year,theme_id,num_parts,img_url\n1-1,Set,2019,1,10,\n2-1,Key Chain,2019,3,1,\n3-1,Book,2019,4,9,\n4-1,Box,2019,1,0,\n',
    )
    const { rows, counts } = await read()
    expect(rows.filter((row) => row.record === 'set')).toMatchObject([{ set_number: '1-1' }])
    expect(counts).toMatchObject({ sets: 1, others: 3 })
    expect((await read({ withOthers: true })).counts).toMatchObject({ sets: 4, others: 0 })
  })

  test('removes zero-width characters from names', async () => {
    await writeFile(
      join(folder, 'sets.csv'),
      'set_num,name,year,theme_id,num_parts,img_url\n1-1,Light\u200bhouse\u2060,2019,1,10,\n',
    )
    expect((await read()).rows[0]).toMatchObject({ title: 'Lighthouse' })
  })

  test('gzipped files yield the same rows', async () => {
    const plain = await read()
    for (const file of ['sets.csv', 'themes.csv', 'inventories.csv']) {
      await writeFile(join(folder, `${file}.gz`), gzipSync(await readFile(join(folder, file))))
      await rm(join(folder, file))
    }
    expect(await read()).toEqual(plain)
  })

  test.each<[string, string, string | Buffer]>([
    ['an empty file', 'sets.csv', ''],
    ['a file with other columns', 'sets.csv', 'id,name\n1,x\n'],
    ['an unclosed quote', 'themes.csv', 'id,name,parent_id\n1,"x,\n'],
    ['a short line', 'inventories.csv', 'id,version,set_num\n1\n'],
    ['an unterminated record', 'sets.csv', `set_num,name,year,theme_id,num_parts,img_url\n"${'x'.repeat(200_000)}`],
    ['a truncated gzip file', 'themes.csv', gzipSync('id,name,parent_id\n1,Town,\n').subarray(0, 25)],
  ])('rejects %s with one error', async (_, file, content) => {
    await writeFile(join(folder, file), content)
    const error: unknown = await read().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(FeedRejectedError)
    expect((error as Error).message).toContain(`${file} was rejected: `)
  })

  test('rejects a folder with a missing file and names the file', async () => {
    await rm(join(folder, 'themes.csv'))
    await expect(read()).rejects.toThrow(`${folder} contains neither themes.csv nor themes.csv.gz.`)
  })
})
