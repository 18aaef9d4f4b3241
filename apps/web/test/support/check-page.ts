import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

const SCREENSHOT_DIR = fileURLToPath(new URL('../../screenshots', import.meta.url))
const VIEWPORT_WIDTHS = [1280, 360]
/** All rules run in light mode; dark mode differs only in colors. */
const SCHEMES: { colorScheme: 'light' | 'dark'; rules: axe.RunOptions }[] = [
  { colorScheme: 'light', rules: {} },
  { colorScheme: 'dark', rules: { runOnly: ['color-contrast', 'link-in-text-block'] } },
]

/** Collects script errors and console errors, including CSP violations. */
export function collectBrowserErrors(page: Page): string[] {
  const browserErrors: string[] = []
  page.on('pageerror', (error) => browserErrors.push(error.message))
  page.on('console', (message) => {
    // Tests assert status codes themselves.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      browserErrors.push(message.text())
    }
  })
  return browserErrors
}

/**
 * Opens a page at both widths, light and dark, and expects no axe violations, no horizontal overflow and no browser
 * errors. With SCREENSHOTS=1 it saves screenshots to apps/web/screenshots/.
 */
export async function checkPage(context: BrowserContext, path: string, name: string): Promise<void> {
  const page = await context.newPage()
  const browserErrors = collectBrowserErrors(page)
  await page.goto(path)
  await checkCurrentPage(page, name)
  expect(browserErrors, `${name}: browser errors`).toEqual([])
  await page.close()
}

/** Runs the same checks on the current state of a page, except for browser errors. */
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
  // As a string, because it runs in the page, where `axe` is a different global.
  const run = `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...rules })})`
  const { violations } = await page.evaluate<axe.AxeResults>(run)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`))
}
