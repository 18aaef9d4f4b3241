import type { Mutant } from '../../harness/mutant.ts'

const FILE = 'packages/core/src/market/withdrawal/import-undo-commands.ts'

export const importUndoMutants: Mutant[] = [
  {
    name: 'values-stay',
    description: 'doesn’t have values computed again',
    edits: [
      {
        file: 'packages/core/src/source/requeue-commands.ts',
        find: 'if (items.length === 0) return',
        replace: 'if (items.length >= 0) return',
      },
    ],
  },
  {
    name: 'events-stay',
    description: 'deletes sales but still knows their events',
    edits: [
      {
        file: FILE,
        find: 'delete from source.sale_event e using deleted d where',
        replace: 'delete from source.sale_event e using deleted d where false and',
      },
    ],
  },
  {
    name: 'traders-stay',
    description: 'doesn’t correct what is known of traders',
    edits: [{ file: FILE, find: '  await correctTraders(pool, importId)\n', replace: '' }],
  },
  {
    name: 'forgets-where-it-was',
    description: 'takes a batch off the list before the batch is deleted',
    edits: [
      {
        file: FILE,
        find: 'taken as (delete from source.undo_row r using next where r.import_id = $1 and r.id = next.id returning r.*),',
        replace:
          'taken as (delete from source.undo_row r using next where r.import_id = $1 and r.id = next.id and r.id % 2 = 0 returning r.*),\n         lost as (delete from source.undo_row r using next where r.import_id = $1 and r.id = next.id and r.id % 2 = 1),',
      },
    ],
  },
]
