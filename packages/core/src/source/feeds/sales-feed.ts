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
export function createSaleRowParser(now: Date): (check: RowValidator) => MarketSaleRow {
  const soldOn = isoDate(EARLIEST_SALE_DATE, addDays(now, 1))
  return (check) => {
    const item = parseItem(check)
    const price = parsePrice(check)
    const offer = check.optional(SALE.kind, kind) ?? 'single'
    return {
      source_id: check.required(SALE.source, id),
      licence_id: check.required(SALE.licence, id),
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
export function createReturnRowParser(now: Date): (check: RowValidator) => SaleReturnRow {
  const returnedOn = isoDate(EARLIEST_SALE_DATE, addDays(now, 1))
  return (check) => ({
    source_id: check.required(RETURN.source, id),
    licence_id: check.required(RETURN.licence, id),
    event_id: check.required(RETURN.event_id, id),
    returned_on: check.required(RETURN.returned_on, returnedOn),
    known_on: parseKnownOn(check, RETURN.known_on, RETURN.returned_on, returnedOn),
  })
}

/** Parses `known_on`, which must not precede the event: otherwise the dates are mixed up. */
function parseKnownOn(
  check: RowValidator,
  index: number,
  eventDateColumn: number,
  parse: FieldParser<string>,
): string | null {
  const known = check.optional(index, parse)
  const happened = known && check.optional(eventDateColumn, identity)
  if (known && happened && known < happened)
    check.addError(index, `${known} is before ${check.columns[eventDateColumn]}`)
  return known
}

function parseItem(check: RowValidator): { kind: 'set' | 'minifig'; number: string } {
  if (check.isBlank(SALE.minifig_number)) return { kind: 'set', number: check.required(SALE.set_number, itemNumber) }
  if (!check.isBlank(SALE.set_number))
    check.addError(SALE.minifig_number, 'and set_number are both present; a sale has only one of them')
  return { kind: 'minifig', number: check.required(SALE.minifig_number, itemNumber) }
}

/** Parses the condition. Single minifigs are never sealed, so a blank means 'used' for them. */
function parseCondition(check: RowValidator, kind: 'set' | 'minifig'): 'sealed' | 'used' {
  if (kind === 'set') return check.required(SALE.condition, condition)
  return check.optional(SALE.condition, condition) ?? 'used'
}

function parsePrice(check: RowValidator): { cents: number; currency: string; rate: string } {
  const price = check.required(SALE.price, decimalAmount)
  const code = check.required(SALE.currency, currency)
  const rate = parseRate(check, code)
  const known = price !== undefined && rate !== undefined
  const cents = known ? toCents(price, rate) : 0
  if (cents instanceof FieldError) check.addError(SALE.price, cents.message)
  return { cents: cents instanceof FieldError ? 0 : cents, currency: code, rate }
}

function parseRate(check: RowValidator, code: string): string {
  if (code !== 'USD') return check.required(SALE.fx_rate, fxRate)
  const rate = check.optional(SALE.fx_rate, fxRate) ?? '1'
  if (rate !== '1' && Number(rate) !== 1) check.addError(SALE.fx_rate, 'must be 1 or blank for USD')
  return '1'
}
