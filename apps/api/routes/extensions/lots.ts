import { z } from 'zod'
import { readAs } from '@brickmark/core/db/database'
import { findLotPage } from '@brickmark/core/portfolio/lot-queries'
import { valueLot } from '@brickmark/core/portfolio/portfolio'
import { usdOrNull } from '@brickmark/core/primitives/money'
import { notFound } from '../../errors.ts'
import { defineEndpoint } from '../../endpoint.ts'
import {
  enumField,
  integerField,
  nullableDateField,
  nullableNumberField,
  nullableStringField,
  openEnumField,
  stringField,
} from '../../schemas/fields.ts'
import { PaginationSchema, serializePagination } from '../../schemas/pagination.ts'
import { EmptyParams, integerParam, paginationParams, SetNumber } from '../../schemas/parameters.ts'

const LotSchema = z
  .strictObject({
    id: integerField('Lot ID. Stays the same when the lot is edited or moved.', 5120),
    collection_id: integerField('Collection ID.', 7),
    collection: stringField('Name of the collection.', 'Main shelf'),
    set_number: stringField('Set number.', '90001-1'),
    title: stringField('Title of the set.', 'Tidewater Lighthouse'),
    quantity: integerField('Number of units.', 2),
    condition: enumField(['sealed', 'used'], 'Condition of the units.', 'sealed'),
    status: openEnumField(['owned', 'listed'], '`listed` if it is for sale.', 'owned'),
    purchase_price_usd: nullableNumberField('Purchase price per unit; 0 for gifts, null if unknown.', 64.5),
    purchase_date: nullableDateField('Purchase date; null if unknown.', '2024-01-14'),
    notes: nullableStringField('Your notes.', 'Box slightly dented'),
    value_usd: nullableNumberField('Estimated value per unit; null if unavailable.', 112.4),
    total_value_usd: nullableNumberField('Estimated value of all units.', 224.8),
    gain_usd: nullableNumberField('Value minus cost; null if either is unknown.', 95.8),
    gain_pct: nullableNumberField('Gain as a percentage of cost; 0 for gifts.', 74.26),
  })
  .meta({ id: 'Lot', description: 'Units of one set bought together. All fields are always present.' })

/** GET /lots: lots with their ids and notes, and filters that `GET /brickfolio/entries` of v1 doesn't have. */
export const lots = defineEndpoint({
  method: 'GET',
  path: '/lots',
  operationId: 'listLots',
  tag: 'Portfolio',
  readsAccountData: true,
  summary: 'List lots with IDs',
  description: 'Lists your lots with ID, notes and current value, in the order they were added.',
  cost: 1,
  params: EmptyParams,
  query: z.strictObject({
    collection_id: integerParam({
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Limit to one collection.',
      example: 7,
    }).optional(),
    set_number: SetNumber.optional(),
    condition: z
      .enum(['sealed', 'used'])
      .meta({ description: 'Limit to one condition.', example: 'sealed' })
      .optional(),
    status: z.enum(['owned', 'listed']).meta({ description: 'Limit to one status.', example: 'listed' }).optional(),
    ...paginationParams,
  }),
  data: z
    .strictObject({
      lots: z.array(LotSchema).meta({ description: 'In the order they were added.' }),
      pagination: PaginationSchema,
    })
    .meta({ id: 'LotsData', description: 'A page of lots.' }),
  canReturn404: true,
  example: {
    lots: [
      {
        id: 5120,
        collection_id: 7,
        collection: 'Main shelf',
        set_number: '90001-1',
        title: 'Tidewater Lighthouse',
        quantity: 2,
        condition: 'sealed',
        status: 'owned',
        purchase_price_usd: 64.5,
        purchase_date: '2024-01-14',
        notes: 'Box slightly dented',
        value_usd: 112.4,
        total_value_usd: 224.8,
        gain_usd: 95.8,
        gain_pct: 74.26,
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false },
  },
  async handle({ catalog, db }, { query, accountId }) {
    const { collection_id: collectionId, set_number: number, ...rest } = query
    const setNumber = number && catalog.canonicalNumber(number)
    const page = await readAs(db, accountId, (transaction) =>
      findLotPage(transaction, accountId, { ...rest, collectionId, setNumber }),
    )
    if (!page) notFound(`Collection ${collectionId} not found. Use \`GET /brickfolio\` to list your collections.`)
    return {
      lots: page.lots.map((lot) => {
        const { quantity, condition, purchase_price_cents: unitCost } = lot
        const unitValue = catalog.valueOf(lot.set_number, condition)
        const { value, gain, gainPct } = valueLot({ quantity, unitCost, unitValue })
        return {
          id: lot.id,
          collection_id: lot.collection_id,
          collection: lot.collection,
          set_number: lot.set_number,
          title: catalog.titleOf(lot.set_number),
          quantity,
          condition,
          status: lot.status,
          purchase_price_usd: usdOrNull(unitCost),
          purchase_date: lot.purchase_date,
          notes: lot.notes,
          value_usd: usdOrNull(unitValue),
          total_value_usd: usdOrNull(value),
          gain_usd: usdOrNull(gain),
          gain_pct: gainPct,
        }
      }),
      pagination: serializePagination(page.total, query),
    }
  },
})
