import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { CHROMIUM_ARGS, CHROMIUM_PATH } from '@brickmark/tests/support/chromium'

/** Launches Debian's Chromium without background network traffic. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_ARGS })
}

export const VIEWS = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

export function openView(browser: Browser, view: (typeof VIEWS)[number]): Promise<BrowserContext> {
  const { width, colorScheme } = view
  return browser.newContext({ viewport: { width, height: width > 1000 ? 900 : 740 }, colorScheme })
}

/** Emulates "Slow 4G" of Chromium's developer tools: 1.6 Mbit/s less 10 %, and 562 ms latency per response. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150 * 3.75,
    downloadThroughput: ((1.6 * 1_000_000) / 8) * 0.9,
    uploadThroughput: ((0.75 * 1_000_000) / 8) * 0.9,
  })
}

/** Measures largest contentful paint (in milliseconds) and cumulative layout shift. */
export function measurePaint(page: Page): Promise<{ lcp: number; cls: number }> {
  // A string, because the code runs in the page and uses browser globals.
  return page.evaluate(`new Promise((resolve) => {
    const entries = (type) => new Promise((done) => {
      const observer = new PerformanceObserver((list) => done(list.getEntries()))
      observer.observe({ type, buffered: true })
      setTimeout(() => done([]), 500)
    })
    Promise.all([entries('largest-contentful-paint'), entries('layout-shift')]).then(([paints, shifts]) =>
      resolve({ lcp: paints.at(-1)?.startTime ?? Infinity, cls: shifts.reduce((sum, shift) => sum + shift.value, 0) }))
  })`)
}
