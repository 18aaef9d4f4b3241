import { expect, test } from 'vitest'
import { groupBySource } from './origin.ts'

const credit = (id: string) => ({ id, name: id.toUpperCase(), attribution: null, attribution_url: null })

test('groups attributes by source, the one with the most first, with its latest day', () => {
  const origins = {
    title: { source: 'a', on: '2026-01-01' },
    pieces: { source: 'b', on: '2026-03-01' },
    theme: { source: 'b', on: '2026-02-01' },
    msrp_cents: null,
  }
  expect(groupBySource(origins, [credit('a'), credit('b')])).toMatchObject([
    { name: 'B', on: '2026-03-01', attributes: ['pieces', 'theme'] },
    { name: 'A', on: '2026-01-01', attributes: ['title'] },
  ])
})

test('leaves out what no source states any longer', () => {
  expect(groupBySource({ title: null }, [credit('a')])).toEqual([])
})
