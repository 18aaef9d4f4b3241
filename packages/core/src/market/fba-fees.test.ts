import { describe, expect, test } from 'vitest'
import { netFba, scheduleInForce, type Box, type FbaFeeSchedule } from './fba-fees.ts'
import published from './fba-schedule-2026-01-15.json' with { type: 'json' }

const schedule = published as unknown as FbaFeeSchedule
const BEFORE_SURCHARGE = '2026-04-16'
const TODAY = '2026-04-17'

function box(widthIn: number, heightIn: number, depthIn: number, weightLbs: number | null = null): Box {
  return { widthIn, heightIn, depthIn, weightLbs }
}

/** What fulfilment alone takes: 15 % referral, at least 30 cents, put back. */
function fulfilment(price: number, measured: Box, day = BEFORE_SURCHARGE): number | null {
  const net = netFba(price, measured, schedule, day)
  return net === null ? null : price - Math.max(30, Math.round((price * 15) / 100)) - net
}

describe('worked examples', () => {
  // 3.11 lb by volume: 6.97 and one begun quarter pound over 3 = 7.05; × 1.035 = 7.30; referral 6.00.
  test('a large standard box of 39.99 leaves 26.69', () => {
    expect(netFba(3999, box(15, 10.3, 2.8, 1.6), schedule, TODAY)).toBe(2669)
  })

  // 7.29 lb by volume is charged as 8: 7.55 + 7 × 0.38 = 10.21; × 1.035 = 10.57; referral 19.50.
  test('a small bulky box of 129.99 leaves 99.92', () => {
    expect(netFba(12999, box(18.9, 14.9, 3.6), schedule, TODAY)).toBe(9992)
  })
})

describe('fulfilment by size and weight, before the surcharge', () => {
  test.each<[string, number, Box, number | null]>([
    ['small standard is weighed, not measured', 2000, box(15, 12, 0.75, 2 / 16), 332],
    ['small standard just over a band', 2000, box(15, 12, 0.75, 2.01 / 16), 342],
    ['small standard of unknown weight goes by its volume', 2000, box(15, 12, 0.75), 396],
    ['the sides may come in any order', 2000, box(0.75, 15, 12, 1), 396],
    ['over 16 oz the same size is large standard', 2000, box(15, 12, 0.75, 1.01), 504],
    ['a hair too thick is large standard, by volume', 2000, box(15, 12, 0.76, 0.5), 460],
    ['a hair too wide is large standard too', 2000, box(15, 13, 0.7, 0.25), 460],
    ['exactly 3 lb is still in the bands', 2000, box(10, 4, 2, 3), 667],
    ['a begun quarter pound over 3', 2000, box(10, 4, 2, 3.01), 705],
    ['exactly 3 ¼ lb begins no other quarter', 2000, box(10, 4, 2, 3.25), 705],
    ['20 lb is the end of large standard', 2000, box(18, 14, 8, 20), 697 + 68 * 8],
    ['heavier is small bulky', 2000, box(18, 14, 8, 20.5), 755 + 20 * 38],
    ['exactly 1 lb of small bulky', 2000, box(18.5, 5, 1, 1), 755],
    ['too long for small bulky', 2000, box(38, 5, 5, 5), 935 + 6 * 38],
    ['exactly 3 lb by volume, not a hair more', 2000, box(20.85, 1.6, 12.5), 755 + 2 * 38],
    ['just as much girth as large bulky may have', 2000, box(59, 33, 2.5), 935 + 35 * 38],
    ['too much girth for large bulky is extra large', 2000, box(59, 33, 3.3), 2633 + 46 * 38],
    ['longer than bulky', 2000, box(60, 10, 5, 20), 2633 + 21 * 38],
    ['over 50 lb there is no published fee', 2000, box(20, 15, 10, 50.1), null],
    ['nor over 50 lb by volume', 2000, box(36, 28, 20, 10), null],
  ])('%s', (_, price, measured, expected) => {
    expect(fulfilment(price, measured)).toBe(expected)
  })

  test.each([
    [999, 291],
    [1000, 373],
    [5000, 373],
    [5001, 399],
  ])('at a price of %s cents a light box costs %s', (price, expected) => {
    expect(fulfilment(price, box(8, 4, 1, 0.25))).toBe(expected)
  })
})

test('a schedule without a fee for a weight it accepts is refused, not guessed at', () => {
  const [small, ...larger] = schedule.sizeTiers
  const broken = { ...schedule, sizeTiers: [{ ...small!, bands: [] }, ...larger] }
  expect(() => netFba(2000, box(15, 12, 0.75, 0.5), broken, TODAY)).toThrow('no fee for a weight it accepts')
})

describe('what is left', () => {
  test('without a price or a side nothing is known', () => {
    expect(netFba(null, box(15, 10, 3, 1), schedule, TODAY)).toBeNull()
    for (const side of ['widthIn', 'heightIn', 'depthIn'])
      expect(netFba(3999, { ...box(15, 10, 3, 1), [side]: null }, schedule, TODAY)).toBeNull()
  })

  test('the referral is at least 30 cents, and a cheap thing can cost money', () => {
    expect(netFba(150, box(8, 4, 1, 0.25), schedule, BEFORE_SURCHARGE)).toBe(150 - 30 - 291)
  })

  test('the surcharge begins on its day', () => {
    expect(fulfilment(2000, box(8, 4, 1, 0.25), BEFORE_SURCHARGE)).toBe(373)
    expect(fulfilment(2000, box(8, 4, 1, 0.25), TODAY)).toBe(386)
  })
})

test('the schedule of a day is the last that has begun, in whatever order they are stored', () => {
  const later = { ...schedule, validFrom: '2027-01-15' }
  expect(scheduleInForce([later, schedule], '2026-01-14')).toBeUndefined()
  expect(scheduleInForce([later, schedule], '2026-01-15')).toBe(schedule)
  expect(scheduleInForce([later, schedule], '2027-01-14')).toBe(schedule)
  expect(scheduleInForce([schedule, later], '2027-01-15')).toBe(later)
  expect(scheduleInForce([later, schedule], '2027-01-15')).toBe(later)
})
