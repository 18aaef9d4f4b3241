import { readFile } from 'node:fs/promises'
import { findBreakingChanges } from './openapi-compatibility.ts'

/**
 * Compares openapi.json with that of the last release, which `release:version` writes, and exits with 1 if a client of the
 * release would notice.
 */
const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../apps/api/${name}`, import.meta.url), 'utf8')) as Parameters<
    typeof findBreakingChanges
  >[0]
const changes = findBreakingChanges(await read('openapi.released.json'), await read('openapi.json'))
for (const change of changes) process.stderr.write(`breaking: ${change}\n`)
process.stdout.write(`openapi.json: ${changes.length} breaking changes since the last release\n`)
if (changes.length > 0) process.exitCode = 1
