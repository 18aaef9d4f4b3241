import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createMutantCopy } from '../../harness/mutant-copy.ts'
import type { Mutant } from '../../harness/mutant.ts'

const MIGRATIONS = 'packages/core/migrations'

/** Adds columns to tables in use, as most migrations do, so both statements have to wait for their locks. */
const EXAMPLE_MUTANT: Mutant = {
  name: 'example-migration',
  description: 'a migration that the upgrade must survive',
  edits: [
    {
      file: `${MIGRATIONS}/9999-example.sql`,
      add: 'alter table account.api_key_quota add column example integer;\nalter table portfolio.lot add column example integer;\n',
    },
  ],
}

/**
 * Returns the current version, or a copy of it with an example migration if the previous version has all of its
 * migrations: after a new baseline or a release, an upgrade would otherwise migrate nothing.
 */
export async function addPendingMigration(
  root: string,
  previousRoot: string,
): Promise<{ root: string; remove(): Promise<void> }> {
  const known = new Set(await readdir(join(previousRoot, MIGRATIONS)))
  const pending = (await readdir(join(root, MIGRATIONS))).filter((file) => !known.has(file))
  return pending.length > 0 ? { root, remove: async () => {} } : createMutantCopy(EXAMPLE_MUTANT)
}
