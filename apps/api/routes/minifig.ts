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
  summary: 'A minifig with its value',
  description: 'Catalog facts, the computed value and the sets in which it appears.',
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
