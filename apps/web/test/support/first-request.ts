import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until a key's page shows its first request. With JavaScript it updates by itself; without, its link reloads it. */
export async function waitForRequest(page: Page, text: string, javaScriptEnabled: boolean): Promise<void> {
  if (javaScriptEnabled) return page.getByText(text).waitFor()
  const isShown = async () => {
    if (await page.getByText(text).isVisible()) return true
    // Not for long: the page may have just loaded without the link.
    await page.getByRole('link', { name: 'Refresh' }).click({ timeout: 1000 })
    return false
  }
  await expect.poll(isShown, { timeout: 30_000, interval: 200 }).toBe(true)
}
