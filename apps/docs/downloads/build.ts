import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildPostmanCollection } from './postman.ts'
import { buildWheel } from './wheel.ts'

/** Writes what the docs offer for download to dist/downloads: both SDKs, and the files for Sheets, Excel and Postman. */
const CLIENT = new URL('../../../packages/client/', import.meta.url)
const TARGET = new URL('../dist/downloads/', import.meta.url)

mkdirSync(TARGET, { recursive: true })
if (!existsSync(new URL('dist', CLIENT))) npm('run', '--silent', 'build')
npm('pack', '--silent', '--ignore-scripts', '--pack-destination', fileURLToPath(TARGET))
const wheel = buildWheel()
writeFileSync(new URL(wheel.name, TARGET), wheel.bytes)
writeFileSync(
  new URL('brickmark.postman_collection.json', TARGET),
  `${JSON.stringify(buildPostmanCollection(), null, 2)}\n`,
)
for (const file of ['sheets/brickmark.gs', 'excel/holdings.pq', 'excel/values.pq']) {
  copyFileSync(new URL(file, CLIENT), new URL(file.split('/')[1]!, TARGET))
}

function npm(...args: string[]): void {
  execFileSync('npm', args, { cwd: CLIENT, stdio: ['ignore', 'ignore', 'inherit'] })
}
