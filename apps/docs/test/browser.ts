import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

/** Debian's Chromium, kept from calling anybody. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export const VIEWS = [1280, 360].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

export function openView(browser: Browser, view: (typeof VIEWS)[number]): Promise<BrowserContext> {
  const { width, colorScheme } = view
  return browser.newContext({ viewport: { width, height: width > 1000 ? 900 : 740 }, colorScheme })
}

/** As Chromium's developer tools set it: 1.6 Mbit/s less a tenth, and 562 ms to the first byte of every answer. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150 * 3.75,
    downloadThroughput: ((1.6 * 1_000_000) / 8) * 0.9,
    uploadThroughput: ((0.75 * 1_000_000) / 8) * 0.9,
  })
}

/** When the largest thing was painted, in milliseconds, and how much of the page has jumped. */
export function measurePaint(page: Page): Promise<{ lcp: number; cls: number }> {
  // As text, because what runs in the page has other globals than we have.
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
