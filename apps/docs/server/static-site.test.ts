import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerDocs } from './register.ts'

const PAGE = `<style>p {}</style><script>theme()</script><script src="/docs/_astro/page.abc123.js"></script>
<a href="https://app.brickmark.example" data-web-app>Account</a>
<p>In <a href="https://app.brickmark.example">your account</a>: https://api.brickmark.example/api/v1</p>`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-'))
  const files = {
    'index.html': '<h1>Welcome</h1>',
    '404.html': '<h1>Not found</h1>',
    'errors/index.html': PAGE,
    'errors.md': 'In [your account](https://app.brickmark.example): https://api.brickmark.example/api/v1',
    'llms.txt': '# Brickmark',
    '_astro/page.abc123.css': 'p {}',
    'pagefind/pagefind.js': 'search()',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, 'site', name, '..'), { recursive: true })
    await writeFile(join(folder, 'site', name), text)
  }
  await writeFile(join(folder, 'outside.md'), 'secret')
})
afterAll(() => rm(folder, { recursive: true }))

async function openSite(webUrl?: string, site = pathToFileURL(`${folder}/site/`)): Promise<FastifyInstance> {
  const app = Fastify()
  await registerDocs(app, { apiUrl: 'https://api.here/api/v1', webUrl, site })
  return app
}

describe('addresses', () => {
  test('pages name this service and link to its web app', async () => {
    const app = await openSite('https://app.here')
    const { body } = await app.inject('/docs/errors')
    expect(body).toContain('https://api.here/api/v1')
    expect(body).toContain('<a href="https://app.here" data-web-app>Account</a>')
    expect(body).toContain('<a href="https://app.here">your account</a>')
    expect((await app.inject('/docs/errors.md')).body).toBe(
      'In [your account](https://app.here): https://api.here/api/v1',
    )
  })

  test('without a web app, pages mention it but do not link to it', async () => {
    const app = await openSite()
    const { body } = await app.inject('/docs/errors')
    expect(body).not.toContain('app.brickmark.example')
    expect(body).not.toContain('>Account<')
    expect(body).toContain('In your account: https://api.here/api/v1')
    expect((await app.inject('/docs/errors.md')).body).toBe('In your account: https://api.here/api/v1')
  })
})

test('200: with and without a slash at the end', async () => {
  const app = await openSite()
  const bodies = await Promise.all(['/docs/errors', '/docs/errors/'].map(async (path) => (await app.inject(path)).body))
  expect(bodies[0]).toBe(bodies[1])
  const home = await Promise.all(['/docs', '/docs/'].map(async (path) => (await app.inject(path)).body))
  expect(home).toEqual(['<h1>Welcome</h1>', '<h1>Welcome</h1>'])
})

test('404: an unknown page, and a file outside the site', async () => {
  const app = await openSite()
  for (const path of ['/docs/nothing', '/docs/../outside.md', '/docs/%2e%2e/outside.md', '/docs/..%2foutside.md']) {
    const response = await app.inject(path)
    expect(response.statusCode, path).toBe(404)
    expect(response.body, path).not.toContain('secret')
  }
  expect((await app.inject('/docs/nothing')).body).toBe('<h1>Not found</h1>')
})

test('the policy allows the scripts and styles of the page by their hash, and no others', async () => {
  const app = await openSite()
  const policy = (await app.inject('/docs/errors')).headers['content-security-policy']
  // printf %s 'theme()' | openssl dgst -sha256 -binary | base64
  expect(policy).toContain(
    "script-src 'self' 'wasm-unsafe-eval' 'sha256-Rfr3GgHZFiXm+TmNr+li+0sZ4J9FGllo8jsXcJF5XZ8=';",
  )
  expect(policy).toContain("style-src 'self' 'sha256-SNJDlN1Iy2mnt7DOjQIyDb2LQE6O5PQiSZomcdzawQ4=';")
  expect((await app.inject('/docs/')).headers['content-security-policy']).toContain(
    "script-src 'self' 'wasm-unsafe-eval'; style-src 'self';",
  )
})

test('files with a hash in their name are cached forever, others for minutes', async () => {
  const app = await openSite()
  const cacheOf = async (path: string) => (await app.inject(path)).headers['cache-control']
  expect(await cacheOf('/docs/_astro/page.abc123.css')).toBe('public, max-age=31536000, immutable')
  expect(await cacheOf('/docs/pagefind/pagefind.js')).toBe('public, max-age=300')
})

test('404: if the site is not built, the response says how to build it, and the rest works', async () => {
  const app = await openSite(undefined, new URL('file:///nothing/here/'))
  for (const path of ['/docs/', '/docs/errors', '/llms.txt']) {
    const response = await app.inject(path)
    expect(response.statusCode, path).toBe(404)
    expect(response.body).toContain('npm run build -w apps/docs')
  }
  expect((await app.inject('/openapi.json')).statusCode).toBe(200)
  expect((await app.inject('/docs/reference')).statusCode).toBe(200)
})
