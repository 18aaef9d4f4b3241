import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until a key's page shows its first request. With JavaScript it updates by itself; without, its link reloads it. */
export async function waitForRequest(page: Page, text: string, javaScriptEnabled: boolean): Promise<void> {
  if (javaScriptEnabled) return page.getByText(text).waitFor()
  const isShown = async () => {
    await page.getByRole('link', { name: 'Refresh' }).click()
    return page.getByText(text).isVisible()
  }
  await expect.poll(isShown, { timeout: 30_000, interval: 200 }).toBe(true)
}
