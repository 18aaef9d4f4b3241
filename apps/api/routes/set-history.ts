import { z } from 'zod'
import { noSuch } from '../errors.ts'
import { endpoint } from '../endpoint.ts'
import { exampleHistoryPoint } from '../schemas/examples.ts'
import { word } from '../schemas/fields.ts'
import { SetNumberPath } from '../schemas/parameters.ts'
import { ConditionParameter, HistoryPointShape, presentMonth } from '../schemas/set-history.ts'

/** GET /set/{number}/history: finalized months only; the month in progress is never shown. */
export const setHistory = endpoint({
  method: 'GET',
  path: '/set/{number}/history',
  operationId: 'getSetHistory',
  tag: 'Catalog',
  summary: 'Monthly values of a set',
  description: 'Finalized months, ascending. A month is final on the 8th of the next one and never changes again.',
  price: 1,
  params: SetNumberPath,
  query: z.strictObject({ condition: ConditionParameter }),
  data: z
    .strictObject({
      set_number: word('Canonical set number.', '90001-1'),
      condition: z.enum(['sealed', 'used']).meta({ description: 'The condition asked for.', example: 'sealed' }),
      history: z.array(HistoryPointShape).meta({ description: 'Ascending by month.' }),
    })
    .meta({ id: 'SetHistory', description: 'The finalized months of a set.' }),
  mayBeMissing: true,
  example: { set_number: '90001-1', condition: 'sealed', history: [exampleHistoryPoint] },
  handle({ catalog }, { params, query }) {
    const set = catalog.set(params.number) ?? noSuch('set', params.number)
    return {
      set_number: set.set_number,
      condition: query.condition,
      history: set.months[query.condition].months().map(presentMonth),
    }
  },
})
