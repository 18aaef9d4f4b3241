/**
 * The spellings under which a set may have been loaded, in the order they are tried: as given, with the variant
 * `-1` added if there is no variant, without it if it is `-1`.
 */
export function setNumberSpellings(number: string): string[] {
  if (number.endsWith('-1')) return [number, number.slice(0, -2)]
  return /-\d+$/.test(number) ? [number] : [number, `${number}-1`]
}

/** A text that sorts as the number counts: 90009-1 before 90010-1 before 90010-2. */
export function naturalKey(number: string): string {
  return number.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(24, '0'))
}

/** Natural order of set and minifig numbers; total, so that pages never overlap. */
export function compareNumbers(a: string, b: string): number {
  return compareTexts(naturalKey(a), naturalKey(b)) || compareTexts(a, b)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Lower case without accents: the form in which names and queries meet. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
