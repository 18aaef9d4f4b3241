import type { Page } from 'playwright-core'

/** Adds a virtual authenticator to the browser and registers a passkey for the signed-in user. */
export async function addPasskeyInBrowser(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/account')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText(/, added /).waitFor()
}
