import type { RowCheck } from './row-validator.ts'
import { FEED_COLUMNS, placesOf } from './feed-columns.ts'
import { amount, fxRate, usdOf } from './feed-money.ts'
import { currency, day, dayAfter, Fault, id, itemNumber, oneOf, type Reading, whole } from './field-parsers.ts'
import type { ReturnRow, SaleRow } from './feed-rows.ts'

const SALE = placesOf(FEED_COLUMNS.sales)
const RETURN = placesOf(FEED_COLUMNS.returns)
const FIRST_DAY = '1990-01-01'

const condition = oneOf(['sealed', 'used'])
const kind = oneOf(['single', 'lot', 'parts_only', 'unknown_offer'])
const quantity = whole(1, 10_000)
const anyText = (text: string): string => text

/** Reads sale rows as of an instant. The value of a row counts only when the check has no reason against it. */
export function saleReader(now: Date): (check: RowCheck) => SaleRow {
  const soldOn = day(FIRST_DAY, dayAfter(now, 1))
  return (check) => {
    const item = readItem(check)
    const price = readPrice(check)
    const offer = check.optional(SALE.kind, kind) ?? 'single'
    return {
      source_id: check.required(SALE.source, id),
      licence_id: check.required(SALE.licence, id),
      event_id: check.required(SALE.event_id, id),
      item_kind: item.kind,
      item_number: item.number,
      condition: readCondition(check, item.kind),
      sold_on: check.required(SALE.sold_on, soldOn),
      unit_price_usd: price.usd,
      currency: price.currency,
      fx_rate: price.rate,
      quantity: check.optional(SALE.quantity, quantity) ?? 1,
      seller_ref: check.optional(SALE.seller, id),
      buyer_ref: check.optional(SALE.buyer, id),
      excluded: offer === 'single' ? null : offer,
      known_on: readKnownOn(check, SALE.known_on, SALE.sold_on, soldOn),
    }
  }
}

/** Reads return rows as of an instant. */
export function returnReader(now: Date): (check: RowCheck) => ReturnRow {
  const returnedOn = day(FIRST_DAY, dayAfter(now, 1))
  return (check) => ({
    source_id: check.required(RETURN.source, id),
    licence_id: check.required(RETURN.licence, id),
    event_id: check.required(RETURN.event_id, id),
    returned_on: check.required(RETURN.returned_on, returnedOn),
    known_on: readKnownOn(check, RETURN.known_on, RETURN.returned_on, returnedOn),
  })
}

/** Nothing is known before it happened: such a row has its days mixed up. */
function readKnownOn(check: RowCheck, place: number, happenedAt: number, read: Reading<string>): string | null {
  const known = check.optional(place, read)
  const happened = known && check.optional(happenedAt, anyText)
  if (known && happened && known < happened) check.fault(place, `${known} is before ${check.columns[happenedAt]}`)
  return known
}

function readItem(check: RowCheck): { kind: 'set' | 'minifig'; number: string } {
  if (check.isBlank(SALE.minifig_number)) return { kind: 'set', number: check.required(SALE.set_number, itemNumber) }
  if (!check.isBlank(SALE.set_number)) check.fault(SALE.minifig_number, 'and set_number are both given: a sale has one')
  return { kind: 'minifig', number: check.required(SALE.minifig_number, itemNumber) }
}

/** Nobody seals a single minifig, so for one a blank condition is no missing knowledge. */
function readCondition(check: RowCheck, kind: 'set' | 'minifig'): 'sealed' | 'used' {
  if (kind === 'set') return check.required(SALE.condition, condition)
  return check.optional(SALE.condition, condition) ?? 'used'
}

function readPrice(check: RowCheck): { usd: string; currency: string; rate: string } {
  const price = check.required(SALE.price, amount)
  const code = check.required(SALE.currency, currency)
  const rate = readRate(check, code)
  const known = price !== undefined && rate !== undefined
  const usd = known ? usdOf(price, rate) : ''
  if (usd instanceof Fault) check.fault(SALE.price, usd.sentence)
  return { usd: usd instanceof Fault ? '' : usd, currency: code, rate }
}

function readRate(check: RowCheck, code: string): string {
  if (code !== 'USD') return check.required(SALE.fx_rate, fxRate)
  const rate = check.optional(SALE.fx_rate, fxRate) ?? '1'
  if (rate !== '1' && Number(rate) !== 1) check.fault(SALE.fx_rate, 'must be 1 or blank for USD')
  return '1'
}
