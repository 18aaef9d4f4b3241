import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RetailObservation } from '../../source/retail-observation.ts'
import {
  canAppend,
  initialAccumulator,
  applyObservation,
  reduceObservations,
  type RetailAccumulator,
  retailState,
  type RetailState,
  toRetailState,
} from './retail-state.ts'

const MINUTE = 60_000

/** Creates observations one minute apart; omitted fields default to an ordinary in-stock offer by the retailer. */
function story(...chapters: Partial<RetailObservation>[]): RetailObservation[] {
  return chapters.map((chapter, i) => ({
    sourceId: 'feed',
    eventId: `e${i}`,
    sourceRank: 0,
    arrival: i,
    at: i * MINUTE,
    price: 5000,
    listPrice: 6000,
    sellerType: 'retailer',
    inStock: true,
    lowestFba: null,
    fbaSellers: null,
    buyBox: null,
    ...chapter,
  }))
}

const unknown = { price: null, listPrice: null, sellerType: null, inStock: null } as const
const soldOut = { price: null, sellerType: null, inStock: false } as const
const byThirdParty = { sellerType: 'third_party' } as const

type Table = [name: string, observations: RetailObservation[], expected: Partial<RetailState> | null][]

function describeCases(title: string, table: Table): void {
  describe(title, () => {
    test.each(table)('%s', (_, observations, expected) => {
      const state = retailState(observations)
      if (expected === null) expect(state).toBeNull()
      else expect(state).toMatchObject(expected)
    })
  })
}

describeCases('rule 1: deduplication, and one observation per instant', [
  [
    'counts a duplicate event once and keeps the first arrival',
    story({ price: 4000 }, { eventId: 'e0', price: 100, at: 0 }),
    { price: 4000, lowest: 4000, lastChange: null },
  ],
  [
    'counts an identical payload without event ids once',
    story({ ...unknown, eventId: null, at: 7 }, { ...unknown, eventId: null, at: 7 }, {}),
    { errors: 1 },
  ],
  [
    'treats the same event id at another source as a different event',
    story({ price: 4000 }, { eventId: 'e0', sourceId: 'other', price: 3000 }),
    { price: 3000, lastChange: -1000 },
  ],
  [
    'prefers the higher source rank at the same instant',
    story({ price: 4000, at: 0, sourceRank: 2 }, { price: 3000, at: 0, sourceRank: 1 }),
    { price: 4000, lowest: 4000 },
  ],
  [
    'prefers the later arrival at the same instant and rank',
    story({ price: 4000, at: 0, arrival: 9 }, { price: 3000, at: 0, arrival: 3 }),
    { price: 4000, lowest: 4000 },
  ],
  [
    'keeps a conclusive observation over a failed fetch of a higher-ranked source at the same instant',
    story({ price: 4000, at: 0 }, { ...unknown, at: 0, sourceRank: 9 }),
    { price: 4000, errors: 1 },
  ],
])

describe('result is independent of input order even if two arrivals share a number', () => {
  test.each([
    ['duplicates of an event', { eventId: 'e0' }],
    ['two events at the same instant', { at: 0 }],
  ])('%s', (_, same) => {
    const [first, second] = story({ price: 4000, arrival: 7, at: 0 }, { price: 3000, arrival: 7, ...same })
    const state = retailState([first!, second!])
    expect(retailState([second!, first!])).toEqual(state)
    expect([3000, 4000]).toContain(state!.price)
  })
})

describeCases('rule 2: inconclusive observations change nothing; a stock-out is conclusive', [
  ['returns null if all fetches failed', story(unknown, unknown), null],
  [
    'changes only the error counter on a failed fetch',
    story({ price: 4000, lowestFba: 4500, fbaSellers: 3, buyBox: 4600 }, unknown),
    { price: 4000, inStock: true, lastCheckedAt: 0, lowestFba: 4500, fbaSellers: 3, buyBox: 4600, errors: 1 },
  ],
  [
    'treats a hidden price as inconclusive, even in stock and with a seller',
    story({ price: 4000 }, { price: null, inStock: true, ...byThirdParty }),
    { price: 4000, sellerType: 'retailer', lastCheckedAt: 0, errors: 1 },
  ],
  [
    'clears the price on a stock-out, keeps the lowest and updates lastCheckedAt',
    story({ price: 4000 }, soldOut),
    {
      price: null,
      lastPrice: 4000,
      inStock: false,
      sellerType: null,
      lowest: 4000,
      atLowest: false,
      fbaSellers: 0,
      lastCheckedAt: MINUTE,
      errors: 0,
    },
  ],
  [
    'ignores a price on a page that reports a stock-out',
    story({ price: 4000 }, { price: 1900, inStock: false }),
    { price: null, lowest: 4000, lastChange: null },
  ],
  [
    'reports reseller offers as last observed',
    story({ lowestFba: 4500, fbaSellers: 3, buyBox: 4600 }, { lowestFba: null, fbaSellers: 0, buyBox: 4700 }),
    { lowestFba: null, fbaSellers: 0, buyBox: 4700 },
  ],
  [
    'has no prices if sold out from the first observation',
    story(soldOut),
    { price: null, lowest: null, lastChange: null, changedAt: null, atLowest: false },
  ],
  ['keeps the list price if it is omitted', story({ listPrice: 6000 }, { listPrice: null }), { listPrice: 6000 }],
])

describeCases('rule 4: the last change', [
  ['reports no change for a constant price', story({}, {}, {}), { lastChange: null, changedAt: null }],
  [
    'reports a price cut as negative, dated when the new price was first observed',
    story({ price: 5000 }, { price: 4000 }, { price: 4000 }),
    { lastChange: -1000, changedAt: MINUTE },
  ],
  [
    'reports a return to the old price as a change',
    story({ price: 5000 }, { price: 4000 }, { price: 5000 }),
    { lastChange: 1000, changedAt: 2 * MINUTE },
  ],
  [
    'reports no change on a restock at the same price',
    story({ price: 5000 }, { price: 4000 }, soldOut, { price: 4000 }),
    { lastChange: -1000, changedAt: MINUTE },
  ],
  [
    'reports a change on a restock at another price',
    story({ price: 5000 }, soldOut, { price: 4000 }),
    { lastChange: -1000, changedAt: 2 * MINUTE },
  ],
  [
    'keeps the last change while sold out',
    story({ price: 5000 }, { price: 4000 }, soldOut),
    { price: null, lastChange: -1000, changedAt: MINUTE },
  ],
])

const slip = { price: 1499 }
describeCases('rule 5: the lowest price', [
  [
    'is the lowest of all in-stock prices',
    story({ price: 4000 }, { price: 3000 }, {}),
    { lowest: 3000, atLowest: false },
  ],
  ['sets atLowest at the lowest price', story({ price: 4000 }, { price: 3000 }), { lowest: 3000, atLowest: true }],
  [
    'publishes a price with unknown stock, but not as the lowest',
    story({}, { price: 3000, inStock: null }),
    { price: 3000, lowest: 5000, atLowest: false },
  ],
  [
    'sets atLowest with unknown stock at the same price',
    story({}, { inStock: null }),
    { price: 5000, lowest: 5000, atLowest: true },
  ],
  [
    'does not confirm a missing price as the lowest',
    story({}, soldOut, { ...soldOut, at: 90 * MINUTE }),
    { lowest: 5000 },
  ],
  ['accepts a quarter of the list price', story({ price: 1500 }), { lowest: 1500, atLowest: true }],
  ['does not accept one cent less at first', story({}, slip), { price: 1499, lowest: 5000, atLowest: false }],
  ['does not accept it again within 30 minutes', story({}, slip, { ...slip, at: 31 * MINUTE - 1 }), { lowest: 5000 }],
  [
    'accepts it when observed again after 30 minutes',
    story({}, slip, {}, { ...slip, at: 31 * MINUTE }),
    { lowest: 1499, atLowest: true },
  ],
  [
    'does not let two different suspicious prices confirm each other',
    story({}, slip, { price: 1498, at: 90 * MINUTE }),
    { lowest: 5000 },
  ],
  [
    'does not confirm a suspicious price while sold out',
    story({}, slip, { ...slip, inStock: false, at: 90 * MINUTE }),
    { lowest: 5000 },
  ],
  ['accepts any price without a list price', story({ ...slip, listPrice: null }), { lowest: 1499 }],
  [
    'uses the last known list price to detect suspicious prices',
    story({}, { ...slip, listPrice: null }),
    { lowest: 5000 },
  ],
])

test('keeps only the unconfirmed prices below the lowest', () => {
  const suspicious = story({}, { price: 1400 }, { price: 1300 }, { price: 1400, at: 90 * MINUTE })
  expect(reduceObservations(suspicious)).toMatchObject({
    lowest: 1400,
    unconfirmedLows: [{ price: 1300, firstAt: 2 * MINUTE }],
  })
  expect(reduceObservations(story({}, { price: 1400 }, { price: 1500 }))).toMatchObject({
    lowest: 1500,
    unconfirmedLows: [{ price: 1400, firstAt: MINUTE }],
  })
})

describeCases('rule 6: flip from the retailer to third parties', [
  ['is no flip if a third party always sold', story(byThirdParty, byThirdParty, byThirdParty), { flip1pTo3p: false }],
  ['is not confirmed by one third-party observation', story({}, byThirdParty), { flip1pTo3p: false }],
  ['is not confirmed by a stock-out', story({}, byThirdParty, soldOut), { flip1pTo3p: false }],
  ['is confirmed by two third-party observations', story({}, byThirdParty, byThirdParty), { flip1pTo3p: true }],
  [
    'ignores failures and stock-outs in between',
    story({}, byThirdParty, unknown, soldOut, byThirdParty),
    { flip1pTo3p: true },
  ],
  ['persists while sold out', story({}, byThirdParty, byThirdParty, soldOut), { flip1pTo3p: true, sellerType: null }],
  ['ends when the retailer returns', story({}, byThirdParty, byThirdParty, {}), { flip1pTo3p: false }],
  [
    'starts over if the retailer returns between two observations',
    story({}, byThirdParty, {}, byThirdParty),
    { flip1pTo3p: false },
  ],
  ['can happen again', story({}, byThirdParty, byThirdParty, {}, byThirdParty, byThirdParty), { flip1pTo3p: true }],
])

// Few prices, instants and ranks, so that ties, repeats, suspicious prices and flips are common.
const observation: fc.Arbitrary<Omit<RetailObservation, 'arrival' | 'eventId'>> = fc.record({
  sourceId: fc.constantFrom('a', 'b'),
  sourceRank: fc.integer({ min: 0, max: 2 }),
  at: fc.integer({ min: 0, max: 12 }).map((step) => step * 10 * MINUTE),
  price: fc.option(fc.constantFrom(900, 1400, 4000, 5000), { freq: 4 }),
  listPrice: fc.option(fc.constantFrom(5000, 6000)),
  sellerType: fc.option(fc.constantFrom('retailer' as const, 'third_party' as const)),
  inStock: fc.option(fc.boolean()),
  lowestFba: fc.option(fc.constantFrom(4500, 4700)),
  fbaSellers: fc.option(fc.nat(3)),
  buyBox: fc.option(fc.constantFrom(4600, 4800)),
})
const observations = fc
  .array(fc.tuple(observation, fc.boolean()), { maxLength: 25 })
  .map((all) =>
    all.map(([o, numbered], i): RetailObservation => ({ ...o, eventId: numbered ? `e${i}` : null, arrival: i })),
  )

describe('rule 3: a pure function of the observations', () => {
  test('returns the same state for any order, with duplicates that arrive later', () => {
    const withCopies = observations.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.subarray(all).chain((copies) => {
          const later = copies.map((copy, i) => ({ ...copy, arrival: all.length + i }))
          const together = [...all, ...copies, ...later]
          return fc.shuffledSubarray(together, { minLength: together.length })
        }),
      ),
    )
    fc.assert(
      fc.property(withCopies, ([all, shuffled]) => {
        expect(retailState(shuffled)).toEqual(retailState(all))
      }),
      { numRuns: 2000 },
    )
  })

  test('incremental updates through JSON, or a rebuild where required, match a full computation', () => {
    fc.assert(
      fc.property(observations, (all) => {
        let current = initialAccumulator
        let folded = 0
        for (const [i, next] of all.entries()) {
          const simple = canAppend(current, next)
          current = JSON.parse(
            JSON.stringify(simple ? applyObservation(current, next) : reduceObservations(all.slice(0, i + 1))),
          ) as RetailAccumulator
          if (simple) folded++
          expect(toRetailState(current)).toEqual(retailState(all.slice(0, i + 1)))
        }
        expect(folded >= Math.min(1, all.length)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('canAppend rejects late and simultaneous observations', () => {
    const [first, second] = story({ at: 1000 }, { at: 2000 })
    const after = applyObservation(initialAccumulator, second!)
    expect(canAppend(initialAccumulator, first!)).toBe(true)
    expect(canAppend(after, first!)).toBe(false)
    expect(canAppend(after, { ...first!, at: 2000 })).toBe(false)
    expect(canAppend(after, { ...first!, at: 2001 })).toBe(true)
    expect(canAppend(applyObservation(after, { ...first!, ...unknown, at: 3000 }), { ...first!, at: 3000 })).toBe(false)
  })
})
