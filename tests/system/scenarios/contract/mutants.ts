import type { Mutant } from '../../harness/mutant.ts'

export const contractMutants: Mutant[] = [
  {
    name: 'null-as-zero',
    description: 'serializes an unknown price as 0',
    edits: [
      {
        file: 'packages/core/src/primitives/money.ts',
        find: 'return amount === null ? null : amount / 100',
        replace: 'return (amount ?? 0) / 100',
      },
    ],
  },
  {
    name: 'unknown-parameter',
    description: 'accepts an unknown query parameter',
    edits: [
      {
        file: 'apps/api/request-handler.ts',
        find: `    query: parsePart('Query', endpoint.query, request.query),`,
        replace: `    query: parsePart('Query', endpoint.query.strip(), request.query),`,
      },
      {
        file: 'apps/api/request-handler.ts',
        find: 'if (unknown !== undefined) throw',
        replace: "if (unknown !== undefined && part !== 'Query') throw",
      },
    ],
  },
  {
    name: 'extra-field',
    description: 'serializes a set with an undocumented field',
    edits: [
      {
        file: 'packages/core/src/export/v1-json.ts',
        find: '    barcodes: { upc: set.upc, ean: set.ean },',
        replace: '    barcodes: { upc: set.upc, ean: set.ean },\n    ...{ asin: set.asin },',
      },
    ],
  },
]
