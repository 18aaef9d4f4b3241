import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { buildKey, hashKey, isWellFormedKey, redactSecrets } from './api-key.ts'

const random = Uint8Array.from({ length: 20 }, (_, i) => i)
const key = buildKey(random)

describe('api keys', () => {
  test('a key consists of the prefix and 48 lowercase hex characters', () => {
    expect(key).toMatch(/^bmk_live_[0-9a-f]{48}$/)
    expect(key.slice(0, -8)).toBe('bmk_live_000102030405060708090a0b0c0d0e0f10111213')
    expect(isWellFormedKey(key)).toBe(true)
  })

  test('the checksum detects every single-character typo', () => {
    for (let index = 0; index < key.length; index++) {
      const other = key[index] === '7' ? '8' : '7'
      expect(isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false)
    }
  })

  test.each(['', 'bmk_live_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()])(
    '%j is not well-formed',
    (text) => {
      expect(isWellFormedKey(text)).toBe(false)
    },
  )

  test('rejects longer texts even if their checksum is correct', () => {
    const signed = (body: string) => body + crc32(body).toString(16).padStart(8, '0')
    expect(isWellFormedKey(signed(key.slice(0, -8)))).toBe(true)
    expect(isWellFormedKey(signed(`x${key.slice(0, -8)}`))).toBe(false)
    expect(isWellFormedKey(signed(`${key}x`))).toBe(false)
  })

  test('a checksum keeps its leading zeros', () => {
    const keys = Array.from({ length: 64 }, (_, byte) => buildKey(new Uint8Array(20).fill(byte)))
    expect(keys.some((key) => key.at(-8) === '0')).toBe(true)
    expect(keys.every((key) => isWellFormedKey(key))).toBe(true)
  })

  test('the hash depends on the key and on the pepper', () => {
    expect(hashKey(key, 'a')).toHaveLength(32)
    expect(hashKey(key, 'a')).toEqual(hashKey(key, 'a'))
    expect(hashKey(key, 'a')).not.toEqual(hashKey(key, 'b'))
    expect(hashKey(buildKey(random.toReversed()), 'a')).not.toEqual(hashKey(key, 'a'))
  })

  test('redactSecrets removes full and partial keys', () => {
    expect(redactSecrets(`GET /set/1?q=${key}&again=${key.toUpperCase()}`)).toBe(
      'GET /set/1?q=bmk_live_…&again=BMK_LIVE_…',
    )
    expect(redactSecrets(key.slice(0, 20))).toBe('bmk_live_…')
    expect(redactSecrets('nothing of the kind')).toBe('nothing of the kind')
  })

  test.each([
    ['an encoded underscore', key.replace('_', '%5F')],
    ['every character encoded', key.replaceAll(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`)],
    ['encoded twice', key.replaceAll('_', '%255f')],
    ['without its prefix', key.slice('bmk_live_'.length)],
    ['without its prefix, in upper case', key.slice('bmk_live_'.length).toUpperCase()],
  ])('redactSecrets removes a key with %s', (_, hidden) => {
    const redacted = redactSecrets(`GET /set/1?q=${hidden}&limit=5`)
    expect(redacted).not.toContain(hidden.slice(-40))
    expect(redacted.toLowerCase()).not.toContain(key.slice(-40))
    expect(redacted).toMatch(/^GET \/set\/1\?q=\S*…&limit=5$/)
  })

  test('redactSecrets leaves other encoded text and shorter digests as they are', () => {
    for (const text of ['GET /search?q=caf%C3%A9%20bar', `sha1 ${'a'.repeat(40)}`, '100 % sure, 5%'])
      expect(redactSecrets(text)).toBe(text)
  })

  test('redactSecrets removes the values of query parameters named like secrets', () => {
    expect(redactSecrets('GET /set/1?limit=5&password=a%20b&X-Api-Key=c HTTP')).toBe(
      'GET /set/1?limit=5&password=…&X-Api-Key=… HTTP',
    )
    expect(redactSecrets('GET /set/1?limit=5&offset=token')).toBe('GET /set/1?limit=5&offset=token')
  })
})
