import { expect, test } from 'vitest'
import { matchProducts, type FoundProduct } from './product-match.ts'

const LIGHTHOUSE = { set_number: '90001-1', title: 'Tidewater Lighthouse', codes: ['036000291452'] }

function product(title: string, more: Partial<FoundProduct> = {}): FoundProduct {
  return { product_id: title, title, codes: ['036000291452'], product_url: 'https://a.example/1', ...more }
}

const titlesOf = (matches: { product: FoundProduct }[]) => matches.map(({ product: { title } }) => title)

test('a product with the barcode and the number, or every word of the title, is the set', () => {
  for (const title of ['Brick Town 90001 Harbor Kit (812 Pieces)', 'Lighthouse, Tidewater: building set'])
    expect(titlesOf(matchProducts([LIGHTHOUSE], [product(title)]).sure)).toEqual([title])
})

test('with the barcode as an EAN, too', () => {
  expect(matchProducts([LIGHTHOUSE], [product('90001', { codes: ['0036000291452'] })]).sure).toHaveLength(1)
})

test('a product with another title, or two with the right one, are doubtful', () => {
  expect(titlesOf(matchProducts([LIGHTHOUSE], [product('Wireless Charger')]).doubtful)).toEqual(['Wireless Charger'])
  const twins = [product('90001 new'), product('90001 import')]
  expect(matchProducts([LIGHTHOUSE], twins)).toMatchObject({ sure: [], doubtful: [{}, {}] })
})

test('of several, the only one with the right title is the set', () => {
  const { sure, doubtful } = matchProducts([LIGHTHOUSE], [product('Wireless Charger'), product('Kit 90001')])
  expect([titlesOf(sure), doubtful]).toEqual([['Kit 90001'], []])
})

test('several at once, or a number that may count pieces, are doubtful', () => {
  for (const title of ['Case of 6 Kit 90001', 'Kit 90001 x2', 'Lot of 3: Tidewater Lighthouse', '2 x Kit 90001'])
    expect(matchProducts([LIGHTHOUSE], [product(title)])).toMatchObject({ sure: [], doubtful: [{}] })
  const castle = { ...LIGHTHOUSE, set_number: '375-1', title: 'Yellow Keep' }
  expect(matchProducts([castle], [product('Harbor Kit, 375 pieces')]).sure).toEqual([])
})

test('a number inside another number confirms nothing', () => {
  expect(matchProducts([LIGHTHOUSE], [product('Kit 190001')]).sure).toEqual([])
})

test('a product without the barcode is ignored, and one product is one set', () => {
  expect(matchProducts([LIGHTHOUSE], [product('Kit 90001', { codes: ['012345678905'] })])).toEqual({
    sure: [],
    doubtful: [],
  })
  const twin = { ...LIGHTHOUSE, set_number: '90001-2' }
  expect(matchProducts([LIGHTHOUSE, twin], [product('Kit 90001')]).sure).toHaveLength(1)
})
