import { barcodeKey } from '../catalog/barcode.ts'
import { normalizeForSearch } from '../catalog/set-number.ts'

/** A product that a retailer lists under a barcode. */
export type FoundProduct = { product_id: string; title: string; codes: string[]; product_url: string }

/** A set that is searched for by its barcodes. */
export type SearchedSet = { set_number: string; title: string; codes: string[] }

export type ProductMatches = {
  /** The product of a set: its barcode and its title agree. */
  sure: { set_number: string; product: FoundProduct }[]
  /** Products whose barcode agrees, but whose title doesn't, or of which there are several. */
  doubtful: { set_number: string; product: FoundProduct }[]
}

/** Decides which found products are which sets. */
export function matchProducts(sets: SearchedSet[], products: FoundProduct[]): ProductMatches {
  const matches: ProductMatches = { sure: [], doubtful: [] }
  const taken = new Set<string>()
  for (const set of sets) {
    const codes = new Set(set.codes.map(barcodeKey))
    const candidates = products.filter(
      ({ product_id, codes: own }) => !taken.has(product_id) && own.some((code) => codes.has(barcodeKey(code))),
    )
    const confirmed = candidates.filter((product) => confirmsTitle(product.title, set))
    const [only] = confirmed
    if (confirmed.length === 1 && only !== undefined) {
      taken.add(only.product_id)
      matches.sure.push({ set_number: set.set_number, product: only })
    } else {
      for (const product of candidates) matches.doubtful.push({ set_number: set.set_number, product })
    }
  }
  return matches
}

const SEVERAL = /\b(case|lot|bundle|pack|multipack) of\b|\b(bundle|lot)\b|\b\d+\s?(x|pack|pcs?\.? lot)\b|\bx\s?\d+\b/i
/** A shorter number may be a number of pieces. */
const DIGITS = /^\d{4,}$/

/** A product named differently may be a bundle, a case of several or another product with a mistyped barcode. */
function confirmsTitle(productTitle: string, { set_number, title }: SearchedSet): boolean {
  if (SEVERAL.test(productTitle)) return false
  const words = new Set(wordsOf(productTitle))
  const number = set_number.split('-')[0]!
  if (DIGITS.test(number) && words.has(number)) return true
  const wanted = wordsOf(title)
  return wanted.length > 1 && wanted.every((word) => words.has(word))
}

function wordsOf(text: string): string[] {
  return normalizeForSearch(text).match(/[\p{L}\p{N}]+/gu) ?? []
}
