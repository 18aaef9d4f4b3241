import { noSuch } from '../../errors.ts'
import { endpoint } from '../endpoint.ts'
import { exampleSet } from '../shapes/examples.ts'
import { NoParameters, SetNumberPath } from '../shapes/parameters.ts'
import { presentSet, SetShape } from '../shapes/set.ts'

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
    return presentSet(catalog.set(params.number) ?? noSuch('set', params.number), now)
  },
})
