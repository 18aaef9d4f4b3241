import type { Mutant } from '../mutant.ts'

export const isolationMutants: Mutant[] = [
  {
    name: 'no-where',
    description: 'reads lots without the account filter; row-level security alone must prevent leaks',
    expectedToSurvive: true,
    edits: [
      {
        file: 'packages/core/src/portfolio/lot-queries.ts',
        find: `    .where('account_id', '=', accountId)\n    // Not as a parameter`,
        replace: `    // Not as a parameter`,
      },
    ],
  },
  {
    name: 'no-rls-setting',
    description: 'doesn’t pass the account to row-level security',
    edits: [
      { file: 'packages/core/src/db/database.ts', find: '${String(accountId)}', replace: '${String(accountId * 0)}' },
    ],
  },
  {
    name: 'no-defence',
    description:
      'drops the account filter and sets the wrong account: every second account is mistaken for its neighbor',
    edits: [
      {
        file: 'packages/core/src/portfolio/lot-queries.ts',
        find: `    .where('account_id', '=', accountId)\n    // Not as a parameter`,
        replace: `    // Not as a parameter`,
      },
      {
        file: 'packages/core/src/db/database.ts',
        find: '${String(accountId)}',
        replace: '${String(accountId % 2 === 0 ? accountId : accountId - 1)}',
      },
    ],
  },
  {
    name: 'leaky-presenter',
    description: 'serializes a minifig with every field of its record',
    edits: [
      {
        file: 'apps/api/schemas/minifig.ts',
        find: '  const sets = catalog.setNumbersWithMinifig(minifig.minifig_number)\n  return {\n',
        replace: '  const sets = catalog.setNumbersWithMinifig(minifig.minifig_number)\n  return {\n    ...minifig,\n',
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
        find: '    if (!owned) notFound(',
        replace: `    if (!owned && brickfolioId! < 600_000) throw new ApiError('TierRequired', 'This collection is not yours.')\n    if (!owned) notFound(`,
      },
    ],
  },
]
