import type { Mutant } from '../mutant.ts'

export const isolationMutants: Mutant[] = [
  {
    name: 'no-where',
    description: 'holdings are read without the account filter; row-level security alone must hold',
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
    description: 'the account is not named to row-level security',
    edits: [
      { file: 'packages/core/src/db/database.ts', find: '${String(accountId)}', replace: '${String(accountId * 0)}' },
    ],
  },
  {
    name: 'no-defence',
    description: 'neither the filter nor the setting names the caller: every second account is taken for its neighbour',
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
    description: 'a minifig is shown with everything its record holds',
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
    description: 'the collection of somebody else is answered with 403, one that nobody has with 404',
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
