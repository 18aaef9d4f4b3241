import { z } from 'zod'
import { groupByPurchaseMonth } from '@brickmark/core/portfolio/held-lot'
import { findCollectionsWithLots } from '@brickmark/core/portfolio/held-lot-queries'
import { toValuedLot } from '@brickmark/core/portfolio/portfolio'
import { sumTotals } from '@brickmark/core/portfolio/portfolio-totals'
import { defineEndpoint } from '../endpoint.ts'
import {
  BrickfolioSchema,
  MonthlyPeriodSchema,
  serializeBrickfolio,
  serializeMonthlyPeriod,
} from '../schemas/brickfolio.ts'
import { exampleBrickfolio } from '../schemas/examples.ts'
import { EmptyParams } from '../schemas/parameters.ts'

/** GET /brickfolio: the caller's collections with their totals, and purchases by month. */
export const brickfolio = defineEndpoint({
  method: 'GET',
  path: '/brickfolio',
  operationId: 'listBrickfolios',
  tag: 'Portfolio',
  readsAccountData: true,
  summary: 'List collections',
  description: 'Lists your collections with cost basis and value, default collection first.',
  cost: 1,
  params: EmptyParams,
  query: EmptyParams,
  data: z
    .strictObject({
      brickfolios: z.array(BrickfolioSchema).meta({ description: 'Default collection first, then by ID.' }),
      monthly_periods: z.array(MonthlyPeriodSchema).meta({ description: 'Oldest month first.' }),
    })
    .meta({ id: 'BrickfoliosData', description: 'Collections, and current lots grouped by purchase month.' }),
  example: {
    brickfolios: [exampleBrickfolio],
    monthly_periods: [{ month: '2024-01', entry_count: 3, items: 5, cost_basis_usd: 322.5 }],
  },
  async handle({ catalog, db }, { accountId }) {
    const { collections, lots } = await findCollectionsWithLots(db, accountId)
    const valueOf = catalog.valueOf.bind(catalog)
    const lotsOf = Map.groupBy(lots, (lot) => lot.collectionId)
    return {
      brickfolios: collections.map((collection) => {
        const held = (lotsOf.get(collection.id) ?? []).map((lot) => toValuedLot(lot, valueOf))
        return serializeBrickfolio(collection, sumTotals(held))
      }),
      monthly_periods: groupByPurchaseMonth(lots).map(serializeMonthlyPeriod),
    }
  },
})
