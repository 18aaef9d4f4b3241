import { z } from 'zod'
import { noSuch } from '../errors.ts'
import { endpoint } from '../endpoint.ts'
import { exampleMinifig } from '../schemas/examples.ts'
import { MinifigShape, presentMinifig } from '../schemas/minifig.ts'
import { MinifigNumber, NoParameters } from '../schemas/parameters.ts'

/** GET /minifig/{number} */
export const minifig = endpoint({
  method: 'GET',
  path: '/minifig/{number}',
  operationId: 'getMinifig',
  tag: 'Catalog',
  summary: 'A minifig with its value',
  description: 'Catalog facts, the computed value and the sets in which it appears.',
  price: 1,
  params: z.strictObject({ number: MinifigNumber }),
  query: NoParameters,
  data: MinifigShape,
  mayBeMissing: true,
  example: exampleMinifig,
  handle({ catalog }, { params }) {
    return presentMinifig(catalog.minifig(params.number) ?? noSuch('minifig', params.number), catalog)
  },
})
