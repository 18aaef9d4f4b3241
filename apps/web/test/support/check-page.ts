import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

const SCREENSHOT_DIR = fileURLToPath(new URL('../../screenshots', import.meta.url))
const VIEWPORT_WIDTHS = [1280, 360]
/** Only looked at for what is too wide. 640 is also 1280 at 200% zoom. */
const OTHER_WIDTHS = [320, 480, 640, 768, 900, 1024, 1100, 1121, 1920]
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
  const tooWide: string[] = []
  for (const width of OTHER_WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const element = await findOverflow(page)
    if (element !== undefined) tooWide.push(`${width}: ${element}`)
  }
  expect(tooWide, `${name}: wider than the screen`).toEqual([])
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

/** Returns the last element that makes the page, or what a table is in, scroll sideways. Regions that are meant to are left out. */
function findOverflow(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const around = [...document.querySelectorAll('table')].map(({ parentElement }) => parentElement!)
    const boxes = [document.documentElement, ...around.filter((box) => !box.closest('[role=region]'))]
    const wide = boxes.find(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    if (!wide) return undefined
    const edge = wide.getBoundingClientRect().left + wide.clientWidth
    const beyond = [...wide.querySelectorAll('*')].filter(
      (one) =>
        !one.closest('nav') &&
        getComputedStyle(one).overflowX === 'visible' &&
        one.getBoundingClientRect().left + Math.max(one.clientWidth, one.scrollWidth) > edge,
    )
    return (beyond.at(-1) ?? wide).outerHTML.slice(0, 150)
  })
}

async function violations(page: Page, rules: axe.RunOptions): Promise<string[]> {
  // As a string, because it runs in the page, where `axe` is a different global.
  const run = `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...rules })})`
  const { violations } = await page.evaluate<axe.AxeResults>(run)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`))
}
