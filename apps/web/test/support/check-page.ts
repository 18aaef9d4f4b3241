import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

const SCREENSHOT_DIR = fileURLToPath(new URL('../../screenshots', import.meta.url))
const VIEWPORT_WIDTHS = [1280, 360]
/** Light is held to every rule; dark differs in nothing but its colors. */
const SCHEMES: { colorScheme: 'light' | 'dark'; rules: axe.RunOptions }[] = [
  { colorScheme: 'light', rules: {} },
  { colorScheme: 'dark', rules: { runOnly: ['color-contrast', 'link-in-text-block'] } },
]

/** What the browser complains about: broken scripts, and what the content policy refused. */
export function collectBrowserErrors(page: Page): string[] {
  const browserErrors: string[] = []
  page.on('pageerror', (error) => browserErrors.push(error.message))
  page.on('console', (message) => {
    // That an answer was not a 200 is for the test to say.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      browserErrors.push(message.text())
    }
  })
  return browserErrors
}

/**
 * Opens an address at both widths, light and dark, and holds it to: no axe violation, nothing wider than the screen,
 * no complaint of the browser. With SCREENSHOTS=1 it leaves pictures in apps/web/screenshots/.
 */
export async function checkPage(context: BrowserContext, path: string, name: string): Promise<void> {
  const page = await context.newPage()
  const browserErrors = collectBrowserErrors(page)
  await page.goto(path)
  await checkCurrentPage(page, name)
  expect(browserErrors, `${name}: what the browser complained about`).toEqual([])
  await page.close()
}

/** The same for what a page shows just now. */
export async function checkCurrentPage(page: Page, name: string): Promise<void> {
  await page.evaluate(axe.source)
  for (const width of VIEWPORT_WIDTHS) {
    for (const { colorScheme, rules } of SCHEMES) {
      const label = `${name}-${width}-${colorScheme}`
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      expect(await violations(page, rules), label).toEqual([])
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
      expect(tooWide, `${label}: wider than the screen`).toBe(false)
      if (process.env['SCREENSHOTS']) {
        await mkdir(SCREENSHOT_DIR, { recursive: true })
        await page.screenshot({ path: `${SCREENSHOT_DIR}/${label}.png`, fullPage: true })
      }
    }
  }
}

async function violations(page: Page, rules: axe.RunOptions): Promise<string[]> {
  // As text, because it runs in the page, where `axe` is another thing than here.
  const run = `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...rules })})`
  const { violations } = await page.evaluate<axe.AxeResults>(run)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`))
}
