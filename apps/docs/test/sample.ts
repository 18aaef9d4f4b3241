import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Marked, type Tokens } from 'marked'

/**
 * Code fences of the pages:
 *   sh, js, ts, python          run unchanged, with BRICKMARK_BASE_URL and BRICKMARK_API_KEY set
 *   json response, text output  expected output of the sample before it, compared exactly: see `differences`
 *   json example                example response of openapi.json, checked with the contract
 *   http                        error response, checked by the tests of the errors page
 *   text, or `sql` or a language above followed by `shown`   not run, because it can't be run here
 */
export type Sample = { guide: string; line: number; kind: string; text: string; shows: Shown | undefined }
export type Shown = { kind: 'json response' | 'text output'; text: string }

export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const GUIDES = join(REPOSITORY, 'apps/docs/src/content/docs')
const COMMANDS: Record<string, (file: string) => [string, ...string[]]> = {
  sh: (file) => ['bash', '-e', '-o', 'pipefail', file],
  js: (file) => [process.execPath, file],
  ts: (file) => [process.execPath, file],
  python: (file) => ['python3', file],
}
const ENDINGS: Record<string, string> = { sh: 'sh', js: 'mjs', ts: 'mjs', python: 'py' }

/** Collects all code blocks of the pages, also of the generated ones; throws on unknown fences. */
export function collectSamples(): Sample[] {
  const files = readdirSync(GUIDES, { recursive: true, encoding: 'utf8' }).filter((file) => /\.mdx?$/.test(file))
  return files.sort().flatMap((file) => {
    const markdown = readFileSync(join(GUIDES, file), 'utf8')
    const samples: Sample[] = []
    let from = 0
    for (const token of new Marked().lexer(markdown)) {
      if (token.type !== 'code') continue
      const { lang: kind = '', text, raw } = token as Tokens.Code
      from = markdown.indexOf(raw, from)
      const line = markdown.slice(0, from).split('\n').length
      const location = `${file}:${line}`
      const before = samples.at(-1)
      if (kind === 'json response' || kind === 'text output') {
        if (!before || !isRun(before)) throw new Error(`${location}: no sample before this ${kind}`)
        before.shows = { kind, text }
        continue
      }
      const [language = '', ...marks] = kind.split(' ')
      const isShown = (language in COMMANDS || language === 'sql') && marks.join(' ') === 'shown'
      if (!(kind in COMMANDS) && !isShown && !['http', 'text', 'json example'].includes(kind)) {
        throw new Error(`${location}: unknown fence \`${kind}\`; see apps/docs/test/sample.ts`)
      }
      samples.push({ guide: file, line, kind, text, shows: undefined })
    }
    return samples
  })
}

export function isRun({ kind }: Sample): boolean {
  return kind in COMMANDS
}

/** True if a sample uses the client package or its CLI, which requires a build of packages/client. */
export function needsClient({ kind, text }: Sample): boolean {
  return kind !== 'python' && /^\s*(npx )?brickmark\b|['"]brickmark['"]|\|\s*brickmark\b/m.test(text)
}

export const clientIsBuilt = existsSync(join(REPOSITORY, 'packages/client/dist'))

/** Runs a sample in a temporary folder inside node_modules, where the client package can be resolved. */
export async function runSample({ kind, text }: Sample, env: Record<string, string>): Promise<string> {
  const cache = join(REPOSITORY, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'sample-'))
  try {
    const file = join(folder, `sample.${ENDINGS[kind]}`)
    // Node doesn't strip types of files in node_modules.
    await writeFile(file, kind === 'ts' ? stripTypeScriptTypes(text) : text)
    const [command, ...args] = COMMANDS[kind]!(file)
    const { stdout } = await promisify(execFile)(command, args, {
      cwd: folder,
      timeout: 40_000,
      env: {
        PATH: `${join(REPOSITORY, 'node_modules/.bin')}:${process.env['PATH']}`,
        PYTHONPATH: join(REPOSITORY, 'packages/client-python/src'),
        PYTHONDONTWRITEBYTECODE: '1',
        HOME: folder,
        ...env,
      },
    })
    return stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Fields that can't be the same twice: instants that depend on the clock of the API, and IDs of requests. */
const VARYING_FIELDS = new Set(['request_id', 'reset', 'changedAt', 'last_checked_at'])

/** The same in text. */
const VARYING_TEXT: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'INSTANT'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'REQUEST_ID'],
]

/** Compares the output shown on a page with the actual output. Every number and every word must be the same. */
export function differences({ kind, text }: Shown, printed: string): string[] {
  if (kind === 'json response') return jsonDifferences(JSON.parse(text), JSON.parse(printed), '$')
  const form = (output: string) =>
    VARYING_TEXT.reduce((form, [pattern, name]) => form.replaceAll(pattern, name), output.trim().replaceAll('\r', ''))
  return form(text) === form(printed) ? [] : [`shown: ${form(text)}`, `printed: ${form(printed)}`]
}

/** A page may omit fields, and elements at the end of a list. */
function jsonDifferences(shown: unknown, printed: unknown, path: string): string[] {
  if (Array.isArray(shown) && Array.isArray(printed)) {
    if (printed.length < shown.length) return [`${path} has ${printed.length} elements, not ${shown.length}`]
    return shown.flatMap((element, index) => jsonDifferences(element, printed[index], `${path}[${index}]`))
  }
  if (isObject(shown) && isObject(printed)) {
    return Object.entries(shown).flatMap(([key, value]) => {
      if (!(key in printed)) return [`${path}.${key} is missing`]
      if (VARYING_FIELDS.has(key) && typeof value === typeof printed[key]) return []
      return jsonDifferences(value, printed[key], `${path}.${key}`)
    })
  }
  return shown === printed ? [] : [`${path} is ${JSON.stringify(printed)}, not ${JSON.stringify(shown)}`]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
