import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SET_STATUS } from '@brickmark/core/catalog/set-status'
import { errorsOf, operations, pageOf, schemas, type Schema } from '../src/site/openapi.ts'
import type { RunningDocs } from '../server/server.ts'
import { startDocsAlone } from './demo.ts'
import { PAGES, pathOf } from './pages.ts'

let docs: RunningDocs

beforeAll(async () => {
  docs = await startDocsAlone()
})
afterAll(() => docs.stop())

/** Reads the full body: an unread response keeps its connection open and delays the shutdown. */
async function look(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(docs.origin + path, { redirect: 'manual', ...init })
  const { status, headers } = response
  const body = await response.arrayBuffer()
  return new Response(body.byteLength > 0 ? body : null, { status, headers })
}

async function textOf(path: string): Promise<string> {
  const response = await look(path)
  expect(response.status, path).toBe(200)
  return response.text()
}

/** The only other sites that pages link to. */
const LINKED_SITES = [
  'https://github.com/brickmark/brickmark',
  'https://pgbackrest.org',
  'https://www.standardwebhooks.com',
]

const seen = new Map<string, Promise<string>>()

function lookOnce(path: string): Promise<string> {
  const known = seen.get(path) ?? textOf(path)
  seen.set(path, known)
  return known
}

/** Returns all URLs in a page. */
function addressesIn(html: string): string[] {
  return Array.from(html.matchAll(/\b(?:src|href|action)="([^"]+)"/g), ([, address]) => address!)
}

function sourcesIn(policy: string, directive: string): string[] {
  return new RegExp(`${directive} ([^;]*)`).exec(policy)![1]!.split(' ')
}

/** Returns the hashes of all scripts or styles that are in the page itself. */
function hashesOf(html: string, tag: 'script' | 'style'): string[] {
  const elements = html.matchAll(new RegExp(`<${tag}(?![^>]*\\bsrc=)[^>]*>(.*?)</${tag}>`, 'gs'))
  return [...new Set(Array.from(elements, ([, content]) => `'sha256-${hash('sha256', content!, 'base64')}'`))]
}

describe('URLs', () => {
  test('302: / redirects to /docs/', async () => {
    const response = await look('/')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs/'])
  })

  test('200: a slash at the end makes no difference', async () => {
    for (const path of ['/docs', '/docs/quickstart', '/docs/endpoints', '/docs/endpoints/get-set', '/docs/reference']) {
      expect(await textOf(`${path}/`), path).toBe(await textOf(path))
    }
  })

  test('404: an unknown page renders an HTML error page', async () => {
    const response = await look('/docs/nothing')
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await response.text()).toContain('Page not found')
  })

  test('304: a matching If-None-Match gets no body', async () => {
    const etag = (await look('/docs/errors')).headers.get('etag')!
    expect((await look('/docs/errors', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('200: pages are gzipped unless the client accepts only identity', async () => {
    const packed = await look('/docs/errors')
    const plain = await look('/docs/errors', { headers: { 'accept-encoding': 'identity' } })
    expect([packed, plain].map((one) => one.headers.get('content-encoding'))).toEqual(['gzip', null])
    expect(await packed.text()).toBe(await plain.text())
  })

  test('200: scripts and styles are compressed and cached forever', async () => {
    const files = addressesIn(await textOf('/docs/errors')).filter((address) => address.includes('/_astro/'))
    expect(files.length).toBeGreaterThan(5)
    for (const file of files) {
      const response = await look(file, { headers: { 'accept-encoding': 'br' } })
      expect([response.status, response.headers.get('content-encoding')], file).toEqual([200, 'br'])
      expect(response.headers.get('cache-control')).toContain('immutable')
    }
  })

  test('200: the pages that existed before the site keep their URLs', async () => {
    const names = ['quickstart', 'errors', 'endpoints', 'changelog', 'values', 'sdk-typescript', 'sdk-python', 'mcp']
    for (const name of names) expect(PAGES).toContain(name)
    expect(PAGES.length).toBeGreaterThan(35)
  })
})

describe.each(PAGES)('/docs/%s', (name) => {
  test('is complete and loads nothing from other origins', async () => {
    const response = await look(pathOf(name))
    expect(response.status).toBe(200)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    const html = await response.text()
    // Besides files of this origin, exactly what is in the page may run and apply.
    const [scripts, styles] = [hashesOf(html, 'script'), hashesOf(html, 'style')]
    expect(sourcesIn(policy, 'script-src')).toEqual(["'self'", "'wasm-unsafe-eval'", ...scripts])
    expect(sourcesIn(policy, 'style-src')).toEqual(["'self'", ...styles])
    expect(html.match(/<h1\b/g)).toHaveLength(1)
    expect(html).not.toMatch(/\son\w+="/)
    expect(html).not.toContain('brickmark.example/api')
    for (const address of addressesIn(html)) {
      const isLocal = /^[/#]/.test(address) || address.startsWith(`${docs.origin}/`)
      expect(isLocal || LINKED_SITES.some((site) => `${address}/`.startsWith(`${site}/`)), address).toBe(true)
    }
  })

  test('has no broken links', async () => {
    const html = await lookOnce(pathOf(name))
    for (const address of new Set(addressesIn(html))) {
      const url = new URL(address, docs.origin + pathOf(name))
      if (url.origin !== docs.origin) continue
      const target = await lookOnce(url.pathname + url.search)
      if (url.hash) expect(target, address).toContain(`id="${decodeURIComponent(url.hash).slice(1)}"`)
    }
  })

  test('is available as Markdown with working links', async () => {
    const response = await look(`/docs/${name}.md`)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const markdown = await response.text()
    expect(markdown).toMatch(/^# \S/)
    const prose = markdown.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`]*`/g, '')
    expect(prose).not.toMatch(/^import |<[A-Z]|^:::/m)
    for (const [, address] of markdown.matchAll(/\]\((?!https?:)([\w/.-]+)[^)]*\)/g)) {
      const { pathname } = new URL(address!, `${docs.origin}/docs/${name}.md`)
      expect((await look(pathname)).status, address).toBe(200)
    }
  })
})

describe('page content', () => {
  test('errors: every code has an anchor', async () => {
    const html = await textOf('/docs/errors')
    const codes = new Set(operations.flatMap(errorsOf).map(({ code }) => code))
    expect(codes.size).toBeGreaterThan(5)
    for (const code of [...codes, 'MissingApiKey']) expect(html).toContain(`<h2 id="${code}">`)
  })

  test('values: the tables list every status and tier', async () => {
    const markdown = await textOf('/docs/values.md')
    for (const id of Object.values(SET_STATUS)) expect(markdown).toMatch(new RegExp(`^\\| ${id} \\|`, 'm'))
    const tiers = readFileSync(
      new URL('../../../packages/core/src/market/valuation/estimate.ts', import.meta.url),
      'utf8',
    )
    const names = /DataTier = (.*)/.exec(tiers)![1]!.match(/\w+/g)!
    expect(names).toHaveLength(4)
    for (const name of names) expect(markdown).toContain(`| \`${name}\` |`)
  })

  test('endpoints: lists every endpoint with its cost', async () => {
    const markdown = await textOf('/docs/endpoints.md')
    for (const operation of operations) {
      const row = `| [\`${operation.method} ${operation.path}\`](${pageOf(operation)}.md) | ${operation.summary} | ${operation['x-badges'][0]!.name}`
      expect(markdown).toContain(row)
    }
  })

  test('schemas: lists every schema with all its fields', async () => {
    const [html, markdown] = await Promise.all([textOf('/docs/schemas'), textOf('/docs/schemas.md')])
    for (const [name, schema] of Object.entries(schemas)) {
      expect(html).toContain(`<h2 id="${name}">`)
      expectFields(markdown.split(`## \`${name}\``)[1]!.split('\n## ')[0]!, schema)
    }
  })

  test('the footer has the trademark notice and the machine-readable formats', async () => {
    const html = await textOf('/docs/quickstart')
    expect(html).toContain('LEGO® is a trademark of the LEGO Group of companies')
    for (const path of ['/llms.txt', '/openapi.json', '/docs/changelog.xml', '/docs/quickstart.md']) {
      expect(html).toContain(`href="${path}"`)
    }
  })

  test('llms.txt: lists every page with a description', async () => {
    const text = await textOf('/llms.txt')
    for (const name of PAGES) expect(text).toMatch(new RegExp(`\\]\\(/docs/${name}\\.md\\): \\S.*[.?]$`, 'm'))
  })

  test('llms-full.txt: has every page', async () => {
    const text = await textOf('/llms-full.txt')
    for (const name of PAGES) expect(text, name).toContain((await textOf(`/docs/${name}.md`)).trim())
  })
})

/** Every field has a row with name, type and description. */
function expectFields(section: string, { properties = {} }: Schema): void {
  for (const field of Object.keys(properties)) {
    expect(section).toMatch(new RegExp(`^\\| \`${field}\`[^|]* \\| [^|]+ \\| [^|]+ \\|`, 'm'))
  }
}

describe.each(operations)('reference of $operationId', (operation) => {
  const sendsFile = operation.operationId === 'downloadExport'

  test('has the path, the cost, every parameter, every field and every error', async () => {
    const page = `/docs/${pageOf(operation)}`
    const [html, markdown] = await Promise.all([textOf(page), textOf(`${page}.md`)])
    expect(html).toContain(operation.prefix + operation.path)
    expect(markdown).toContain(`\`${operation.method} ${operation.prefix}${operation.path}\``)
    expect(markdown).toMatch(/\*\*Cost:\*\* (1 credit|free)/)
    for (const { name, required } of operation.parameters ?? []) {
      expect(markdown).toContain(`| \`${name}\`${required ? '' : ' *optional*'} |`)
      if (!sendsFile) expect(html).toMatch(new RegExp(`<(input|select)[^>]* name="${name}"`))
    }
    const reachable = schemasReachedFrom([operation.responses['200']!.content, operation.requestBody])
    expect(reachable.has('Meta')).toBe(!sendsFile)
    for (const name of reachable) {
      if (name === 'Meta' || name === 'Pagination' || name === 'RateLimit') {
        expect(markdown).toContain('(../schemas.md#Meta)')
        continue
      }
      expect(html, name).toContain(`<h3 id="${name}">`)
      expectFields(markdown.split(`### \`${name}\``)[1]!.split('\n##')[0]!, schemas[name]!)
    }
    for (const { status, code } of errorsOf(operation)) {
      expect(markdown).toContain(`| ${status} | [\`${code}\`](../errors.md#${code}) |`)
      expect(html).toContain(`href="/docs/errors#${code}"`)
    }
  })

  test('has the method of both SDKs', async () => {
    const markdown = await textOf(`/docs/${pageOf(operation)}.md`)
    const typescript = readFileSync(new URL('../../../packages/client/src/brickmark.ts', import.meta.url), 'utf8')
    const python = readFileSync(
      new URL('../../../packages/client-python/src/brickmark/_client.py', import.meta.url),
      'utf8',
    )
    const sample = markdown.split('```ts')[1]!
    const [, method] = /brickmark\.(\w+)\(/.exec(sample) ?? []
    if (sendsFile) expect(sample).toContain(`import { readExport } from 'brickmark/exports'`)
    else expect(typescript).toMatch(new RegExp(`^  (async )?${method}\\(`, 'm'))
    const [, function_] = /brickmark\.(\w+)\(/.exec(markdown.split('```python')[1]!)!
    expect(python).toContain(`    def ${function_}(`)
  })
})

function schemasReachedFrom(value: unknown, found = new Set<string>()): Set<string> {
  for (const [, name] of JSON.stringify(value ?? null).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (found.has(name!)) continue
    found.add(name!)
    schemasReachedFrom(schemas[name!], found)
  }
  return found
}

test('the changelog feed has one entry per dated section, newest first', async () => {
  const response = await look('/docs/changelog.xml')
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  const feed = await response.text()
  const days = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, day]) => day)
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
  const expected = days(changelog, /^### (\d{4}-\d{2}-\d{2})$/gm)
  expect(expected.length).toBeGreaterThan(1)
  expect(days(feed, /<title>(\d{4}-\d{2}-\d{2})<\/title>/g)).toEqual(expected)
  expect(feed).toContain('X-Charged: maybe')
  for (const [, href] of feed.matchAll(/href=(?:"|&quot;)(.*?)(?:"|&quot;)/g)) {
    const { origin, pathname, hash } = new URL(href!)
    expect(origin).toBe(docs.origin)
    expect(await lookOnce(pathname)).toContain(hash === '' ? '' : `id="${hash.slice(1)}"`)
  }
})

describe('API playground', () => {
  test('200: leads back to the docs and has scripts from the same origin only', async () => {
    const response = await look('/docs/reference')
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
    const html = await response.text()
    expect(html).toContain('href="/docs/"')
    for (const address of addressesIn(html)) expect((await look(address)).status, address).toBe(200)
    const script = await look('/docs/reference/scalar.js')
    expect((await script.text()).length).toBeGreaterThan(1_000_000)
  })

  test.each([
    ['openapi.json', '/api/v1'],
    ['extensions.openapi.json', '/api/extensions/v1'],
  ])('200: /%s is the committed document, with the address of the API', async (file, prefix) => {
    const committed = JSON.parse(readFileSync(new URL(`../../api/${file}`, import.meta.url), 'utf8')) as object
    const address = { url: expect.stringMatching(new RegExp(`^http://[^/]+${prefix}$`)) as string }
    expect(JSON.parse(await textOf(`/${file}`))).toEqual({ ...committed, servers: [address] })
  })
})
