/** The GTIN check digit for the digits before it (UPC-A, EAN-13). */
export function checkDigit(digits: string): string {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const weight = (digits.length - index) % 2 === 1 ? 3 : 1
    sum += weight * Number(digits[index])
  }
  return String((10 - (sum % 10)) % 10)
}

/**
 * One form for every spelling of a UPC or EAN, or undefined when it is none: 13 digits, leading zeros restored, so
 * that UPC-A `x` and EAN-13 `0x` are the same key. The check digit is not verified: a stored code may be wrong too.
 */
export function barcodeKey(code: string): string | undefined {
  return /^\d{8,13}$/.test(code) ? code.padStart(13, '0') : undefined
}
