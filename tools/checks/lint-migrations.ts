import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lintMigration } from './migration-rules.ts'

/** Lints migrations for statements that would block the running service or break the previous release. */

const MIGRATIONS = fileURLToPath(new URL('../../packages/core/migrations', import.meta.url))

/** The initial schema, up to this migration, never ran under load and is exempt. */
const BASELINE_MIGRATION = 12

const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).toSorted()
let problems = 0
for (const file of files) {
  if (Number.parseInt(file, 10) <= BASELINE_MIGRATION) continue
  for (const { line, text } of lintMigration(await readFile(join(MIGRATIONS, file), 'utf8'))) {
    problems++
    console.error(`packages/core/migrations/${file}:${line}: ${text}`)
  }
}
if (problems > 0) console.error('See "Migrations" in CONTRIBUTING.md for safe alternatives.')
process.exitCode = problems === 0 ? 0 : 1
