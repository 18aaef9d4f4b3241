import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RetailObservation } from '../source/retail-observation.ts'
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

/** A story: observations one minute after the other unless they say when; what is not told is an ordinary sale. */
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

function tell(title: string, table: Table): void {
  describe(title, () => {
    test.each(table)('%s', (_, observations, expected) => {
      const state = retailState(observations)
      if (expected === null) expect(state).toBeNull()
      else expect(state).toMatchObject(expected)
    })
  })
}

tell('rule 1: one of each, and one word an instant', [
  [
    'the same event twice counts once, and the first to arrive stands',
    story({ price: 4000 }, { eventId: 'e0', price: 100, at: 0 }),
    { price: 4000, lowest: 4000, lastChange: null },
  ],
  [
    'without event ids the same payload twice counts once',
    story({ ...unknown, eventId: null, at: 7 }, { ...unknown, eventId: null, at: 7 }, {}),
    { errors: 1 },
  ],
  [
    'the same event id at another source is another event',
    story({ price: 4000 }, { eventId: 'e0', sourceId: 'other', price: 3000 }),
    { price: 3000, lastChange: -1000 },
  ],
  [
    'at the same instant the higher source rank is believed',
    story({ price: 4000, at: 0, sourceRank: 2 }, { price: 3000, at: 0, sourceRank: 1 }),
    { price: 4000, lowest: 4000 },
  ],
  [
    'at the same instant and rank the later arrival is believed',
    story({ price: 4000, at: 0, arrival: 9 }, { price: 3000, at: 0, arrival: 3 }),
    { price: 4000, lowest: 4000 },
  ],
  [
    'a failed fetch of a better source does not silence a worse one at the same instant',
    story({ price: 4000, at: 0 }, { ...unknown, at: 0, sourceRank: 9 }),
    { price: 4000, errors: 1 },
  ],
])

describe('should two arrivals ever have one number, the order in which they are told does not matter', () => {
  test.each([
    ['copies of an event', { eventId: 'e0' }],
    ['two events at one instant', { at: 0 }],
  ])('%s', (_, same) => {
    const [one, other] = story({ price: 4000, arrival: 7, at: 0 }, { price: 3000, arrival: 7, ...same })
    const told = retailState([one!, other!])
    expect(retailState([other!, one!])).toEqual(told)
    expect([3000, 4000]).toContain(told!.price)
  })
})

tell('rule 2: unknown changes nothing, a stock-out is known', [
  ['nothing but failures is no state', story(unknown, unknown), null],
  [
    'a failed fetch leaves everything but the counter',
    story({ price: 4000, lowestFba: 4500, fbaSellers: 3, buyBox: 4600 }, unknown),
    { price: 4000, inStock: true, lastCheckedAt: 0, lowestFba: 4500, fbaSellers: 3, buyBox: 4600, errors: 1 },
  ],
  [
    'a hidden price is unknown, even in stock and with a seller',
    story({ price: 4000 }, { price: null, inStock: true, ...byThirdParty }),
    { price: 4000, sellerType: 'retailer', lastCheckedAt: 0, errors: 1 },
  ],
  [
    'sold out: no price, the lowest stays, and it was checked',
    story({ price: 4000 }, soldOut),
    { price: null, inStock: false, sellerType: null, lowest: 4000, atLowest: false, lastCheckedAt: MINUTE, errors: 0 },
  ],
  [
    'a price on a page that says sold out is no price',
    story({ price: 4000 }, { price: 1900, inStock: false }),
    { price: null, lowest: 4000, lastChange: null },
  ],
  [
    'what resellers ask is shown as last seen',
    story({ lowestFba: 4500, fbaSellers: 3, buyBox: 4600 }, { lowestFba: null, fbaSellers: 0, buyBox: 4700 }),
    { lowestFba: null, fbaSellers: 0, buyBox: 4700 },
  ],
  [
    'sold out from the first: nothing is known of prices',
    story(soldOut),
    { price: null, lowest: null, lastChange: null, changedAt: null, atLowest: false },
  ],
  ['a list price that is not mentioned stays', story({ listPrice: 6000 }, { listPrice: null }), { listPrice: 6000 }],
])

tell('rule 4: the last change', [
  ['one price, seen often, never changed', story({}, {}, {}), { lastChange: null, changedAt: null }],
  [
    'a cut is negative and dates from the first sight of the new price',
    story({ price: 5000 }, { price: 4000 }, { price: 4000 }),
    { lastChange: -1000, changedAt: MINUTE },
  ],
  [
    'back at the old price is a change again',
    story({ price: 5000 }, { price: 4000 }, { price: 5000 }),
    { lastChange: 1000, changedAt: 2 * MINUTE },
  ],
  [
    'restocked at the same price is no change',
    story({ price: 5000 }, { price: 4000 }, soldOut, { price: 4000 }),
    { lastChange: -1000, changedAt: MINUTE },
  ],
  [
    'restocked at another price is one',
    story({ price: 5000 }, soldOut, { price: 4000 }),
    { lastChange: -1000, changedAt: 2 * MINUTE },
  ],
  [
    'while sold out, the last change is still the last one',
    story({ price: 5000 }, { price: 4000 }, soldOut),
    { price: null, lastChange: -1000, changedAt: MINUTE },
  ],
])

const slip = { price: 1499 }
tell('rule 5: the lowest price', [
  ['the lowest of all in-stock prices', story({ price: 4000 }, { price: 3000 }, {}), { lowest: 3000, atLowest: false }],
  ['at the lowest', story({ price: 4000 }, { price: 3000 }), { lowest: 3000, atLowest: true }],
  [
    'a price whose stock is unknown is shown but is no low',
    story({}, { price: 3000, inStock: null }),
    { price: 3000, lowest: 5000, atLowest: false },
  ],
  [
    'nor is it at the lowest, even at the same price',
    story({}, { inStock: null }),
    { price: 5000, lowest: 5000, atLowest: false },
  ],
  ['sold out twice is no price of nothing', story({}, soldOut, { ...soldOut, at: 90 * MINUTE }), { lowest: 5000 }],
  ['a quarter of the list price is believed', story({ price: 1500 }), { lowest: 1500, atLowest: true }],
  ['a cent less is not, at first', story({}, slip), { price: 1499, lowest: 5000, atLowest: false }],
  ['nor when seen again within half an hour', story({}, slip, { ...slip, at: 31 * MINUTE - 1 }), { lowest: 5000 }],
  ['but after half an hour it is', story({}, slip, {}, { ...slip, at: 31 * MINUTE }), { lowest: 1499, atLowest: true }],
  [
    'two different slips do not confirm each other',
    story({}, slip, { price: 1498, at: 90 * MINUTE }),
    { lowest: 5000 },
  ],
  [
    'a sighting while sold out confirms nothing',
    story({}, slip, { ...slip, inStock: false, at: 90 * MINUTE }),
    { lowest: 5000 },
  ],
  ['doubt needs a list price', story({ ...slip, listPrice: null }), { lowest: 1499 }],
  ['the last known list price will do', story({}, { ...slip, listPrice: null }), { lowest: 5000 }],
])

test('of the prices that were doubted, only those under the lowest are kept', () => {
  const doubted = story({}, { price: 1400 }, { price: 1300 }, { price: 1400, at: 90 * MINUTE })
  expect(reduceObservations(doubted)).toMatchObject({
    lowest: 1400,
    unconfirmedLows: [{ price: 1300, firstAt: 2 * MINUTE }],
  })
  expect(reduceObservations(story({}, { price: 1400 }, { price: 1500 }))).toMatchObject({
    lowest: 1500,
    unconfirmedLows: [{ price: 1400, firstAt: MINUTE }],
  })
})

tell('rule 6: from the retailer to third parties', [
  ['a third party all along is no flip', story(byThirdParty, byThirdParty, byThirdParty), { flip1pTo3p: false }],
  ['one sighting is not confirmed', story({}, byThirdParty), { flip1pTo3p: false }],
  ['a stock-out is no second one', story({}, byThirdParty, soldOut), { flip1pTo3p: false }],
  ['two are', story({}, byThirdParty, byThirdParty), { flip1pTo3p: true }],
  [
    'failures and stock-outs between do not matter',
    story({}, byThirdParty, unknown, soldOut, byThirdParty),
    { flip1pTo3p: true },
  ],
  ['it holds while sold out', story({}, byThirdParty, byThirdParty, soldOut), { flip1pTo3p: true, sellerType: null }],
  ['the retailer returns', story({}, byThirdParty, byThirdParty, {}), { flip1pTo3p: false }],
  [
    'a return between two sightings breaks them apart',
    story({}, byThirdParty, {}, byThirdParty),
    { flip1pTo3p: false },
  ],
  ['it can happen again', story({}, byThirdParty, byThirdParty, {}, byThirdParty, byThirdParty), { flip1pTo3p: true }],
])

// Few prices, instants and ranks, so that ties, runs, doubts and flips are common.
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
  test('any order, with duplicates that arrive later, gives the same state', () => {
    const withCopies = observations.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.subarray(all).chain((copies) => {
          const late = copies.map((copy, i) => ({ ...copy, arrival: all.length + i }))
          const together = [...all, ...copies, ...late]
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

  test('added one by one where that is allowed, else computed anew, through JSON: the same as all at once', () => {
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

  test('a late or simultaneous observation cannot simply be added', () => {
    const [first, second] = story({ at: 1000 }, { at: 2000 })
    const after = applyObservation(initialAccumulator, second!)
    expect(canAppend(initialAccumulator, first!)).toBe(true)
    expect(canAppend(after, first!)).toBe(false)
    expect(canAppend(after, { ...first!, at: 2000 })).toBe(false)
    expect(canAppend(after, { ...first!, at: 2001 })).toBe(true)
    expect(canAppend(applyObservation(after, { ...first!, ...unknown, at: 3000 }), { ...first!, at: 3000 })).toBe(false)
  })
})
