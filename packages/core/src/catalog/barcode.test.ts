import { describe, expect, test } from 'vitest'
import { barcodeKey, checkDigit, isBarcode } from './barcode.ts'

describe('barcodes', () => {
  test.each([
    ['03600029145', '2'],
    ['400638133393', '1'],
    ['000000000000', '0'],
  ])('the check digit of %s is %s', (digits, digit) => {
    expect(checkDigit(digits)).toBe(digit)
  })

  test('a UPC-A and its EAN-13 share one key', () => {
    expect(barcodeKey('036000291452')).toBe('0036000291452')
    expect(barcodeKey('0036000291452')).toBe('0036000291452')
  })

  test('restores leading zeros dropped by a spreadsheet', () => {
    expect(barcodeKey('36000291452')).toBe('0036000291452')
  })

  test.each(['', '12', '1234567', '12345678901234', '12345678901x', ' 36000291452'])(
    "returns undefined for %j, which isn't a barcode",
    (code) => {
      expect(barcodeKey(code)).toBeUndefined()
    },
  )

  test.each(['96385074', '036000291452', '4006381333931'])('%s is a barcode', (code) => {
    expect(isBarcode(code)).toBe(true)
  })

  test.each(['96385075', '036000291453', '4006381333930', '06000291455', '40063813339314', '963850x4', ''])(
    '%j is none: it has a wrong check digit, or too few or too many digits',
    (code) => {
      expect(isBarcode(code)).toBe(false)
    },
  )
})
