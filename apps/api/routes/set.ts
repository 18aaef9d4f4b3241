import { noSuch } from '../errors.ts'
import { endpoint } from '../endpoint.ts'
import { exampleSet } from '../schemas/examples.ts'
import { NoParameters, SetNumberPath } from '../schemas/parameters.ts'
import { SetShape, writeSet } from '../schemas/set.ts'
import { Written } from '../schemas/preserialized-json.ts'

/** GET /set/{number} */
export const set = endpoint({
  method: 'GET',
  path: '/set/{number}',
  operationId: 'getSet',
  tag: 'Catalog',
  summary: 'A set with its values',
  description: 'Catalog facts, computed values of sealed and used copies, and what the retailers ask now.',
  price: 1,
  params: SetNumberPath,
  query: NoParameters,
  data: SetShape,
  mayBeMissing: true,
  example: exampleSet,
  handle({ catalog }, { params, now }) {
    return new Written(writeSet(catalog.set(params.number) ?? noSuch('set', params.number), now))
  },
})
