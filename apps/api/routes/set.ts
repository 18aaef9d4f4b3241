import { itemNotFound } from '../errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { exampleSet } from '../schemas/examples.ts'
import { EmptyParams, SetNumberParams } from '../schemas/parameters.ts'
import { SetSchema, setJson } from '../schemas/set.ts'
import { PreserializedJson } from '../schemas/preserialized-json.ts'

/** GET /set/{number} */
export const set = defineEndpoint({
  method: 'GET',
  path: '/set/{number}',
  operationId: 'getSet',
  tag: 'Catalog',
  summary: 'Get a set',
  description: 'Returns set details, estimated sealed and used values, and current retailer prices.',
  cost: 1,
  params: SetNumberParams,
  query: EmptyParams,
  data: SetSchema,
  canReturn404: true,
  example: exampleSet,
  handle({ catalog }, { params, now }) {
    return new PreserializedJson(setJson(catalog.set(params.number) ?? itemNotFound('set', params.number), now))
  },
})
