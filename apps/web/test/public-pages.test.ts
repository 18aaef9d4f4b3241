import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { createApiKey, formatMoney } from './support/collections.ts'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

/** The pages that visitors see without signing in, for each value of PUBLIC_PAGES. */

const CATALOG_PAGES = ['/search', '/search?q=lighthouse', '/theme/Harbor', '/set/90001-1', '/minifig/hbr001']
const OTHER_PAGES = ['/', '/how-values-work', '/pricing', '/about']

let legalPages: string

beforeAll(async () => {
  legalPages = await mkdtemp(join(tmpdir(), 'legal-'))
  await writeFile(join(legalPages, 'terms.md'), '# Terms\n\nBe **kind**.\n')
})
afterAll(() => rm(legalPages, { recursive: true }))

function startWith(env: Record<string, string>): () => TestWeb {
  let web: TestWeb
  beforeAll(async () => {
    web = await startTestWeb({ seed: seedMarket, env: { LEGAL_PAGES: legalPages, ...env } })
  })
  afterAll(() => web.stop())
  return () => web
}

const fetchText = async (web: TestWeb, path: string) => (await fetch(web.origin + path)).text()

describe('off', () => {
  const web = startWith({})

  test('every page asks to sign in, and crawlers are turned away', async () => {
    for (const path of [...CATALOG_PAGES, ...OTHER_PAGES, '/suggestions?q=light']) {
      const response = await fetch(web().origin + path, { redirect: 'manual' })
      expect([path, response.status]).toEqual([path, 302])
      expect(response.headers.get('location')).toMatch(/^\/sign-in/)
    }
    expect(await fetchText(web(), '/legal/terms')).toContain('<strong>kind</strong>')
    expect(await fetchText(web(), '/robots.txt')).toBe('User-agent: *\nDisallow: /\n')
    expect((await fetch(`${web().origin}/sitemap.xml`)).status).toBe(404)
    expect((await fetch(`${web().origin}/pictures/sets/90001-1/preview.png`)).status).toBe(404)
  })
})

describe('identity', () => {
  const web = startWith({ PUBLIC_PAGES: 'identity' })

  test('shows what a set is, but no computed number', async () => {
    const key = await createApiKey(web(), (await web().createUser()).accountId)
    const { data: set } = await web().api.get<{ title: string; new_value_usd: number; value_range: { low: number } }>(
      '/set/90001-1',
      key,
    )
    for (const path of CATALOG_PAGES) {
      const text = await fetchText(web(), path)
      for (const amount of [set.new_value_usd, set.value_range.low]) expect(text).not.toContain(formatMoney(amount))
    }
    const page = await fetchText(web(), '/set/90001-1')
    expect(page).toContain(set.title)
    expect(page).toContain('See what it’s worth')
    for (const words of ['Value history', 'confidence', 'Your lots', 'Market value sealed'])
      expect(page).not.toContain(words)
    expect(await fetchText(web(), '/how-values-work')).not.toContain('Accuracy of values')
  })
})

describe('values', () => {
  const web = startWith({ PUBLIC_PAGES: 'values', VISITOR_PAGES_PER_DAY: '200' })

  test('a link from a page with scripts leads to what visitors see at /', async () => {
    const page = await (await web().newContext()).newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Brickmark' }).click()
    await page.getByRole('heading', { name: /^Know what every/ }).waitFor()
    expect(browserErrors).toEqual([])
  })

  test('the charts of a page without scripts are pictures', async () => {
    const page = await fetchText(web(), '/set/90001-1')
    expect(page).toMatch(/role="img" aria-label="Value of a sealed copy: \$[\d.]+ in /)
    for (const words of ['role="slider"', 'Arrow keys']) expect(page).not.toContain(words)
  })

  test('a visitor finds a set from the front page and sees the same value as the API', async () => {
    const key = await createApiKey(web(), (await web().createUser()).accountId)
    const { data: set } = await web().api.get<{ title: string; new_value_usd: number }>('/set/90001-1', key)
    const context = await web().newContext()
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/')
    const field = page.getByLabel('Find a set or minifig')
    // The shortcut works from when the page's script runs.
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+k')
        return field.evaluate((element) => element === document.activeElement)
      })
      .toBe(true)
    await page.keyboard.type('tidewater lig', { delay: 10 })
    await page.getByRole('option', { name: /Tidewater Lighthouse/ }).waitFor()
    expect(await field.getAttribute('aria-expanded')).toBe('true')
    await field.press('ArrowUp')
    await field.press('ArrowDown')
    expect(await page.getByRole('option').first().getAttribute('aria-selected')).toBe('true')
    await field.press('Enter')
    await page.waitForURL('**/set/90001-1')
    await page.getByRole('heading', { name: set.title, level: 1 }).waitFor()
    expect(await page.getByRole('region', { name: 'Sealed', exact: true }).innerText()).toContain(
      formatMoney(set.new_value_usd),
    )
    await page.getByRole('link', { name: 'Used', exact: true }).click()
    await page.waitForURL('**/set/90001-1?condition=used&range=3y')
    // Retail prices and lots belong to signed-in users.
    for (const name of ['Your lots', 'Retailer A', 'Pay at most']) expect(await page.getByText(name).count()).toBe(0)
    expect(browserErrors).toEqual([])
    await context.close()
  })

  test('without JavaScript, the field leads to the results and themes to their sets', async () => {
    const context = await web().newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/')
    await page.getByLabel('Find a set or minifig').fill('lighthouse')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByRole('link', { name: 'Tidewater Lighthouse' }).waitFor()
    await page.goto('/search?q=tidewater+lighthuose')
    await page.getByText('These names come closest').waitFor()
    await page.getByRole('link', { name: 'Tidewater Lighthouse' }).waitFor()
    await page.goto('/search')
    await page.getByRole('link', { name: 'Harbor' }).click()
    await page.getByRole('heading', { name: 'Harbor', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Name', exact: true }).click()
    await page.getByRole('link', { name: 'Tidewater Lighthouse' }).click()
    await page.getByRole('heading', { name: 'Tidewater Lighthouse', level: 1 }).waitFor()
    await page.goto('/legal/terms')
    await page.getByRole('heading', { name: 'Terms', level: 1 }).waitFor()
    await context.close()
  })

  test('tells search engines and link previews what a page is about', async () => {
    const context = await web().newContext()
    const page = await context.newPage()
    await page.goto('/set/90001-1?range=1y')
    const attribute = (selector: string, name: string) => page.locator(selector).getAttribute(name)
    expect(await page.title()).toBe('90001-1 Tidewater Lighthouse · Brickmark')
    expect(await attribute('link[rel=canonical]', 'href')).toBe(`${web().origin}/set/90001-1`)
    expect(await attribute('meta[name=description]', 'content')).toContain('Market value sealed $')
    const product = JSON.parse(await page.locator('script[type="application/ld+json"]').innerText()) as object
    expect(product).toMatchObject({ '@type': 'Product', sku: '90001-1', name: 'Tidewater Lighthouse' })
    const preview = await fetch((await attribute('meta[property="og:image"]', 'content'))!)
    expect(preview.headers.get('content-type')).toBe('image/png')
    const png = Buffer.from(await preview.arrayBuffer())
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
    await context.close()
    expect(await fetchText(web(), '/robots.txt')).toContain(`Sitemap: ${web().origin}/sitemap.xml`)
    const sitemap = await fetchText(web(), '/sitemap.xml')
    for (const path of ['/set/90001-1', '/minifig/hbr001', '/theme/Harbor', '/legal/terms'])
      expect(sitemap).toContain(`<loc>${web().origin}${path}</loc>`)
  })

  test('an account needs the agreement to the terms, and says which ones', async () => {
    const signUp = (fields: Record<string, string>) =>
      fetch(`${web().origin}/sign-up`, {
        method: 'POST',
        headers: { origin: web().origin },
        body: new URLSearchParams({
          name: 'Jo',
          email: 'Jo@example.com',
          password: 'correct horse battery',
          ...fields,
        }),
      })
    const users = () =>
      web()
        .db.selectFrom('auth.user')
        .select(['terms_version', 'terms_accepted_at'])
        .where('email', '=', 'jo@example.com')
        .execute()
    const refused = await signUp({})
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('Agree to the terms') as string,
    ])
    expect(await users()).toEqual([])
    expect((await signUp({ terms: 'accepted' })).status).toBe(200)
    expect(await users()).toMatchObject([
      { terms_version: expect.stringMatching(/^[\da-f]{16}$/) as string, terms_accepted_at: expect.any(Date) as Date },
    ])
  })

  test('a script in the title of a set stays text', async () => {
    await web()
      .db.updateTable('catalog.set')
      .set({ title: '</script><b>x' })
      .where('set_number', '=', '90002-1')
      .execute()
    const page = await fetchText(web(), '/set/90002-1')
    expect(page).not.toContain('</script><b>')
    await web().db.updateTable('catalog.set').set({ title: 'Café' }).where('set_number', '=', '90002-1').execute()
  })

  test('pages for visitors load no more than 60 kB of script', async () => {
    const context = await web().newContext()
    for (const path of [...CATALOG_PAGES, ...OTHER_PAGES]) {
      const page = await context.newPage()
      const sizes: Promise<number>[] = []
      page.on('response', (response) => {
        if (response.url().endsWith('.js')) sizes.push(response.body().then((body) => body.length))
      })
      await page.goto(path, { waitUntil: 'networkidle' })
      const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      expect(total).toBeGreaterThan(1000)
      expect(total).toBeLessThan(60_000)
      await page.close()
    }
    await context.close()
  })

  test('signed in, the same pages have the navigation of the application', async () => {
    const context = await web().signedInContext(await web().createUser())
    const page = await context.newPage()
    for (const [path, status] of [
      ['/pricing', 200],
      ['/theme/Harbor', 200],
      ['/nowhere', 404],
      ['/theme/nowhere', 404],
    ] as const) {
      expect((await page.goto(path))!.status()).toBe(status)
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Collections' }).waitFor()
    }
    await context.close()
  })

  test('has no accessibility violations (light/dark, desktop/mobile)', async () => {
    const context = await web().newContext()
    for (const path of [...OTHER_PAGES, ...CATALOG_PAGES, '/legal/terms']) {
      await checkPage(context, path, `public-${path.replaceAll(/\W+/g, '-')}`)
    }
    await context.close()
  })
})

describe('limits', () => {
  const web = startWith({ PUBLIC_PAGES: 'values', VISITOR_PAGES_PER_DAY: '5', MEMBER_PAGES_PER_DAY: '8' })

  test('an address opens only so many catalog pages a day, and so does an account', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 7; n++) statuses.push((await fetch(`${web().origin}/set/90001-1`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const refused = await fetch(`${web().origin}/minifig/hbr001`)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await refused.text()).toContain('Daily limit reached')
    expect((await fetch(`${web().origin}/pricing`)).status).toBe(200)
    const cookie = await web().signInCookies(await web().createUser())
    const open = async () => (await fetch(`${web().origin}/set/90001-1`, { headers: { cookie } })).status
    for (let n = 0; n < 8; n++) expect(await open()).toBe(200)
    expect(await open()).toBe(429)
    const other = await web().signInCookies(await web().createUser())
    expect((await fetch(`${web().origin}/set/90001-1`, { headers: { cookie: other } })).status).toBe(200)
  })
})
