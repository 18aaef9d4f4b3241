import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lintMigration } from './migration-rules.ts'
import { BASELINE_MIGRATION } from '@brickmark/core/db/migration-queries'

/** Lints migrations for statements that would block the running service or break the previous release. */

const MIGRATIONS = fileURLToPath(new URL('../../packages/core/migrations', import.meta.url))

const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).toSorted()
let problems = 0
for (const file of files) {
  // The baseline never runs under load, so it is exempt.
  if (Number.parseInt(file, 10) <= BASELINE_MIGRATION) continue
  for (const { line, text } of lintMigration(await readFile(join(MIGRATIONS, file), 'utf8'))) {
    problems++
    console.error(`packages/core/migrations/${file}:${line}: ${text}`)
  }
}
if (problems > 0) console.error('See "Migrations" in CONTRIBUTING.md for safe alternatives.')
process.exitCode = problems === 0 ? 0 : 1
