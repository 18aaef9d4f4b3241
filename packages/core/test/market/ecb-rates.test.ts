import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ecbRates } from '@brickmark/tests/support/ecb-rates'
import { parseEcbRates } from '@brickmark/core/market/currency/ecb-rates'
import { formatConverted } from '@brickmark/core/market/currency/exchange-rate'

const RATES = { USD: 1.08, JPY: 162, GBP: 0.81 }
const NOVEMBER_18 = ecbRates('2026-11-18', RATES)

describe('parseEcbRates', () => {
  test('turns rates per euro into rates per dollar', () => {
    const rates = parseEcbRates(NOVEMBER_18)
    expect(rates.map(({ currency, day }) => `${currency} ${day}`)).toEqual([
      'EUR 2026-11-18',
      'JPY 2026-11-18',
      'GBP 2026-11-18',
    ])
    expect(rates.map(({ perUsd }) => perUsd)).toEqual([1 / 1.08, 162 / 1.08, 0.81 / 1.08])
  })
  test('takes the latest of several days', () => {
    const both = NOVEMBER_18.replace(
      '</Cube></Cube>',
      `</Cube><Cube time='2026-11-17'><Cube currency='USD' rate='1.1'/></Cube></Cube>`,
    )
    expect(parseEcbRates(both)[0]!.day).toBe('2026-11-18')
  })
  test.each([
    ['another document', '<html><body>Not found</body></html>'],
    ['no XML', 'rates'],
    ['no rates', ecbRates('2026-11-18', {})],
    ['no dollar', NOVEMBER_18.replace('USD', 'AUD')],
    ['a rate of 0', NOVEMBER_18.replace('1.08', '0')],
    ['a rate that isn’t a number', NOVEMBER_18.replace('1.08', 'N/A')],
  ])('fails for %s', (_, text) => {
    expect(() => parseEcbRates(text)).toThrow(/reference rates/)
  })
})

describe('formatConverted', () => {
  const [euro, yen, pound] = parseEcbRates(NOVEMBER_18) as [never, never, never]
  test('rounds to the smallest unit of the currency', () => {
    expect([euro, yen, pound].map((rate) => formatConverted(10_000, rate))).toEqual(['€92.59', '¥15,000', '£75.00'])
    expect(formatConverted(-1, yen)).toBe('−¥2')
    expect(formatConverted(0, euro)).toBe('€0.00')
  })
  test('any amount is converted to the cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        const shown = Number(formatConverted(cents, euro).replace(/[€,]/g, ''))
        expect(Math.abs(shown - cents / 108)).toBeLessThanOrEqual(0.005 + 1e-9)
      }),
    )
  })
})
