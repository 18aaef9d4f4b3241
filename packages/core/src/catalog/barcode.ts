/** Returns the GTIN check digit (UPC-A, EAN-13) for the preceding digits. */
export function checkDigit(digits: string): string {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const weight = (digits.length - index) % 2 === 1 ? 3 : 1
    sum += weight * Number(digits[index])
  }
  return String((10 - (sum % 10)) % 10)
}

/**
 * Normalizes a UPC or EAN to 13 digits with leading zeros restored, so that UPC-A `x` and EAN-13 `0x` share one key.
 * Returns undefined for anything else. The check digit isn't verified, because a stored code may be wrong too.
 */
export function barcodeKey(code: string): string | undefined {
  return /^\d{8,13}$/.test(code) ? code.padStart(13, '0') : undefined
}

/** Whether these are the digits of an EAN-8, a UPC-A or an EAN-13, with the right check digit. */
export function isBarcode(code: string): boolean {
  return /^(\d{8}|\d{12,13})$/.test(code) && checkDigit(code.slice(0, -1)) === code.at(-1)
}
