import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { scenarios } from './system/scenarios/index.ts'
import { REPOSITORY } from './support/paths.ts'

/** Whatever the documentation names exists: files, commands, variables, tables, columns and identifiers. */

const tracked = execFileSync('git', ['ls-files'], { cwd: REPOSITORY, encoding: 'utf8' }).trim().split('\n')
const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8')

// Changelogs and the changes they are made of tell what was, and pages of the site that are generated aren't committed.
const documents = tracked.filter((file) => /\.mdx?$/.test(file) && !/CHANGELOG|^\.changeset\//.test(file))
const sources = tracked.filter((file) =>
  /\.([cm]?[jt]sx?|sql|ya?ml|json|sh|py|toml|css|astro|example|conf|gs|pq)$|Dockerfile|\.ci\/run/.test(file),
)
const sourceText = sources
  .filter((file) => file !== 'package-lock.json')
  .map(read)
  .join('\n')
const words = new Set(sourceText.match(/[A-Za-z_][A-Za-z0-9_]*/g))
/** Names of PostgreSQL, Patroni and Node that only documentation mentions. */
const FOREIGN = new Set([
  'parserOnIncoming',
  'PATRONI_RESTAPI_CERTFILE',
  'pg_receivewal',
  'pg_rewind',
  'pg_wal',
  'target_session_attrs',
  'wal_compression',
])
const isKnown = (name: string) => words.has(name) || FOREIGN.has(name)
const baseNames = new Set(tracked.flatMap((file) => file.split('/')))

/** Finds every match of `pattern`'s first group in the documents for which `exists` is false, as `file: match`. */
function findMissing(pattern: RegExp, exists: (name: string, file: string) => boolean): string[] {
  return documents.flatMap((file) =>
    [...read(file).matchAll(pattern)].filter(([, name]) => !exists(name!, file)).map(([, name]) => `${file}: ${name}`),
  )
}

test('relative links lead to files', () => {
  const links = /\]\((?!https?:|mailto:|#|\/)([^)#\s]+)(?:#[^)]*)?\)/g
  const isPage = (file: string) => file.startsWith('apps/docs/src/content/')
  const isGenerated = (link: string) => /(^|\/)(endpoints|schemas|changelog)(\/[\w-]+)?\.mdx?$/.test(link)
  const missing = findMissing(
    links,
    // Links to the pages of a workflow, from the front page of a repository.
    (link, file) =>
      link.startsWith('../../actions/') ||
      (isPage(file) && isGenerated(link)) ||
      existsSync(join(REPOSITORY, dirname(file), link)),
  )
  expect(missing).toEqual([])
})

test('paths in code spans exist', () => {
  // Without placeholders such as NAME, <feature> or NNNN, and without patterns.
  const paths = /`((?:apps|packages|tools|tests|docs|deploy|\.ci|\.github)\/[\w./-]*[\w/])`/g
  const isMade = (path: string) => /\b(NNNN|dist|build|coverage|screenshots)\b/.test(path)
  // CONTRIBUTING adds these; tests/contributing.test.ts does, too.
  const isExample = (path: string) => /sub-?themes|sale-platforms/.test(path)
  expect(findMissing(paths, (path) => isMade(path) || isExample(path) || existsSync(join(REPOSITORY, path)))).toEqual(
    [],
  )
})

test('file names in code spans exist', () => {
  const names = /`([\w-]+(?:\.(?:test|server|config))?\.(?:ts|tsx|sql|sh|yml|yaml))`/g
  const isPlaceholder = (name: string) => /^(x|NNNN)\b|^x-/.test(name)
  expect(findMissing(names, (name) => isPlaceholder(name) || baseNames.has(name))).toEqual([])
})

test('npm scripts, ops commands, system tests and benchmarks exist', () => {
  const scripts = new Set(
    tracked
      .filter((file) => file.endsWith('package.json'))
      .flatMap((file) => Object.keys((JSON.parse(read(file)) as { scripts?: object }).scripts ?? {})),
  )
  expect(findMissing(/npm run (?:--silent )?([a-z][\w:-]*)/g, (name) => scripts.has(name))).toEqual([])

  const commands = new Set(
    tracked
      .filter((file) => file.startsWith('apps/ops/'))
      .flatMap((file) => [...read(file).matchAll(/new Command\('([a-z-]+)'|\.command\('([a-z-]+)/g)])
      .map(([, one, other]) => one ?? other!),
  )
  expect(commands.size).toBeGreaterThan(10)
  expect(findMissing(/npm run ops -- ([a-z][a-z-]+)/g, (name) => commands.has(name))).toEqual([])

  const names = new Set(scenarios.map(({ name }) => name))
  expect(findMissing(/npm run test:system -- ([a-z][a-z-]+)/g, (name) => names.has(name))).toEqual([])

  const benchmarks = new Set(read('tests/bench/main.ts').match(/(?<=^ {2})[a-z]+(?= )/gm))
  expect(findMissing(/npm run bench -- ([a-z]+)/g, (name) => benchmarks.has(name))).toEqual([])
})

test('environment variables are read somewhere', () => {
  expect(findMissing(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g, isKnown)).toEqual([])
})

test('tables, columns and functions exist', () => {
  const schema = read('packages/core/schema.sql')
  const schemas = [...schema.matchAll(/^CREATE SCHEMA (\w+);/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'pgboss')
  const named = new RegExp(`\`((?:${schemas.join('|')})\\.[a-z_]+(?:\\.[a-z_]+)?)(?:\\(\\))?\``, 'g')
  const exists = (name: string, file: string) => {
    // Events are named like tables.
    if (file.endsWith('/webhooks.md')) return words.has(name.split('.')[1]!)
    const [namespace, object, column] = name.split('.') as [string, string, string?]
    const created = new RegExp(
      `CREATE (?:TABLE|VIEW|FUNCTION|PROCEDURE|SEQUENCE|INDEX|UNLOGGED TABLE) ${namespace}\\.${object}\\b([^;]*);`,
    )
    const definition = created.exec(schema)
    return definition !== null && (column === undefined || new RegExp(`^ +${column} `, 'm').test(definition[1]!))
  }
  expect(findMissing(named, exists)).toEqual([])
})

test('identifiers in code spans exist', () => {
  // camelCase and snake_case only: other words may be anything.
  const identifiers = /`([a-z]+[a-z0-9]*(?:[A-Z][A-Za-z0-9]*|_[a-z0-9_]+))(?:\(\))?`/g
  expect(findMissing(identifiers, isKnown)).toEqual([])
})

test('figures of the README are those of the code', () => {
  const readme = read('README.md')
  const migrations = tracked.filter((file) => /^packages\/core\/migrations\/.*\.sql$/.test(file)).length
  expect(readme).toContain(` ${migrations} migrations applied`)
  const { paths } = JSON.parse(read('apps/api/openapi.json')) as { paths: Record<string, object> }
  expect(readme).toContain(`has ${Object.values(paths).flatMap(Object.keys).length} read endpoints`)
})
