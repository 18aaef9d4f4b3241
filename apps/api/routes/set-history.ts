import { z } from 'zod'
import { serializeMonth } from '@brickmark/core/export/v1-json'
import { itemNotFound } from '../errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { exampleHistoryPoint } from '../schemas/examples.ts'
import { stringField } from '../schemas/fields.ts'
import { SetNumberParams } from '../schemas/parameters.ts'
import { ConditionParam, HistoryPointSchema } from '../schemas/set-history.ts'

/** GET /set/{number}/history: finalized months only; the current month is never included. */
export const setHistory = defineEndpoint({
  method: 'GET',
  path: '/set/{number}/history',
  operationId: 'getSetHistory',
  tag: 'Catalog',
  summary: 'Get set value history',
  description:
    'Returns finalized monthly values, oldest first. A month is finalized on the 8th of the following month, and changes only if a source withdraws its data.',
  cost: 1,
  params: SetNumberParams,
  query: z.strictObject({ condition: ConditionParam }),
  data: z
    .strictObject({
      set_number: stringField('Canonical set number.', '90001-1'),
      condition: z.enum(['sealed', 'used']).meta({ description: 'Requested condition.', example: 'sealed' }),
      history: z.array(HistoryPointSchema).meta({ description: 'Oldest month first.' }),
    })
    .meta({ id: 'SetHistory', description: 'Finalized monthly values of a set.' }),
  canReturn404: true,
  example: { set_number: '90001-1', condition: 'sealed', history: [exampleHistoryPoint] },
  handle({ catalog }, { params, query }) {
    const set = catalog.set(params.number) ?? itemNotFound('set', params.number)
    return {
      set_number: set.set_number,
      condition: query.condition,
      history: set.months[query.condition].months().map(serializeMonth),
    }
  },
})
