import type { RowValidator } from './row-validator.ts'
import { FEED_COLUMNS, columnIndexes } from './feed-columns.ts'
import { decimalAmount, fxRate, toCents } from './feed-money.ts'
import {
  currency,
  isoDate,
  addDays,
  FieldError,
  id,
  itemNumber,
  oneOf,
  type FieldParser,
  integer,
} from './field-parsers.ts'
import type { SaleReturnRow, MarketSaleRow } from './feed-rows.ts'

const SALE = columnIndexes(FEED_COLUMNS.sales)
const RETURN = columnIndexes(FEED_COLUMNS.returns)
const EARLIEST_SALE_DATE = '1990-01-01'

const condition = oneOf(['sealed', 'used'])
const kind = oneOf(['single', 'lot', 'parts_only', 'unknown_offer'])
const quantity = integer(1, 10_000)
const identity = (text: string): string => text

/**
 * Creates a parser for sale rows; dates are validated relative to `now`. Use the result only if the validator has no
 * errors.
 */
export function createSaleRowParser(now: Date): (validator: RowValidator) => MarketSaleRow {
  const soldOn = isoDate(EARLIEST_SALE_DATE, addDays(now, 1))
  return (check) => {
    const item = parseItem(check)
    const price = parsePrice(check)
    const offer = check.optional(SALE.kind, kind) ?? 'single'
    return {
      source_id: check.required(SALE.source, id),
      license_id: check.required(SALE.license, id),
      event_id: check.required(SALE.event_id, id),
      item_kind: item.kind,
      item_number: item.number,
      condition: parseCondition(check, item.kind),
      sold_on: check.required(SALE.sold_on, soldOn),
      unit_price_cents: price.cents,
      currency: price.currency,
      fx_rate: price.rate,
      quantity: check.optional(SALE.quantity, quantity) ?? 1,
      seller_ref: check.optional(SALE.seller, id),
      buyer_ref: check.optional(SALE.buyer, id),
      exclusion_reason: offer === 'single' ? null : offer,
      known_on: parseKnownOn(check, SALE.known_on, SALE.sold_on, soldOn),
    }
  }
}

/** Creates a parser for return rows; dates are validated relative to `now`. */
export function createReturnRowParser(now: Date): (validator: RowValidator) => SaleReturnRow {
  const returnedOn = isoDate(EARLIEST_SALE_DATE, addDays(now, 1))
  return (check) => ({
    source_id: check.required(RETURN.source, id),
    license_id: check.required(RETURN.license, id),
    event_id: check.required(RETURN.event_id, id),
    returned_on: check.required(RETURN.returned_on, returnedOn),
    known_on: parseKnownOn(check, RETURN.known_on, RETURN.returned_on, returnedOn),
  })
}

/** Parses `known_on`, which must not precede the event: otherwise the dates are mixed up. */
function parseKnownOn(
  validator: RowValidator,
  index: number,
  eventDateColumn: number,
  parse: FieldParser<string>,
): string | null {
  const known = validator.optional(index, parse)
  const happened = known && validator.optional(eventDateColumn, identity)
  if (known && happened && known < happened)
    validator.addError(index, `${known} is before ${validator.columns[eventDateColumn]}`)
  return known
}

function parseItem(validator: RowValidator): { kind: 'set' | 'minifig'; number: string } {
  if (validator.isBlank(SALE.minifig_number))
    return { kind: 'set', number: validator.required(SALE.set_number, itemNumber) }
  if (!validator.isBlank(SALE.set_number))
    validator.addError(SALE.minifig_number, 'and set_number are both present; a sale has only one of them')
  return { kind: 'minifig', number: validator.required(SALE.minifig_number, itemNumber) }
}

/** Parses the condition. Single minifigs are never sealed, so a blank means 'used' for them. */
function parseCondition(validator: RowValidator, kind: 'set' | 'minifig'): 'sealed' | 'used' {
  if (kind === 'set') return validator.required(SALE.condition, condition)
  return validator.optional(SALE.condition, condition) ?? 'used'
}

function parsePrice(validator: RowValidator): { cents: number; currency: string; rate: string } {
  const price = validator.required(SALE.price, decimalAmount)
  const code = validator.required(SALE.currency, currency)
  const rate = parseRate(validator, code)
  const known = price !== undefined && rate !== undefined
  const cents = known ? toCents(price, rate) : 0
  if (cents instanceof FieldError) validator.addError(SALE.price, cents.message)
  return { cents: cents instanceof FieldError ? 0 : cents, currency: code, rate }
}

function parseRate(validator: RowValidator, code: string): string {
  if (code !== 'USD') return validator.required(SALE.fx_rate, fxRate)
  const rate = validator.optional(SALE.fx_rate, fxRate) ?? '1'
  if (rate !== '1' && Number(rate) !== 1) validator.addError(SALE.fx_rate, 'must be 1 or blank for USD')
  return '1'
}
