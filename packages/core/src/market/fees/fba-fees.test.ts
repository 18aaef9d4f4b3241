import { describe, expect, test } from 'vitest'
import { netFba, scheduleInForce, type Box, type FbaFeeSchedule } from './fba-fees.ts'
import published from './fba-schedule-2026-01-15.json' with { type: 'json' }

const schedule = published as unknown as FbaFeeSchedule
const BEFORE_SURCHARGE = '2026-04-16'
const TODAY = '2026-04-17'

function box(widthIn: number, heightIn: number, depthIn: number, weightLbs: number | null = null): Box {
  return { widthIn, heightIn, depthIn, weightLbs }
}

/** Returns the fulfillment fee alone: the net plus the referral fee (15 %, at least 30 cents). */
function fulfilment(price: number, measuredBox: Box, day = BEFORE_SURCHARGE): number | null {
  const net = netFba(price, measuredBox, schedule, day)
  return net === null ? null : price - Math.max(30, Math.round((price * 15) / 100)) - net
}

describe('worked examples', () => {
  // 3.11 lb by volume: 6.97 plus one started quarter pound over 3 = 7.05; × 1.035 = 7.30; referral 6.00.
  test('nets 26.69 for a large standard box at 39.99', () => {
    expect(netFba(3999, box(15, 10.3, 2.8, 1.6), schedule, TODAY)).toBe(2669)
  })

  // 7.29 lb by volume is billed as 8: 7.55 + 7 × 0.38 = 10.21; × 1.035 = 10.57; referral 19.50.
  test('nets 99.92 for a small bulky box at 129.99', () => {
    expect(netFba(12999, box(18.9, 14.9, 3.6), schedule, TODAY)).toBe(9992)
  })
})

describe('fulfillment fee by size and weight, before the surcharge', () => {
  test.each<[string, number, Box, number | null]>([
    ['bills small standard by weight, not volume', 2000, box(15, 12, 0.75, 2 / 16), 332],
    ['bills small standard just over a band at the next band', 2000, box(15, 12, 0.75, 2.01 / 16), 342],
    ['bills small standard of unknown weight by volume', 2000, box(15, 12, 0.75), 396],
    ['accepts the sides in any order', 2000, box(0.75, 15, 12, 1), 396],
    ['bills the same size over 16 oz as large standard', 2000, box(15, 12, 0.75, 1.01), 504],
    ['bills a slightly thicker box as large standard, by volume', 2000, box(15, 12, 0.76, 0.5), 460],
    ['bills a slightly wider box as large standard', 2000, box(15, 13, 0.7, 0.25), 460],
    ['bills exactly 3 lb by the bands', 2000, box(10, 4, 2, 3), 667],
    ['bills a started quarter pound over 3 lb as a full step', 2000, box(10, 4, 2, 3.01), 705],
    ['bills exactly 3 ¼ lb as one step', 2000, box(10, 4, 2, 3.25), 705],
    ['bills 20 lb as large standard', 2000, box(18, 14, 8, 20), 697 + 68 * 8],
    ['bills more than 20 lb as small bulky', 2000, box(18, 14, 8, 20.5), 755 + 20 * 38],
    ['bills exactly 1 lb of small bulky at the base fee', 2000, box(18.5, 5, 1, 1), 755],
    ['bills a box too long for small bulky as large bulky', 2000, box(38, 5, 5, 5), 935 + 6 * 38],
    ['bills exactly 3 lb by volume as 3 lb despite binary rounding', 2000, box(20.85, 1.6, 12.5), 755 + 2 * 38],
    ['bills the maximum girth of large bulky as large bulky', 2000, box(59, 33, 2.5), 935 + 35 * 38],
    ['bills a larger girth as extra large', 2000, box(59, 33, 3.3), 2633 + 46 * 38],
    ['bills a box too long for large bulky as extra large', 2000, box(60, 10, 5, 20), 2633 + 21 * 38],
    ['has no fee over 50 lb', 2000, box(20, 15, 10, 50.1), null],
    ['has no fee over 50 lb by volume', 2000, box(36, 28, 20, 10), null],
  ])('%s', (_, price, measured, expected) => {
    expect(fulfilment(price, measured)).toBe(expected)
  })

  test.each([
    [999, 291],
    [1000, 373],
    [5000, 373],
    [5001, 399],
  ])('at a price of %s cents the fee for a light box is %s', (price, expected) => {
    expect(fulfilment(price, box(8, 4, 1, 0.25))).toBe(expected)
  })
})

test('throws if a size tier has no fee for a weight it accepts', () => {
  const [small, ...larger] = schedule.sizeTiers
  const broken = { ...schedule, sizeTiers: [{ ...small!, bands: [] }, ...larger] }
  expect(() => netFba(2000, box(15, 12, 0.75, 0.5), broken, TODAY)).toThrow('no fee for a weight it accepts')
})

describe('net proceeds', () => {
  test('returns null without a price or a side', () => {
    expect(netFba(null, box(15, 10, 3, 1), schedule, TODAY)).toBeNull()
    for (const side of ['widthIn', 'heightIn', 'depthIn'])
      expect(netFba(3999, { ...box(15, 10, 3, 1), [side]: null }, schedule, TODAY)).toBeNull()
  })

  test('charges a referral of at least 30 cents; the net of a cheap item can be negative', () => {
    expect(netFba(150, box(8, 4, 1, 0.25), schedule, BEFORE_SURCHARGE)).toBe(150 - 30 - 291)
  })

  test('applies the surcharge from its first day', () => {
    expect(fulfilment(2000, box(8, 4, 1, 0.25), BEFORE_SURCHARGE)).toBe(373)
    expect(fulfilment(2000, box(8, 4, 1, 0.25), TODAY)).toBe(386)
  })
})

describe('peak season', () => {
  const peak = {
    from: '2026-10-15',
    to: '2027-01-14',
    increases: [
      {
        tier: 'large_standard',
        bands: [
          { upToOunces: 16, cents: 20 },
          { upToOunces: 48, cents: 41 },
        ],
      },
    ],
  }
  const seasonal = { ...schedule, surcharges: [], peaks: [peak] }
  const fee = (day: string, pounds: number) => 2000 - 300 - netFba(2000, box(8, 4, 2, pounds), seasonal, day)!

  test('adds the increase for the weight on the days of the season', () => {
    expect(fee('2026-10-14', 1)).toBe(460)
    expect(['2026-10-15', '2027-01-14'].map((day) => fee(day, 1))).toEqual([480, 480])
    expect(fee('2026-12-01', 1.01)).toBe(504 + 41)
    expect(fee('2027-01-15', 1)).toBe(460)
  })

  test('applies the surcharge to the increase', () => {
    const both = { ...seasonal, surcharges: schedule.surcharges }
    expect(netFba(2000, box(8, 4, 2, 1), both, '2026-12-01')).toBe(2000 - 300 - Math.round(480 * 1.035))
  })

  test('throws rather than leave out the increase of a tier or weight it does not know', () => {
    expect(() => fee('2026-12-01', 3.1)).toThrow('no fee for 49.6 oz of large_standard')
    expect(() => netFba(2000, box(38, 5, 5, 5), seasonal, '2026-12-01')).toThrow('large_bulky')
  })
})

test('picks the latest schedule that has started, regardless of storage order', () => {
  const later = { ...schedule, validFrom: '2027-01-15' }
  expect(scheduleInForce([later, schedule], '2026-01-14')).toBeUndefined()
  expect(scheduleInForce([later, schedule], '2026-01-15')).toBe(schedule)
  expect(scheduleInForce([later, schedule], '2027-01-14')).toBe(schedule)
  expect(scheduleInForce([schedule, later], '2027-01-15')).toBe(later)
  expect(scheduleInForce([later, schedule], '2027-01-15')).toBe(later)
})
