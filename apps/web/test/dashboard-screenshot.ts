import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright-core'
import { CHROMIUM_PATH, CHROMIUM_ARGS } from '@brickmark/tests/support/chromium'

/**
 * `npm run screenshots:dashboard -- [Prometheus URL]`: renders every panel of the Grafana dashboard with Prometheus'
 * own graphs into one screenshot, without needing Grafana.
 */

type Panel = { title: string; targets: { expr: string }[] }

const root = new URL('../../../', import.meta.url)
const [prometheus = 'http://127.0.0.1:9090'] = process.argv.slice(2)
const { panels } = JSON.parse(await readFile(new URL('deploy/grafana/brickmark.json', root), 'utf8')) as {
  panels: Panel[]
}

const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_ARGS })
try {
  const cards: string[] = []
  for (const { title, targets } of panels) {
    const graphs = await Promise.all(targets.map(({ expr }) => screenshotGraph(browser, expr)))
    const pictures = graphs.map((png) => `<img src="data:image/png;base64,${png.toString('base64')}">`)
    cards.push(`<section><h2>${title}</h2>${pictures.join('')}</section>`)
  }
  const page = await browser.newPage({ viewport: { width: 1500, height: 900 } })
  await page.setContent(`<style>
    body { font: 15px system-ui; margin: 16px; display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px }
    section { border: 1px solid #ccc; border-radius: 6px; padding: 8px }
    h2 { font-size: 15px; margin: 0 0 6px }
    img { width: 100% }
  </style>${cards.join('')}`)
  const path = fileURLToPath(new URL('docs/images/dashboard.png', root))
  await page.screenshot({ path, fullPage: true })
  process.stdout.write(`${path}: ${panels.length} panels\n`)
} finally {
  await browser.close()
}

async function screenshotGraph(from: Browser, expr: string): Promise<Buffer> {
  const page = await from.newPage({ viewport: { width: 900, height: 900 } })
  try {
    const query = new URLSearchParams({ 'g0.expr': expr, 'g0.tab': '0', 'g0.range_input': '5m' })
    await page.goto(`${prometheus}/graph?${query}`, { waitUntil: 'networkidle' })
    return await page.locator('.graph_container').first().screenshot()
  } finally {
    await page.close()
  }
}
