import { describe, expect, test } from 'vitest'
import { sale, TODAY } from './sale-fixtures.ts'
import { MAX_SALES, latestSales, usableSales, WINDOW_DAYS, type MarketSale } from './usable-sales.ts'

const ids = (sales: MarketSale[]) => sales.map(({ id }) => id)
const sold = (id: string, more: Partial<MarketSale> = {}) => sale({ id, day: TODAY, unitCents: 5000, ...more })

describe('usableSales', () => {
  test.each<[title: string, flaw: Partial<MarketSale>, counts: boolean]>([
    ['includes an ordinary sale', {}, true],
    ['excludes a sale dated tomorrow', { day: TODAY + 1 }, false],
    ['includes the oldest day of the window', { day: TODAY - WINDOW_DAYS + 1 }, true],
    ['excludes the day before the window', { day: TODAY - WINDOW_DAYS }, false],
    ['includes a price of one cent', { unitCents: 1 }, true],
    ['excludes a price of 0', { unitCents: 0 }, false],
    ['excludes a returned sale', { returned: true }, false],
    ['excludes parts only', { flag: 'parts_only' }, false],
  ])('%s', (_, flaw, counts) => {
    expect(usableSales([sold('a', flaw)], TODAY)).toHaveLength(counts ? 1 : 0)
  })

  test('sorts oldest first and removes duplicates', () => {
    const sales = [sold('b'), sold('a', { day: TODAY - 5 }), sold('b'), sold('c', { day: TODAY - 2 })]
    expect(ids(usableSales(sales, TODAY))).toEqual(['a', 'c', 'b'])
  })
})

describe('repeat deals', () => {
  const parties = { seller: 'ann', buyer: 'bob' }

  test('count deals of the same parties within 30 days once', () => {
    const sales = [70, 41, 40, 0].map((age) => sold(`${age}`, { ...parties, day: TODAY - age }))
    expect(ids(usableSales(sales, TODAY))).toEqual(['70', '0'])
    const apart = [70, 39, 9].map((age) => sold(`${age}`, { ...parties, day: TODAY - age }))
    expect(ids(usableSales(apart, TODAY))).toEqual(['70', '39'])
  })

  test('count a deal with another seller or buyer', () => {
    const sales = [
      sold('a', parties),
      sold('b', { ...parties, seller: 'cid' }),
      sold('c', { ...parties, buyer: 'dot' }),
      sold('d', { ...parties, seller: 'cid' }),
    ]
    expect(ids(usableSales(sales, TODAY))).toEqual(['a', 'b', 'c'])
  })

  test('do not treat unknown parties as the same', () => {
    const unknown = [sold('a', { buyer: null }), sold('b', { buyer: null })]
    expect(
      usableSales(
        unknown.map((sale) => ({ ...sale, seller: 'ann' })),
        TODAY,
      ),
    ).toHaveLength(2)
    expect(
      usableSales(
        unknown.map((sale) => ({ ...sale, seller: null, buyer: 'bob' })),
        TODAY,
      ),
    ).toHaveLength(2)
  })
})

test('latestSales keeps at most twelve sales of a seller, so that nobody pushes out the others', () => {
  const crowd = Array.from({ length: 100 }, (_, age) => sold(`crowd ${age}`, { day: TODAY - age, seller: 'one' }))
  const others = Array.from({ length: 20 }, (_, age) => sold(`${age}`, { day: TODAY - 101 - age }))
  const latest = latestSales([...crowd, ...others], TODAY)
  expect(latest.filter(({ seller }) => seller === 'one')).toHaveLength(12)
  expect(latest).toHaveLength(32)
})

test('latestSales keeps only the newest sales', () => {
  const sales = Array.from({ length: MAX_SALES + 3 }, (_, age) => sold(`${age}`, { day: TODAY - age }))
  expect(ids(latestSales(sales, TODAY))).toEqual(ids(sales.slice(0, MAX_SALES)).toReversed())
})
