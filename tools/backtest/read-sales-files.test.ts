import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import { readSalesFiles } from './read-sales-files.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backtest-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function file(name: string, ...lines: string[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

test('reads feed files, sorts and packs the sales of listed sets, and counts the rest', async () => {
  const catalog = await file(
    'catalog.csv',
    'source,license,record,set_number,title,theme,msrp_usd,release_date',
    's,s,set,1-1,One,Harbor,49.99,2024-01-01',
  )
  const sales = await file(
    'sales.csv',
    'source,license,event_id,set_number,minifig_number,condition,sold_on,known_on,price,currency,seller,kind',
    's,s,b,1-1,,sealed,2025-02-02,2025-02-05,60.00,USD,anna,',
    's,s,a,1-1,,sealed,2025-01-02,,50.00,USD,,lot',
    's,s,a,1-1,,sealed,2025-01-02,,50.00,USD,,lot',
    's,s,c,2-1,,sealed,2025-01-02,,50.00,USD,,',
    's,s,d,,fig1,,2025-01-02,,5.00,USD,,',
    's,s,e,1-1,,sealed,2025-01-02,,free,USD,,',
  )
  const market = await readSalesFiles(sales, catalog)
  expect(market.sets).toEqual([
    {
      set_number: '1-1',
      theme: 'Harbor',
      msrp_cents: 4999,
      retail_cents: null,
      release_date: '2024-01-01',
      release_year: null,
      retire_date: null,
    },
  ])
  expect(market.skipped).toBe(3)
  expect(market.items).toHaveLength(1)
  const [first, second] = [market.items[0]!.sales.subarray(0, 10), market.items[0]!.sales.subarray(10)]
  expect(Array.from(first.subarray(0, 7))).toEqual([dayNumber('2025-01-02'), 5000, 1, 0, 0, 1, dayNumber('2025-01-02')])
  expect(second[6]).toBe(dayNumber('2025-02-05'))
  expect(second[3]).not.toBe(0)
  expect(second).toHaveLength(10)
})
