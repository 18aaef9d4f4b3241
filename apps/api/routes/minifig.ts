import { z } from 'zod'
import { itemNotFound } from '../errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { exampleMinifig } from '../schemas/examples.ts'
import { MinifigSchema, serializeMinifig } from '../schemas/minifig.ts'
import { MinifigNumber, EmptyParams } from '../schemas/parameters.ts'

/** GET /minifig/{number} */
export const minifig = defineEndpoint({
  method: 'GET',
  path: '/minifig/{number}',
  operationId: 'getMinifig',
  tag: 'Catalog',
  summary: 'Get a minifig',
  description: 'Returns minifig details, its estimated value and the sets it appears in.',
  cost: 1,
  params: z.strictObject({ number: MinifigNumber }),
  query: EmptyParams,
  data: MinifigSchema,
  canReturn404: true,
  example: exampleMinifig,
  handle({ catalog }, { params }) {
    return serializeMinifig(catalog.minifig(params.number) ?? itemNotFound('minifig', params.number), catalog)
  },
})
