import { isPlatform } from '../market/platform.ts'
import { feeOf, feesOn, type SellingFees } from '../market/selling-fees.ts'
import type { SaleEntry } from './ledger-sale.ts'
import { type LotChoice, type LotToSell, takeUnits } from './lot-allocation.ts'
import { isPurchaseDate, readPrice, readQuantity } from './lot.ts'

/** What must be known to understand a sale that somebody types in. */
export type SaleSurroundings = {
  /** What is held of the set, with the units of the sale itself when it is changed. */
  lots: LotToSell[]
  /** The lots that the sale was taken from before it is changed. */
  kept: number[]
  fees: SellingFees[]
  /** YYYY-MM-DD */
  today: string
}

/** The fields of the form, in its order. */
export const SALE_FIELDS = [
  'platform',
  'date',
  'quantity',
  'gross',
  'platform-fees',
  'payment-fees',
  'shipping',
  'lot',
  'cost',
] as const

export type SaleField = (typeof SALE_FIELDS)[number]

/** As many cents as the column holds. */
const MAX_COST = 999_999_999_999

/** The platform's fee by its preset, as far as the form tells; undefined when there is no preset. */
export function presetFee(field: (name: SaleField) => string, fees: SellingFees[]): number | undefined {
  const preset = feesOn(fees, field('platform'), field('date'))
  const gross = readPrice(field('gross'))
  return preset && gross !== undefined ? feeOf(preset, gross) : undefined
}

/**
 * The sale that a form's fields describe, or a sentence that says what is wrong or missing. The same in the browser, while
 * it is typed, and on the server. Fees left empty are the preset, or nothing.
 */
export function readSale(
  field: (name: SaleField) => string,
  { lots, kept, fees, today }: SaleSurroundings,
): SaleEntry | string {
  const amount = (name: SaleField, empty: number) => (field(name) === '' ? empty : readPrice(field(name)))
  const [platform, date] = [field('platform'), field('date')]
  const quantity = readQuantity(field('quantity'))
  const gross = readPrice(field('gross'))
  if (!isPlatform(platform)) return 'Choose where it was sold.'
  if (!isPurchaseDate(date, today)) return 'The day of the sale must be up to today, like 2025-03-31.'
  if (quantity === undefined) return 'The units must be a whole number from 1.'
  if (gross === undefined) return 'Enter what the buyer paid, like 129.99.'
  const platformFees = amount('platform-fees', presetFee(field, fees) ?? 0)
  const paymentFees = amount('payment-fees', 0)
  const shipping = amount('shipping', 0)
  if (platformFees === undefined || paymentFees === undefined) return 'A fee must be an amount like 12.50, or empty.'
  if (shipping === undefined) return 'Shipping must be an amount like 12.50, or empty.'
  const sale = { platform, date, quantity, gross, platformFees, paymentFees, shipping }

  const from = field('lot')
  if (from === 'none') {
    const cost = field('cost') === '' ? null : readPrice(field('cost'))
    return cost === undefined ? 'The cost must be an amount like 12.50, or empty.' : { ...sale, cost, takes: [] }
  }
  if (from !== 'sealed' && from !== 'used' && from !== 'kept' && !/^[1-9]\d{0,15}$/.test(from)) {
    return 'Choose where the units come from.'
  }
  const choice: LotChoice =
    from === 'sealed' || from === 'used' ? { condition: from } : { lots: from === 'kept' ? kept : [Number(from)] }
  const takes = takeUnits(lots, choice, quantity, date)
  if (typeof takes === 'string') return takes
  const cost = takes.reduce((sum, take) => sum + take.cost, 0)
  return cost > MAX_COST ? 'That is more than a sale can cost.' : { ...sale, cost, takes }
}
