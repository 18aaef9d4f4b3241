import { describe, expect, test } from 'vitest'
import { sale, TODAY } from './sale-fixtures.ts'
import { MAX_SALES, latestSales, usableSales, WINDOW_DAYS, type MarketSale } from './usable-sales.ts'

const ids = (sales: MarketSale[]) => sales.map(({ id }) => id)
const sold = (id: string, more: Partial<MarketSale> = {}) => sale({ id, day: TODAY, unitCents: 5000, ...more })

describe('what may count', () => {
  test.each<[story: string, flaw: Partial<MarketSale>, counts: boolean]>([
    ['nothing against it', {}, true],
    ['tomorrow', { day: TODAY + 1 }, false],
    ['the oldest day', { day: TODAY - WINDOW_DAYS + 1 }, true],
    ['a day before it', { day: TODAY - WINDOW_DAYS }, false],
    ['a cent', { unitCents: 1 }, true],
    ['nothing paid', { unitCents: 0 }, false],
    ['returned', { returned: true }, false],
    ['parts only', { flag: 'parts_only' }, false],
  ])('%s', (_, flaw, counts) => {
    expect(usableSales([sold('a', flaw)], TODAY)).toHaveLength(counts ? 1 : 0)
  })

  test('oldest first, each once', () => {
    const sales = [sold('b'), sold('a', { day: TODAY - 5 }), sold('b'), sold('c', { day: TODAY - 2 })]
    expect(ids(usableSales(sales, TODAY))).toEqual(['a', 'c', 'b'])
  })
})

describe('the same two parties', () => {
  const parties = { seller: 'ann', buyer: 'bob' }

  test('within thirty days count once, then again', () => {
    const sales = [70, 41, 40, 0].map((age) => sold(`${age}`, { ...parties, day: TODAY - age }))
    expect(ids(usableSales(sales, TODAY))).toEqual(['70', '0'])
    const apart = [70, 39, 9].map((age) => sold(`${age}`, { ...parties, day: TODAY - age }))
    expect(ids(usableSales(apart, TODAY))).toEqual(['70', '39'])
  })

  test('another seller or another buyer is another deal', () => {
    const sales = [
      sold('a', parties),
      sold('b', { ...parties, seller: 'cid' }),
      sold('c', { ...parties, buyer: 'dot' }),
      sold('d', { ...parties, seller: 'cid' }),
    ]
    expect(ids(usableSales(sales, TODAY))).toEqual(['a', 'b', 'c'])
  })

  test('whom nobody knows is not taken for the same', () => {
    const unknown = [sold('a', { buyer: null }), sold('b', { buyer: null })]
    expect(
      usableSales(
        unknown.map((one) => ({ ...one, seller: 'ann' })),
        TODAY,
      ),
    ).toHaveLength(2)
    expect(
      usableSales(
        unknown.map((one) => ({ ...one, seller: null, buyer: 'bob' })),
        TODAY,
      ),
    ).toHaveLength(2)
  })
})

test('of many sales the newest are taken', () => {
  const sales = Array.from({ length: MAX_SALES + 3 }, (_, age) => sold(`${age}`, { day: TODAY - age }))
  expect(ids(latestSales(sales, TODAY))).toEqual(ids(sales.slice(0, MAX_SALES)).toReversed())
})
