import { isPlatform } from '../market/fees/platform.ts'
import { calculateFee, feesInForce, type SellingFeeSchedule } from '../market/fees/selling-fees.ts'
import type { Sale } from './sale.ts'
import { type LotSelector, type SellableLot, allocateUnits, totalCost } from './lot-allocation.ts'
import { isValidPurchaseDate, parsePrice, parseQuantity } from './lot.ts'

/** Data needed to parse a sale form. */
export type SaleContext = {
  /** Held lots of the set; when editing a sale, including its own units. */
  lots: SellableLot[]
  /** When editing a sale, the lots it was taken from. */
  previousLotIds: number[]
  fees: SellingFeeSchedule[]
  /** YYYY-MM-DD */
  today: string
}

/** The form's fields, in display order. */
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

/** Maximum of the database column, in cents. */
const MAX_COST = 999_999_999_999

/**
 * Returns the platform's preset fee for the form's platform, date and gross; undefined if there is no preset or the
 * gross isn't valid.
 */
export function defaultPlatformFee(
  getField: (field: SaleField) => string,
  fees: SellingFeeSchedule[],
): number | undefined {
  const preset = feesInForce(fees, getField('platform'), getField('date'))
  const gross = parsePrice(getField('gross'))
  return preset && gross !== undefined ? calculateFee(preset, gross) : undefined
}

type GetField = (field: SaleField) => string
type SaleAmounts = Omit<Sale, 'cost' | 'allocations'>

/**
 * Parses a sale from form fields, or returns a message that says what is wrong or missing. Runs in the browser while
 * typing and on the server. Empty fees default to the preset, or 0.
 */
export function parseSale(getField: GetField, context: SaleContext): Sale | string {
  const sale = parseAmounts(getField, context)
  if (typeof sale === 'string') return sale
  return getField('lot') === 'none' ? withTypedCost(getField, sale) : withAllocations(getField, sale, context)
}

function parseAmounts(getField: GetField, { fees, today }: SaleContext): SaleAmounts | string {
  const amount = (field: SaleField, empty: number) => (getField(field) === '' ? empty : parsePrice(getField(field)))
  const [platform, date] = [getField('platform'), getField('date')]
  const quantity = parseQuantity(getField('quantity'))
  const gross = parsePrice(getField('gross'))
  if (!isPlatform(platform)) return 'Choose a platform.'
  if (!isValidPurchaseDate(date, today)) return 'Enter a sale date no later than today, e.g. 2025-03-31.'
  if (quantity === undefined) return 'Enter a quantity between 1 and 1,000,000.'
  if (gross === undefined) return 'Enter what the buyer paid, e.g. 129.99.'
  const platformFees = amount('platform-fees', defaultPlatformFee(getField, fees) ?? 0)
  const paymentFees = amount('payment-fees', 0)
  const shipping = amount('shipping', 0)
  if (platformFees === undefined || paymentFees === undefined)
    return 'Enter a valid fee, e.g. 12.50, or leave it blank.'
  if (shipping === undefined) return 'Enter a valid shipping cost, e.g. 12.50, or leave it blank.'
  return { platform, date, quantity, gross, platformFees, paymentFees, shipping }
}

function withTypedCost(getField: GetField, sale: SaleAmounts): Sale | string {
  const cost = getField('cost') === '' ? null : parsePrice(getField('cost'))
  return cost === undefined ? 'Enter a valid cost, e.g. 12.50, or leave it blank.' : { ...sale, cost, allocations: [] }
}

function withAllocations(getField: GetField, sale: SaleAmounts, { lots, previousLotIds }: SaleContext): Sale | string {
  const selector = parseLotSelector(getField('lot'), previousLotIds)
  if (selector === undefined) return 'Choose a lot.'
  const allocations = allocateUnits(lots, selector, sale.quantity, sale.date)
  if (typeof allocations === 'string') return allocations
  const cost = totalCost(allocations)
  return (cost ?? 0) > MAX_COST ? 'That cost is too high.' : { ...sale, cost, allocations }
}

function parseLotSelector(text: string, previousLotIds: number[]): LotSelector | undefined {
  if (text === 'sealed' || text === 'used') return { condition: text }
  if (text === 'kept') return { lots: previousLotIds }
  return /^[1-9]\d{0,15}$/.test(text) ? { lots: [Number(text)] } : undefined
}
