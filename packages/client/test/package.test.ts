import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SDK_VERSION } from '../src/api.generated.ts'
import { startTestService, type TestService } from './support/test-service.ts'
import { findNodes } from '@brickmark/tests/support/nodes'

/** Installs the packed tarball into an empty project, as a user would. */

const run = promisify(execFile)
const client = fileURLToPath(new URL('..', import.meta.url))
const nodeModules = join(client, '../../node_modules')

const PROGRAM = `import { Brickmark, NotFoundError, type Schemas } from 'brickmark'

const brickmark = new Brickmark({ apiKey: process.env.BRICKMARK_API_KEY!, baseUrl: process.env.BRICKMARK_BASE_URL })
const { data, meta } = await brickmark.getSet('90001')
const set: Schemas['Set'] = data
const holdings = await brickmark.listEntries().toArray({ max: 3 })
const value = holdings.reduce((sum, holding) => sum + (holding.total_current_value_usd ?? 0), 0)
const missing = await brickmark.getSet('1').catch((error: unknown) => error instanceof NotFoundError)
console.log(set.title, value, missing, meta.rateLimit.limit)
declare const process: { env: Record<string, string> }
`
const SAYS = 'Tidewater Lighthouse 300 true 1000\n'

// npm and two compilers are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let service: TestService
let folder: string
let tarball: string
let project: string

beforeAll(async () => {
  service = await startTestService()
  folder = await mkdtemp(join(tmpdir(), 'brickmark-package-'))
  project = join(folder, 'project')
  // --ignore-scripts: dist was built for this run, and other tests are using it.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: client })
  tarball = join(folder, `brickmark-${SDK_VERSION}.tgz`)
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await writeFile(join(project, 'program.ts'), PROGRAM)
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project })
})
afterAll(async () => {
  await service.api.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('installed in an empty project', () => {
  test('has no dependencies', async () => {
    const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: project })
    expect(stdout.trim().split('\n')).toEqual([project, join(project, 'node_modules/brickmark')])
  })

  const compilers = {
    'TypeScript 7': join(nodeModules, 'typescript-7/bin/tsc'),
    'TypeScript 5': createRequire(import.meta.resolve('openapi-typescript')).resolve('typescript/bin/tsc'),
  }
  const check = (compiler: string, file: string, ...options: string[]) =>
    run(process.execPath, [compiler, '--strict', '--module', 'nodenext', '--target', 'es2022', ...options, file], {
      cwd: project,
    })

  test.each(Object.entries(compilers))('a ten-line program compiles in strict mode with %s', async (_, compiler) => {
    await check(compiler, 'program.ts', '--noEmit')
  })

  test('three invalid calls are three type errors', async () => {
    const calls = ['getSet(90001)', "getSetHistory('1', { condition: 'mint' })", 'listEntries({ brickfolio: 1 })']
    const lines = calls.map((call) => `void brickmark.${call}`)
    const head = "import { Brickmark } from 'brickmark'\nconst brickmark = new Brickmark({ apiKey: 'x' })"
    await writeFile(join(project, 'wrong.ts'), [head, ...lines].join('\n'))
    const { stdout } = (await check(compilers['TypeScript 7'], 'wrong.ts', '--noEmit').catch(
      (error: unknown) => error,
    )) as {
      stdout: string
    }
    expect(stdout.match(/^wrong\.ts\(\d+/gm)).toEqual(['wrong.ts(3', 'wrong.ts(4', 'wrong.ts(5'])
  })

  test('SDK and CLI run on every available Node version', async () => {
    await check(compilers['TypeScript 7'], 'program.ts')
    // The same for projects with "type": "commonjs".
    await writeFile(join(project, 'program.cts'), inCommonJs(PROGRAM))
    await check(compilers['TypeScript 7'], 'program.cts')
    const env = { ...process.env, BRICKMARK_API_KEY: service.account.key, BRICKMARK_BASE_URL: service.baseUrl }
    for (const node of await findNodes(folder)) {
      const { stdout: version } = await run(node, ['--version'])
      expect((await run(node, ['program.js'], { cwd: project, env })).stdout, version).toBe(SAYS)
      expect((await run(node, ['program.cjs'], { cwd: project, env })).stdout, version).toBe(SAYS)
      const cli = await run(node, ['node_modules/.bin/brickmark', 'set', '90001', '--json'], { cwd: project, env })
      expect(JSON.parse(cli.stdout), version).toMatchObject({ set_number: '90001-1' })
      process.stdout.write(`ran on Node ${version}`)
    }
  }, 300_000)
})

/** CommonJS has no `await` outside of functions. */
function inCommonJs(program: string): string {
  const [imports = '', body = ''] = program.split('\n\n')
  const [code, declaration] = body.split(/(?=declare const)/)
  return `${imports}\n${declaration}\nvoid (async () => {\n${code}})()\n`
}

test('publint and attw report no problems', async () => {
  const { messages } = await publint({ pkgDir: join(project, 'node_modules/brickmark'), pack: false })
  expect(messages).toEqual([])
  // `node10` is how old versions of TypeScript find packages: without `exports`.
  await run(join(nodeModules, '.bin/attw'), ['--profile', 'node16', tarball])
})

test('the SDK is at most 4.5 KB minified and gzipped', async () => {
  const bundle = await rolldown({ input: join(project, 'node_modules/brickmark/dist/index.js') })
  const { output } = await bundle.generate({ minify: true })
  expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(4.5 * 1024)
})
