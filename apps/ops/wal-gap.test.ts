import { expect, test } from 'vitest'
import { findWalGap } from './wal-gap.ts'

const MB16 = 16 * 2 ** 20
const HASH = 'd42629f815ca5d5caa530c568c9239a71c5cfef1'
const archive = (...names: string[]) => names.map((name) => `${name.slice(0, 16)}/${name}-${HASH}.zst`)
const segment = (number: string) => `0000000100000000000000${number}`

test('finds no gap in a complete archive; ignores older segments and other files', () => {
  const paths = [...archive(segment('01'), segment('04'), segment('05')), `${segment('04')}.00000028.backup`]
  expect(findWalGap(paths, segment('04'), MB16)).toBeUndefined()
})

test('finds a segment that is missing in the middle', () => {
  expect(findWalGap(archive(segment('04'), segment('06')), segment('04'), MB16)).toBe(segment('05'))
})

test('finds a segment that is missing right after the backup', () => {
  expect(findWalGap(archive(segment('05')), segment('04'), MB16)).toBe(segment('04'))
})

test('counts over from FF to the next upper part', () => {
  const next = '000000010000000100000000'
  expect(findWalGap(archive(segment('FF'), next), segment('FF'), MB16)).toBeUndefined()
  expect(findWalGap(archive(segment('FE'), next), segment('FE'), MB16)).toBe(segment('FF'))
})

test('follows the newer timeline after a failover', () => {
  const paths = archive(segment('04'), segment('05'), '000000020000000000000005', '000000020000000000000006')
  expect(findWalGap(paths, segment('04'), MB16)).toBeUndefined()
})

test('reports the first segment if nothing was archived', () => {
  expect(findWalGap([], segment('04'), MB16)).toBe(segment('04'))
  expect(findWalGap(archive(segment('03')), segment('04'), MB16)).toBe(segment('04'))
})
