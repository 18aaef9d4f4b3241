import { expect, test } from 'vitest'
import { dayNumber } from '../../primitives/calendar.ts'
import { SaleStore } from './sale-store.ts'
import { hasMarket, toSetWithSales, type SetAttributesRow } from './set-sales.ts'

const DAY = dayNumber('2026-05-10')
const ATTRIBUTES_ROW: SetAttributesRow = {
  set_number: '90001-1',
  theme: 'Harbor',
  msrp_cents: 4999,
  retail_cents: null,
  release_date: null,
  release_year: null,
  retire_date: null,
}

test.each([
  [{ release_date: '2026-05-10' }, true],
  [{ release_date: '2026-05-11' }, false],
  [{ release_year: 2026 }, true],
  [{ release_year: 2027 }, false],
  [{}, true],
])('whether a set that says %o has a market without sales: %s', (dates, expected) => {
  const set = { ...ATTRIBUTES_ROW, ...dates }
  const withSales = toSetWithSales(set, new SaleStore(), DAY, DAY)
  expect(hasMarket(set, withSales, DAY)).toBe(expected)
})
