import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DocsSite } from '@brickmark/api/docs/docs-site'
import { SET_STATUS } from '@brickmark/core/catalog/set-status'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { PAGES } from './pages.ts'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

/** Reads the full body: an unread response keeps its connection open and delays the shutdown of the API. */
async function look(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(api.origin + path, { redirect: 'manual', ...init })
  const { status, headers } = response
  const body = await response.arrayBuffer()
  return new Response(body.byteLength > 0 ? body : null, { status, headers })
}

async function textOf(path: string): Promise<string> {
  const response = await look(path)
  expect(response.status, path).toBe(200)
  return response.text()
}

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

describe('URLs', () => {
  test.each([
    ['/', '/docs/'],
    ['/docs', '/docs/'],
  ])('302: %s redirects to %s', async (from, to) => {
    const response = await look(from)
    expect([response.status, response.headers.get('location')]).toEqual([302, to])
  })

  test('200: /docs/ is the first page', async () => {
    expect(await textOf('/docs/')).toBe(await textOf('/docs/quickstart'))
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

  test('200: every guide in the folder has a page', () => {
    const guides = readdirSync(new URL('../src/content/docs', import.meta.url))
    for (const guide of guides) expect(PAGES).toContain(guide.replace('.md', ''))
  })
})

describe.each(PAGES)('/docs/%s', (name) => {
  test('is complete and loads nothing from other origins', async () => {
    const response = await look(`/docs/${name}`)
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    const html = await response.text()
    expect(html.match(/<h1>/g)).toHaveLength(1)
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+="|\sstyle="/)
    expect(html).not.toContain('brickmark.example/api')
    for (const address of addressesIn(html)) expect(address).toMatch(/^[/#]/)
  })

  test('has no broken links', async () => {
    const html = await textOf(`/docs/${name}`)
    for (const address of new Set(addressesIn(html))) {
      const url = new URL(address, `${api.origin}/docs/${name}`)
      const target = await lookOnce(url.pathname + url.search)
      if (url.hash) expect(target, address).toContain(`id="${decodeURIComponent(url.hash).slice(1)}"`)
    }
  })

  test('is available as Markdown with working links', async () => {
    const response = await look(`/docs/${name}.md`)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const markdown = await response.text()
    expect(markdown).toMatch(/^# \S/)
    for (const [, address] of markdown.matchAll(/\]\(([\w/.-]+)[^)]*\)/g)) {
      const { pathname } = new URL(address!, `${api.origin}/docs/${name}.md`)
      expect((await look(pathname)).status, address).toBe(200)
    }
  })
})

describe('page content', () => {
  test('errors: every code has an anchor', async () => {
    const html = await textOf('/docs/errors')
    const { components } = JSON.parse(await textOf('/openapi.json')) as { components: { responses: object } }
    const codes = new Set(JSON.stringify(components.responses).match(/(?<="code":")\w+/g))
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

  test('endpoints: lists every path with its cost and every schema with its fields', async () => {
    const markdown = await textOf('/docs/endpoints.md')
    const { paths, components } = JSON.parse(await textOf('/openapi.json')) as {
      paths: Record<string, object>
      components: { schemas: Record<string, { properties: object }> }
    }
    for (const [path, methods] of Object.entries(paths)) {
      const [method] = Object.keys(methods)
      expect(markdown).toContain(`### \`${method!.toUpperCase()} ${path}\``)
    }
    expect(markdown.match(/\*\*Cost:\*\* 1 credit/g)).toHaveLength(Object.keys(paths).length)
    for (const [name, { properties }] of Object.entries(components.schemas)) {
      const section = markdown.split(`### \`${name}\``)[1]!.split('###')[0]!
      for (const field of Object.keys(properties)) {
        // Name, type and description.
        expect(section, name).toMatch(new RegExp(`^\\| \`${field}\`[^|]* \\| [^|]+ \\| [^|]+ \\|`, 'm'))
      }
    }
  })

  test('llms.txt: lists every page with a description', async () => {
    const text = await textOf('/llms.txt')
    for (const name of PAGES) expect(text).toMatch(new RegExp(`\\]\\(/docs/${name}\\.md\\): \\S.*[.:]$`, 'm'))
  })
})

describe('search', () => {
  test.each([
    ['QuotaExceeded', '/docs/errors#QuotaExceeded'],
    ['quota exceeded', '/docs/errors#QuotaExceeded'],
    ['429', '/docs/errors#QuotaExceeded'],
    ['data_tier', '/docs/values#data_tier'],
    ['status', '/docs/values#status_id'],
    ['paging', '/docs/pagination'],
    ['batch', '/docs/endpoints#post-catalog-batch'],
    ['netFba', '/docs/endpoints#RetailExit'],
    ['python', '/docs/sdk-python'],
    ['quikstart', '/docs/quickstart'],
    ['retry-after', '/docs/errors#InternalError'],
    ['run out', '/docs/api-keys-and-quota#when-you-run-out'],
    ['five active keys', '/docs/api-keys-and-quota#api-keys'],
  ])('%s finds %s in the first three results', async (query, expected) => {
    const html = await textOf(`/docs/search?q=${encodeURIComponent(query)}`)
    const hits = Array.from(html.matchAll(/<li><a href="([^"]+)">[^<]*<\/a>(?: <small>|<p>)/g), ([, href]) => href)
    expect(hits.slice(0, 3)).toContain(expected)
  })

  test('highlights matches', async () => {
    expect(await textOf('/docs/search?q=midnight')).toContain('<mark>midnight</mark>')
  })

  test('shows a message for no results and for an empty query', async () => {
    expect(await textOf('/docs/search?q=xyzzyplugh')).toContain('No results for <b>xyzzyplugh</b>')
    expect(await textOf('/docs/search')).toContain('Search for a topic')
  })

  test('escapes the query', async () => {
    const html = await textOf(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script> <b>key')}`)
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;')
  })

  test('accepts long and repeated queries', async () => {
    await textOf(`/docs/search?q=${'key+'.repeat(2000)}`)
    await textOf('/docs/search?q=key&q=quota')
  })
})

test('llms-full.txt has every page', async () => {
  const text = await textOf('/llms-full.txt')
  for (const title of [
    '# Quickstart',
    '# Errors',
    '# Endpoints',
    '# TypeScript SDK',
    '# Python SDK',
    '# API changelog',
  ])
    expect(text, title).toContain(title)
})

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
})

describe('interactive reference', () => {
  test('200: has the header of the docs and scripts from the same origin only', async () => {
    const response = await look('/docs/reference')
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
    const html = await response.text()
    expect(html).toContain('Search the docs')
    for (const address of addressesIn(html)) expect((await look(address)).status, address).toBe(200)
    const script = await look('/docs/reference/scalar.js')
    expect((await script.text()).length).toBeGreaterThan(1_000_000)
  })

  test('200: /openapi.json is the committed document', async () => {
    const committed = JSON.parse(readFileSync(new URL('../../api/openapi.json', import.meta.url), 'utf8')) as object
    expect({ ...(JSON.parse(await textOf('/openapi.json')) as object), servers: [] }).toEqual({
      ...committed,
      servers: [],
    })
  })
})

test('pages link to the web app if WEB_URL is set, and only mention it otherwise', () => {
  const options = {
    css: '',
    script: '',
    openApi: { paths: {}, tags: [], components: { schemas: {} } },
    origin: 'http://here',
  }
  const shown = (webUrl: string | undefined) => new DocsSite({ ...options, webUrl }).page('quickstart')!
  const html = [undefined, 'https://app.here'].map((webUrl) => gunzipSync(shown(webUrl).gzip).toString())
  expect(html[0]).toContain('in your account')
  expect(html[0]).not.toContain('>Account<')
  expect(html[1]).toContain('<a href="https://app.here">your account</a>')
  expect(html[1]).toContain('<a href="https://app.here">Account</a>')
})
