import { mkdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { CHROMIUM_PATH, CHROMIUM_ARGS } from '@brickmark/tests/support/chromium'

/** `npm run screenshots`: takes the screenshots of the README as the demo's first account. The demo must be running. */

const root = new URL('../../../', import.meta.url)
const folder = fileURLToPath(new URL('docs/images/', root))

type Demo = { web_url: string; accounts: { email: string; password: string }[] }
const demo = JSON.parse(await readFile(new URL('.demo/demo.json', root), 'utf8')) as Demo
const { email, password } = demo.accounts[0]!

await mkdir(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_ARGS })
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' })
  await page.goto(new URL('/sign-in', demo.web_url).href)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.screenshot({ path: `${folder}overview.png` })

  const visitor = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' })
  await visitor.goto(new URL('/', demo.web_url).href, { waitUntil: 'networkidle' })
  await visitor.screenshot({ path: `${folder}landing.png` })

  await page.goto(new URL('/collections', demo.web_url).href)
  const collections = page.getByRole('table', { name: 'Your collections' })
  const collection = (await collections.getByRole('link').first().getAttribute('href'))!
  for (const [path, name] of [
    ['/set/90212-1', 'set'],
    [`${collection}?by=total&order=descending`, 'collection'],
    ['/watchlist', 'watchlist'],
  ] as const) {
    await page.goto(new URL(path, demo.web_url).href, { waitUntil: 'networkidle' })
    await page.screenshot({ path: `${folder}${name}.png` })
  }
  process.stdout.write(`${folder}: landing, overview, set, collection and watchlist\n`)
} finally {
  await browser.close()
}
