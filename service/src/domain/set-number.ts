/**
 * The spellings under which a set may have been loaded, in the order they are tried: as given, with the variant
 * `-1` added if there is no variant, without it if it is `-1`.
 */
export function setNumberSpellings(number: string): string[] {
  if (number.endsWith('-1')) return [number, number.slice(0, -2)]
  return /-\d+$/.test(number) ? [number] : [number, `${number}-1`]
}

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' })

/** Natural order of set and minifig numbers: 90009-1 before 90010-1 before 90010-2; total, so pages never overlap. */
export function compareNumbers(a: string, b: string): number {
  return natural.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}
