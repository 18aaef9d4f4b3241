import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lintMigration } from './migration-rules.ts'

/** Says what in a migration would stop the service that runs meanwhile, or break the release before it. */

const MIGRATIONS = fileURLToPath(new URL('../../packages/core/migrations', import.meta.url))

/** The schema as it was first published: it never ran under load. */
const BASELINE_MIGRATION = 16

const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).toSorted()
let problems = 0
for (const file of files) {
  if (Number.parseInt(file, 10) <= BASELINE_MIGRATION) continue
  for (const { line, text } of lintMigration(await readFile(join(MIGRATIONS, file), 'utf8'))) {
    problems++
    console.error(`packages/core/migrations/${file}:${line}: ${text}`)
  }
}
if (problems > 0) console.error('How to do it instead: CONTRIBUTING.md, "Migrations".')
process.exitCode = problems === 0 ? 0 : 1
