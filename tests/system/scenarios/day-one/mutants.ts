import type { Mutant } from '../../harness/mutant.ts'

export const dayOneMutants: Mutant[] = [
  {
    name: 'waits-for-monday',
    description: 'reads a catalog at its next scheduled time only',
    edits: [
      {
        file: 'apps/worker/worker.ts',
        find: '(reads !== undefined && !(await wasRead(pool, reads)))',
        replace: 'reads === name',
      },
    ],
  },
  {
    name: 'available-by-default',
    description: 'calls a set available whose dates no source knows',
    edits: [
      {
        file: 'packages/core/src/catalog/set-status.ts',
        find: 'return release_date === null ? SET_STATUS.unknown : SET_STATUS.available',
        replace: 'return release_date === null ? SET_STATUS.available : SET_STATUS.available',
      },
    ],
  },
  {
    name: 'earlier-boxes-count',
    description: 'keeps the first inventory of a set instead of the latest',
    edits: [
      {
        file: 'packages/core/src/source/connectors/rebrickable.ts',
        find: 'if (other === undefined || version > other.version)',
        replace: 'if (other === undefined || version < other.version)',
      },
    ],
  },
  {
    name: 'invisible-characters',
    description: 'rejects names with characters that nobody sees',
    edits: [
      {
        file: 'packages/core/src/source/connectors/rebrickable.ts',
        find: 'title: withoutInvisible(values.name),',
        replace: 'title: values.name,',
      },
    ],
  },
  {
    name: 'no-search',
    description: 'doesn’t look for products once there are barcodes',
    edits: [
      {
        file: 'apps/worker/worker.ts',
        find: 'const searches = connectors.map(searchJobName)',
        replace: 'const searches = connectors.map(searchJobName).slice(connectors.length)',
      },
    ],
  },
]
