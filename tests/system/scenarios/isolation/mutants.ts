import type { Mutant, SourceEdit } from '../../harness/mutant.ts'

const READS = 'packages/core/migrations/0053-owned-items.sql'

const NO_FILTER_EDIT: SourceEdit = {
  file: READS,
  find: `where account_id = for_account and set_number is not null
             and collection_id between first_collection and last_collection and quantity > 0
           order by`,
  replace: `where set_number is not null
             and collection_id between first_collection and last_collection and quantity > 0
           order by`,
}

/** Lots are read for another account. */
function setAccount(expression: string): SourceEdit {
  return {
    file: READS,
    find: `for_account::text, true);\n  is_found`,
    replace: `${expression}, true);\n  is_found`,
  }
}

export const isolationMutants: Mutant[] = [
  {
    name: 'no-where',
    description: 'reads lots without the account filter; row-level security alone must prevent leaks',
    expectedToSurvive: true,
    edits: [NO_FILTER_EDIT],
  },
  {
    name: 'no-rls-setting',
    description: 'doesn’t pass the account to row-level security',
    edits: [setAccount('(for_account * 0)::text')],
  },
  {
    name: 'no-defense',
    description:
      'drops the account filter and sets the wrong account: every second account is mistaken for its neighbor',
    edits: [NO_FILTER_EDIT, setAccount('(for_account - for_account % 2)::text')],
  },
  {
    name: 'shelf-of-account',
    description: 'a shared page lists the lots of all collections of its account',
    edits: [
      {
        file: 'packages/core/src/portfolio/shelf-queries.ts',
        find: ' on lot.account_id = shelf.account_id and lot.collection_id = shelf.collection_id\n         where',
        replace: ' on lot.account_id = shelf.account_id\n         where',
      },
    ],
  },
  {
    name: 'leaky-presenter',
    description: 'serializes a minifig with every field of its record',
    edits: [
      {
        file: 'packages/core/src/export/v1-json.ts',
        find: '  return {\n    minifig_number: minifig.minifig_number,\n',
        replace: '  return {\n    ...minifig,\n    minifig_number: minifig.minifig_number,\n',
      },
    ],
  },
  {
    name: 'foreign-403',
    description: 'responds with 403 for another account’s collection, but with 404 for an unused id',
    edits: [
      {
        file: 'apps/api/routes/brickfolio-entries.ts',
        find: `import { notFound } from '../errors.ts'`,
        replace: `import { ApiError, notFound } from '../errors.ts'`,
      },
      {
        file: 'apps/api/routes/brickfolio-entries.ts',
        find: '    if (!page) notFound(',
        replace: `    if (!page && collectionId! < 600_000) throw new ApiError('TierRequired', 'This collection is not yours.')\n    if (!page) notFound(`,
      },
    ],
  },
]
