import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { generateApi, generateFields } from './generate-client.ts'
import { errorsTable, replaceSection } from './generate-errors.ts'
import { generatePythonTypes, type EventSchema } from './generate-python.ts'
import { buildExtensionsOpenApi, buildOpenApi } from '@brickmark/api/openapi/openapi'
import { EXTENSIONS_PREFIX } from '@brickmark/api/routes/extensions/prefix'
import { V1_PREFIX } from '@brickmark/api/routes/index'
import { startPostgres } from '../local-postgres/local-postgres.ts'
import { AlertEvent, TestEvent } from '@brickmark/core/webhook/event'
import { migrate } from '@brickmark/core/db/migrate'

/**
 * Writes the generated files that are committed: openapi.json and extensions.openapi.json from the endpoints, the types of the SDKs and the
 * table of the errors page from openapi.json, the versions of downloads in the docs, and the Kysely types and schema.sql
 * from a freshly migrated database. With --check, writes nothing and fails if a file is out of date.
 */

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../..', import.meta.url))
const DEBIAN_BIN = '/usr/lib/postgresql/15/bin'

const check = process.argv.includes('--check')
let stale = 0

const openapi = withHost(buildOpenApi(), V1_PREFIX)
const extensions = withHost(buildExtensionsOpenApi(), EXTENSIONS_PREFIX)
await writeOrCheck('apps/api/openapi.json', `${JSON.stringify(openapi, null, 2)}\n`)
await writeOrCheck('apps/api/extensions.openapi.json', `${JSON.stringify(extensions, null, 2)}\n`)
const { version } = JSON.parse(await readFile(join(repository, 'packages/client/package.json'), 'utf8')) as {
  version: string
}
const everything = mergeDocuments(openapi, extensions)
await writeOrCheck('packages/client/src/api.generated.ts', await generateApi(everything, version))
await writeOrCheck('packages/client/src/cli/fields.generated.ts', generateFields(everything))
await writeOrCheck(
  'packages/client-python/src/brickmark/_types.py',
  generatePythonTypes(everything, webhookEvents(), version),
)
const errorsPage = 'apps/docs/src/content/docs/errors.md'
const errorsMarkdown = await readFile(join(repository, errorsPage), 'utf8')
await writeOrCheck(errorsPage, replaceSection(errorsMarkdown, 'errors', errorsTable(openapi)))

// Pages name the files that people download with their version.
const pages = 'apps/docs/src/content/docs'
for (const name of (await readdir(join(repository, pages))).filter((file) => /\.mdx?$/.test(file))) {
  const text = await readFile(join(repository, pages, name), 'utf8')
  const current = text.replaceAll(
    /(\/brickmark-|\[brickmark-)\d+\.\d+\.\d+(\.tgz|-py3-none-any\.whl)/g,
    `$1${version}$2`,
  )
  if (current !== text || /\/downloads\/brickmark-/.test(text)) await writeOrCheck(`${pages}/${name}`, current)
}

await withMigratedDatabase(undefined, async (url) => {
  const args = [
    '--url',
    url,
    '--dialect',
    'postgres',
    '--date-parser',
    'string',
    '--log-level',
    'silent',
    '--type-mapping',
    '{"int8":"number"}',
    '--print',
  ]
  const { stdout } = await run('kysely-codegen', [...args, '--exclude-pattern', '{public,pgboss}.*'])
  await writeOrCheck('packages/core/src/db/schema.generated.ts', stdout)
})

// Dumped with PostgreSQL 15, the oldest supported version; the PostgreSQL package from npm has no pg_dump.
if (existsSync(DEBIAN_BIN)) {
  await withMigratedDatabase(DEBIAN_BIN, async (url) => {
    // Which dated partitions exist depends on the day of the dump.
    const excluded = ['-T', '*.*_20[0-9][0-9][0-9][0-9][0-9][0-9]', '-T', 'pgboss.*']
    const { stdout } = await run(join(DEBIAN_BIN, 'pg_dump'), ['--schema-only', '--no-owner', ...excluded, url])
    await writeOrCheck('packages/core/schema.sql', stripVersionLines(stdout))
  })
} else {
  console.log('schema.sql: skipped, Debian package postgresql-15 is not installed')
}
process.exitCode = stale === 0 ? 0 : 1

type Operation = { responses: Record<string, { content?: object } | undefined> }
type OpenApi = { paths?: Record<string, { get?: Operation }>; components?: { schemas?: object } }

/** Returns v1 with the endpoints of the extensions that return JSON, whose paths start with /api/, for the SDKs. */
function mergeDocuments(openapi: OpenApi, { paths = {}, components }: OpenApi): OpenApi {
  const added = Object.entries(paths)
    .filter(([, methods]) => 'application/json' in (methods.get?.responses['200']?.content ?? {}))
    .map(([path, methods]) => [EXTENSIONS_PREFIX + path, methods] as const)
  return {
    ...openapi,
    paths: { ...openapi.paths, ...Object.fromEntries(added) },
    components: { ...openapi.components, schemas: { ...components?.schemas, ...openapi.components?.schemas } },
  }
}

function withHost(openapi: OpenApi, prefix: string) {
  const variables = { host: { default: 'api.brickmark.example', description: 'Host of the service.' } }
  return { ...openapi, servers: [{ url: `https://{host}${prefix}`, variables }] }
}

function webhookEvents(): Record<string, EventSchema> {
  const schemaOf = (event: z.ZodType, description: string) => ({ ...z.toJSONSchema(event), description }) as EventSchema
  return {
    AlertEvent: schemaOf(AlertEvent, 'An alert.'),
    TestEvent: schemaOf(TestEvent, 'What **Send test event** sends.'),
  }
}

async function withMigratedDatabase(bin: string | undefined, work: (url: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'brickmark-generate-'))
  const server = await startPostgres(directory, bin === undefined ? {} : { binDir: bin })
  try {
    await migrate(server.url)
    await work(server.url)
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function writeOrCheck(file: string, expected: string): Promise<void> {
  const path = join(repository, file)
  const present = existsSync(path) ? await readFile(path, 'utf8') : ''
  if (present === expected) return console.log(`${file}: up to date`)
  if (check) {
    stale++
    return console.error(`${file}: out of date; run \`npm run generate\` and commit it`)
  }
  await writeFile(path, expected)
  console.log(`${file}: written`)
}

/** Removes version lines and settings, which differ between machines with the same schema. */
function stripVersionLines(dump: string): string {
  return dump
    .split('\n')
    .filter((line) => !/^(--|SET |SELECT pg_catalog\.set_config|\\(un)?restrict )/.test(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimStart()
}
