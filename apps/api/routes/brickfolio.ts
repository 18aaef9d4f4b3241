import { z } from 'zod'
import { readAtOnceAs } from '@brickmark/core/db/database'
import { findBrickfolios } from '@brickmark/core/portfolio/collection-queries'
import { findHeldBySet, findMonthlyPeriods } from '@brickmark/core/portfolio/portfolio-queries'
import { totalsOf, valuedLot } from '@brickmark/core/portfolio/portfolio'
import { endpoint } from '../endpoint.ts'
import { BrickfolioShape, MonthlyPeriodShape, presentBrickfolio, presentMonthlyPeriod } from '../schemas/brickfolio.ts'
import { exampleBrickfolio } from '../schemas/examples.ts'
import { NoParameters } from '../schemas/parameters.ts'

/** GET /brickfolio: the caller's collections with their totals, and purchases by month. */
export const brickfolio = endpoint({
  method: 'GET',
  path: '/brickfolio',
  operationId: 'listBrickfolios',
  tag: 'Portfolio',
  summary: 'Your collections',
  description: 'Every collection of the key’s account with cost and value, the default one first.',
  price: 1,
  params: NoParameters,
  query: NoParameters,
  data: z
    .strictObject({
      brickfolios: z.array(BrickfolioShape).meta({ description: 'The default one first, then by id.' }),
      monthly_periods: z.array(MonthlyPeriodShape).meta({ description: 'Ascending by month.' }),
    })
    .meta({ id: 'BrickfoliosData', description: 'Collections, and what is held by month of purchase.' }),
  example: {
    brickfolios: [exampleBrickfolio],
    monthly_periods: [{ month: '2024-01', entry_count: 3, items: 5, cost_basis_usd: 322.5 }],
  },
  async handle({ catalog, db }, { accountId }) {
    const [brickfolios, held, periods] = await readAtOnceAs(db, accountId, (as) =>
      Promise.all([findBrickfolios(as, accountId), findHeldBySet(as, accountId), findMonthlyPeriods(as, accountId)]),
    )
    const valueOf = catalog.valueOf.bind(catalog)
    const rows = Map.groupBy(held, (row) => row.brickfolio_id)
    const lotsOf = (id: number) => (rows.get(id) ?? []).map((row) => valuedLot(row, valueOf))
    return {
      brickfolios: brickfolios.map((one) => presentBrickfolio(one, totalsOf(lotsOf(one.id)))),
      monthly_periods: periods.map(presentMonthlyPeriod),
    }
  },
})
