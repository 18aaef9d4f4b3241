import { expect, test } from 'vitest'
import { segmentContaining, walChain } from './wal-chain.ts'

const MB16 = 16 * 2 ** 20
const files = (...names: string[]) => names.map((name) => ({ name, bytes: MB16 }))
const one = (digits: string) => `00000001000000${digits}`

test('whole from the backup on, the last one unfinished', () => {
  const archived = files(one('0000000003'), one('0000000004'), one('0000000005'), `${one('0000000006')}.partial`)
  expect(walChain(archived, '0/4000100')).toMatchObject({
    segments: [one('0000000004'), one('0000000005'), one('0000000006')],
    firstGap: undefined,
  })
})

test('a segment is missing in the middle', () => {
  const archived = files(one('0000000004'), one('0000000006'))
  expect(walChain(archived, '0/4000100')).toMatchObject({ segments: [one('0000000004')], firstGap: one('0000000005') })
})

test('a segment is missing right after the backup', () => {
  expect(walChain(files(one('0000000006')), '0/4000100')).toMatchObject({ segments: [], firstGap: one('0000000004') })
})

test('a segment was cut short', () => {
  const archived = [...files(one('0000000004'), one('0000000006')), { name: one('0000000005'), bytes: 100 }]
  expect(walChain(archived, '0/4000100').firstGap).toBe(one('0000000005'))
})

test('the number runs over from FF to the next upper part', () => {
  const archived = files('0000000100000000000000FF', '000000010000000100000000')
  expect(walChain(archived, '0/FF000028').segments).toHaveLength(2)
  expect(walChain(files('0000000100000000000000FE', '000000010000000100000000'), '0/FE000028').firstGap).toBe(
    '0000000100000000000000FF',
  )
})

test('after a fail-over the newer timeline goes on', () => {
  const archived = files(one('0000000004'), one('0000000005'), '000000020000000000000005', '000000020000000000000006')
  expect(walChain([...archived, { name: '00000002.history', bytes: 41 }], '0/4000100')).toMatchObject({
    segments: [one('0000000004'), '000000020000000000000005', '000000020000000000000006'],
    firstGap: undefined,
  })
})

test('nothing was archived', () => {
  expect(walChain([], '0/4000100')).toMatchObject({ segments: [], firstGap: undefined })
  expect(segmentContaining('1/0', MB16)).toBe(256)
})
