import { expect, test } from 'vitest'
import { readTimeZone } from '../app/layout/time-zone.server.ts'
import { formatInstant, formatUtc } from '../app/ui/format-date.ts'

const now = new Date('2026-11-18T12:00:00Z')

test.each([
  ['2026-11-18T15:51:20Z', 'America/New_York', 'Nov 18, 10:51'],
  ['2026-11-18T15:51:20Z', 'Asia/Tokyo', 'Nov 19, 00:51'],
  ['2026-07-01T15:51:20Z', 'America/New_York', 'Jul 1, 11:51'],
  ['2025-12-31T23:30:00Z', 'UTC', 'Dec 31, 2025, 23:30'],
  // It is this year in Tokyo already.
  ['2025-12-31T23:30:00Z', 'Asia/Tokyo', 'Jan 1, 08:30'],
])('%s in %s is %s', (iso, timeZone, text) => {
  expect(formatInstant(iso, timeZone, now)).toBe(text)
})

test('UTC is written with its date in full', () => {
  expect(formatUtc('2026-11-18T15:51:20.123Z')).toBe('2026-11-18 15:51 UTC')
})

test.each([
  ['theme=dark; time-zone=Europe/Berlin; visit=1.2', 'Europe/Berlin'],
  ['time-zone=europe/BERLIN', 'Europe/Berlin'],
  ['time-zone=Etc/GMT+5', 'Etc/GMT+5'],
  ['time-zone=Nowhere/Land', undefined],
  ['time-zone=+01:23', undefined],
  ['not-time-zone=Europe/Berlin', undefined],
  ['', undefined],
])('the cookie %s means %s', (cookie, timeZone) => {
  expect(readTimeZone(new Request('http://localhost', { headers: { cookie } }))).toBe(timeZone)
})
