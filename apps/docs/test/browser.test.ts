import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, measurePaint, openView, slowDown, VIEWS } from './browser.ts'
import { startDemoApi, type DemoApi } from './demo.ts'
import { PAGES } from './pages.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const ADDRESSES = [...PAGES.map((name) => `/docs/${name}`), '/docs/search?q=quota', '/docs/nothing']

let api: DemoApi
let browser: Browser

beforeAll(async () => {
  ;[api, browser] = await Promise.all([startDemoApi(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await api?.stop()
})

test('a reader gets from the first page to the first 200 in at most 10 actions', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  const actions: string[] = []
  const terminal: string[] = []
  const act = async (what: string, done: () => Promise<unknown>) => {
    actions.push(what)
    await done()
  }
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
  const copyUnder = (heading: string) =>
    page.locator(`:is(h2, h3):has-text("${heading}") ~ .code`).first().getByRole('button', { name: 'Copy' }).click()

  await act('open the docs', () => page.goto(`${api.origin}/docs/`))
  await act('copy the two settings', () => copyUnder('Set your API key'))
  await act('paste them', async () => terminal.push(await clipboard()))
  await act('put the key in place of the dots', async () => {
    terminal[0] = terminal[0]!.replace('bmk_live_...', api.reseller.key)
  })
  await act('copy the request', () => copyUnder('curl'))
  await act('paste it', async () => terminal.push(await clipboard()))
  let printed = ''
  await act('press Enter', async () => {
    const script = terminal.join('').replace('curl -s', `curl -s -w '%{stderr}%{http_code}'`)
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script])
    printed = `${stderr} ${stdout}`
  })
  console.log(`first 200 after ${actions.length} actions: ${actions.join(', ')}`)
  expect(printed).toMatch(/^200 \{"data":\{"set_number":"90000-1"/)
  expect(actions.length).toBeLessThanOrEqual(10)
  await context.close()
})

test('"/" and Ctrl-K go to the search field', async () => {
  const page = await browser.newPage()
  await page.goto(`${api.origin}/docs/quickstart`)
  for (const shortcut of ['/', 'Control+k']) {
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press(shortcut)
    await page.keyboard.type('a/b')
    expect(await page.getByRole('searchbox').inputValue(), shortcut).toBe('a/b')
    await page.getByRole('searchbox').blur()
  }
  await page.close()
})

test('the interactive reference sends a request and shows its 200 response', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(api.origin) && !request.url().startsWith('data:')) complaints.push(request.url())
  })
  await page.goto(`${api.origin}/docs/`)
  await page.getByRole('link', { name: 'Reference', exact: true }).click()
  await page.getByPlaceholder('Token').fill(api.reseller.key)
  await page.getByRole('link', { name: 'List themes' }).click()
  await page.getByRole('button', { name: /Test Request.*themes/ }).click()
  const answered = page.waitForResponse((response) => response.url().endsWith('/catalog/themes'))
  await page.getByRole('button', { name: /^Send/ }).first().click()
  expect((await answered).status()).toBe(200)
  await page.getByText('Harbour Row').first().waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

describe.each(VIEWS)('at $width px, $colorScheme', (view) => {
  test('pages have no accessibility violations, horizontal overflow or console errors', async () => {
    const context = await openView(browser, view)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('404')) complaints.push(message.text())
    })
    for (const address of ADDRESSES) {
      await page.goto(api.origin + address)
      await page.evaluate(AXE)
      const { violations } = await page.evaluate<AxeResults>('axe.run()')
      complaints.push(...violations.map(({ id, nodes }) => `${address} ${id}: ${nodes[0]?.html}`))
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (excess !== 0) complaints.push(`${address} is ${String(excess)} px too wide`)
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('on slow 4G, LCP is within 2.5 s, CLS within 0.1 and JavaScript within 100 KB', async () => {
  const figures: string[] = []
  for (const address of ADDRESSES) {
    let best = await visit(address)
    // Load can slow a visit down, but nothing speeds it up.
    for (let retries = 0; retries < 2 && best.lcp > 2500; retries++) {
      const again = await visit(address)
      if (again.lcp < best.lcp) best = again
    }
    figures.push(`${address} ${Math.round(best.lcp)} ms, ${best.cls.toFixed(3)}, ${best.scriptBytes} B`)
    expect(best.lcp, address).toBeLessThanOrEqual(2500)
    expect(best.cls, address).toBeLessThanOrEqual(0.1)
    expect(best.scriptBytes, address).toBeGreaterThan(0)
    expect(best.scriptBytes, address).toBeLessThanOrEqual(100_000)
  }
  console.log(`largest paint, shift, script (gzip):\n${figures.join('\n')}`)
})

/** Opens a page on slow 4G, in a new context so that the cache is empty. */
async function visit(address: string): Promise<{ lcp: number; cls: number; scriptBytes: number }> {
  const context = await openView(browser, { width: 360, colorScheme: 'light' })
  const page = await context.newPage()
  await slowDown(page)
  let scriptBytes = 0
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    void response.body().then((body) => (scriptBytes += gzipSync(body).length))
  })
  await page.goto(api.origin + address, { waitUntil: 'networkidle' })
  const { lcp, cls } = await measurePaint(page)
  await context.close()
  return { lcp, cls, scriptBytes }
}

describe('keyboard navigation', () => {
  test('the first tab stop skips to the content', async () => {
    const page = await browser.newPage()
    await page.goto(`${api.origin}/docs/errors`)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await page.close()
  })

  test('on mobile, the menu opens, navigates and closes with Escape', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
    await page.goto(`${api.origin}/docs/`)
    const menu = page.getByRole('navigation', { name: 'Pages', exact: true })
    expect(await menu.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).focus()
    await page.keyboard.press('Enter')
    expect(await menu.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await menu.isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    await menu.getByRole('link', { name: 'Errors' }).click()
    await page.waitForURL('**/docs/errors')
    await page.close()
  })

  test('on mobile, the table of contents opens, navigates and closes', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
    await page.goto(`${api.origin}/docs/errors`)
    await page.getByRole('button', { name: 'On this page' }).click()
    const contents = page.getByRole('navigation', { name: 'On this page' })
    await contents.getByRole('link', { name: 'QuotaExceeded' }).click()
    expect(page.url()).toContain('#QuotaExceeded')
    expect(await contents.isVisible()).toBe(false)
    await page.close()
  })
})

test('pages, menu and search work without JavaScript', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  const page = await context.newPage()
  await page.goto(`${api.origin}/docs/`)
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(await page.getByRole('navigation', { name: 'Pages', exact: true }).isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('data_tier')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'data_tier' }).first().click()
  expect(page.url()).toBe(`${api.origin}/docs/values#data_tier`)
  await context.close()
})
