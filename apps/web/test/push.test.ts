import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FULL_CHROMIUM_PATH } from '@brickmark/tests/support/chromium'
import { newVapidKeys, startPushService, type FakeBrowser } from '@brickmark/tests/support/push-service'
import { startWebhookWorker } from '@brickmark/tests/support/webhooks'
import { checkCurrentPage, collectBrowserErrors } from './support/check-page.ts'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

const KEYS = newVapidKeys()
const PATH = '/alerts/email'
const TURN_ON = { name: 'Turn on for this browser' }

let web: TestWeb
let worker: Awaited<ReturnType<typeof startWebhookWorker>>
let service: Awaited<ReturnType<typeof startPushService>>

beforeAll(async () => {
  web = await startTestWeb({
    seed: seedMarket,
    env: { VAPID_PUBLIC_KEY: KEYS.publicKey },
    chromiumPath: FULL_CHROMIUM_PATH,
  })
  service = await startPushService(KEYS.publicKey)
  worker = await startWebhookWorker(web.api.databaseUrl, 'w'.repeat(32), KEYS)
})
beforeEach(() => service.answerWith(201))
afterAll(async () => {
  await worker.stop()
  await service.stop()
  await web.stop()
})

/**
 * Opens a context whose browser has a push service. Chromium can't reach its own from a test, so `PushManager` is a fake that
 * gives out a subscription of the service above. Everything else is real: permission, service worker and notification.
 */
async function contextWithPush(user: TestUser): Promise<{ context: BrowserContext; browser: FakeBrowser }> {
  const context = await web.signedInContext(user)
  await context.grantPermissions(['notifications'], { origin: web.origin })
  const browser = service.newBrowser()
  const keys = { p256dh: browser.p256dh.toString('base64url'), auth: browser.auth.toString('base64url') }
  await context.addInitScript(
    ({ endpoint, keys, publicKey }) => {
      const subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        async unsubscribe() {
          localStorage.removeItem('subscribed')
          return true
        },
      } as unknown as PushSubscription
      PushManager.prototype.getSubscription = async () =>
        localStorage.getItem('subscribed') === null ? null : subscription
      PushManager.prototype.subscribe = async (options) => {
        if (options?.applicationServerKey !== publicKey || options.userVisibleOnly !== true)
          throw new Error('These options are wrong.')
        localStorage.setItem('subscribed', 'yes')
        return subscription
      }
    },
    { endpoint: browser.endpoint, keys, publicKey: KEYS.publicKey },
  )
  return { context, browser }
}

async function turnOn(page: Page): Promise<void> {
  await page.goto(PATH)
  await page.getByRole('button', TURN_ON).click()
  await page.getByText('This browser', { exact: true }).waitFor()
}

/** Follows the service workers of a page, to deliver messages to them as the browser does. */
async function watchServiceWorkers(context: BrowserContext, page: Page) {
  const session: CDPSession = await context.newCDPSession(page)
  const ids: string[] = []
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
    ids.push(...registrations.map(({ registrationId }) => registrationId)),
  )
  await session.send('ServiceWorker.enable')
  return {
    deliver: async (text: string) => {
      await expect.poll(() => ids.length).toBeGreaterThan(0)
      const message = { origin: web.origin, registrationId: ids[0]!, data: text }
      await session.send('ServiceWorker.deliverPushMessage', message)
    },
  }
}

const notificationsOf = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title, body, icon, tag, data }) => {
      return { title, body, icon, tag, data: data as unknown }
    })
  })

test('turn on, send a test, see the notification, turn off', async () => {
  const { context, browser } = await contextWithPush(await web.createUser())
  const page = await context.newPage()
  const browserErrors = collectBrowserErrors(page)
  const workers = await watchServiceWorkers(context, page)
  await turnOn(page)
  expect(await page.getByRole('button', TURN_ON).count()).toBe(0)
  await page.getByRole('rowheader', { name: /^Chrome on / }).waitFor()
  await page.getByRole('cell', { name: 'Never' }).waitFor()
  await page.getByRole('button', { name: /^Send test/ }).click()
  await page.getByText('It arrives within a minute').waitFor()
  await expect.poll(() => browser.received.length, { timeout: 20_000 }).toBe(1)
  const { notification } = browser.received[0]!

  // From here on, what the push service took goes to the service worker.
  await workers.deliver(JSON.stringify(notification))
  await expect
    .poll(() => notificationsOf(page), { timeout: 10_000 })
    .toEqual([
      {
        title: 'Brickmark',
        body: 'This is a test. Your alerts will arrive here.',
        icon: `${web.origin}/icon-192.png`,
        tag: notification.tag,
        data: { path: '/alerts' },
      },
    ])
  // The same message again replaces it.
  await workers.deliver(JSON.stringify(notification))
  await page.waitForTimeout(500)
  expect(await notificationsOf(page)).toHaveLength(1)

  // The worker records the delivery after the push service has answered.
  const countNever = async () => {
    await page.reload()
    return page.getByRole('cell', { name: 'Never' }).count()
  }
  await expect.poll(countNever, { timeout: 20_000 }).toBe(0)
  await page.getByText('This browser', { exact: true }).waitFor()
  await checkCurrentPage(page, 'push-on')
  await page.getByRole('button', { name: /^Turn off for/ }).click()
  await page.getByRole('button', TURN_ON).waitFor()
  expect(await page.getByRole('button', { name: /^Turn off for/ }).count()).toBe(0)
  await checkCurrentPage(page, 'push-off')
  expect(browserErrors).toEqual([])
  await context.close()
})

test('a click on the notification opens the page that it is about, or focuses it', async () => {
  const { context } = await contextWithPush(await web.createUser())
  const page = await context.newPage()
  await turnOn(page)
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  // Browsers open windows only for a real click, which a test can't make: the event is made up, and what it opens recorded.
  const opened = (path: string) =>
    worker.evaluate(async (path) => {
      const calls: string[] = []
      const scope = self as unknown as {
        clients: { openWindow(url: string): Promise<null>; matchAll(options: object): Promise<object[]> }
      }
      scope.clients.openWindow = async (url) => {
        calls.push(`open ${url}`)
        return null
      }
      const findAll = Object.getPrototypeOf(scope.clients).matchAll as (
        options: object,
      ) => Promise<{ url: string; focus(): Promise<void> }[]>
      scope.clients.matchAll = async (options) =>
        (await findAll.call(scope.clients, options)).map(({ url }) => ({
          url,
          focus: async () => void calls.push(`focus ${url}`),
        }))
      const event = new Event('notificationclick')
      let done: Promise<unknown> = Promise.resolve()
      Object.assign(event, {
        notification: { close: () => calls.push('close'), data: { path } },
        waitUntil: (work: Promise<unknown>) => (done = work),
      })
      self.dispatchEvent(event)
      await done
      return calls
    }, path)
  expect(await opened('/set/90001-1')).toEqual(['close', `open ${web.origin}/set/90001-1`])
  expect(await opened(PATH)).toEqual(['close', `focus ${web.origin}${PATH}`])
  await context.close()
})

test('signing out of all devices turns notifications off, and signing out turns them off here', async () => {
  for (const [start, button] of [
    ['/account', 'Sign out of all devices'],
    ['/account', 'Sign out'],
  ] as const) {
    const user = await web.createUser()
    const { context } = await contextWithPush(user)
    const page = await context.newPage()
    await turnOn(page)
    const countSubscriptions = async () =>
      (
        await web.db
          .selectFrom('webhook.push_subscription')
          .select('endpoint_id')
          .where('account_id', '=', user.accountId)
          .execute()
      ).length
    expect(await countSubscriptions()).toBe(1)
    await page.goto(start)
    await page.getByRole('button', { name: button, exact: true }).first().click()
    await page.waitForURL('**/sign-in*')
    expect(await countSubscriptions(), button).toBe(0)
    await context.close()
  }
})

test('a new password ends notifications in other browsers, a reset in all, and a wrong password in none', async () => {
  const user = await web.createUser()
  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(web.origin + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: web.origin, cookie },
      body: new URLSearchParams(fields),
    })
  const subscribe = async (cookie: string) => {
    const { endpoint, p256dh, auth } = service.newBrowser()
    const keys = { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
    expect((await post(PATH, { intent: 'push-on', endpoint, ...keys }, cookie)).status).toBe(302)
    return endpoint
  }
  const subscribed = async () => {
    const rows = await web.db
      .selectFrom('webhook.endpoint')
      .select('url')
      .where('account_id', '=', user.accountId)
      .execute()
    return rows.map(({ url }) => url).toSorted()
  }
  const [here, elsewhere] = [await web.signInCookies(user), await web.signInCookies(user)]
  const [own, other] = [await subscribe(here), await subscribe(elsewhere)]
  const change = (current: string) =>
    post('/account', { intent: 'password', current, new: 'another quite long password' }, here)
  expect((await change('not the password')).status).toBe(400)
  expect(await subscribed()).toEqual([own, other].toSorted())
  expect((await change(user.password)).status).toBe(302)
  expect(await subscribed()).toEqual([own])

  await post('/forgot-password', { email: user.email })
  const mail = await web.mailServer.waitForEmail(user.email, 'Reset your password')
  const [token] = /(?<=reset-password\?token=)[\w-]+/.exec(mail)!
  expect((await post('/reset-password', { token, password: 'yet another long password' })).status).toBe(302)
  expect(await subscribed()).toEqual([])
})

describe('a browser that can’t show notifications', () => {
  test('says that notifications are blocked', async () => {
    const context = await web.signedInContext(await web.createUser())
    // Refuses everything else.
    await context.grantPermissions(['geolocation'])
    const page = await context.newPage()
    await page.goto(PATH)
    await page.getByText('This browser blocks notifications from Brickmark').waitFor()
    expect(await page.getByRole('button', TURN_ON).count()).toBe(0)
    await checkCurrentPage(page, 'push-refused')
    await context.close()
  })

  test('says that it has no push service, as in Safari on iOS outside the home screen', async () => {
    const context = await web.signedInContext(await web.createUser())
    await context.addInitScript(() => {
      delete (window as Partial<typeof globalThis>).PushManager
    })
    const page = await context.newPage()
    await page.goto(PATH)
    await page.getByText('on an iPhone or iPad, add Brickmark to the home screen').waitFor()
    expect(await page.getByRole('button', TURN_ON).count()).toBe(0)
    await context.close()
  })

  test('says that it needs JavaScript, and still turns off others', async () => {
    const user = await web.createUser()
    const { context: other } = await contextWithPush(user)
    await turnOn(await other.newPage())
    const context = await web.signedInContext(user, { javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(PATH)
    const hint = page.locator('noscript p')
    await hint.waitFor()
    expect(await hint.innerText()).toBe('Turning on notifications for this browser needs JavaScript.')
    await page.getByRole('button', { name: /^Turn off for/ }).click()
    await expect.poll(() => page.getByRole('button', { name: /^Turn off for/ }).count()).toBe(0)
    await other.close()
    await context.close()
  })
})

test('refuses subscriptions that nothing can be sent to, and browsers of others', async () => {
  const [user, other] = [await web.createUser(), await web.createUser()]
  const [cookie, foreign] = [await web.signInCookies(user), await web.signInCookies(other)]
  const post = async (by: string, fields: Record<string, string>) => {
    const headers = { origin: web.origin, cookie: by }
    const body = new URLSearchParams(fields)
    return (await fetch(web.origin + PATH, { method: 'POST', redirect: 'manual', headers, body })).status
  }
  const browser = service.newBrowser()
  const valid = {
    intent: 'push-on',
    endpoint: browser.endpoint,
    p256dh: browser.p256dh.toString('base64url'),
    auth: browser.auth.toString('base64url'),
  }
  const offCurve = Buffer.from(browser.p256dh)
  offCurve[64]! ^= 1
  for (const wrong of [
    { endpoint: 'ftp://example.com' },
    { endpoint: 'https://user:pass@example.com' },
    { endpoint: `https://example.com/${'x'.repeat(2000)}` },
    { p256dh: '' },
    { p256dh: valid.auth },
    { p256dh: offCurve.toString('base64url') },
    { auth: '' },
    { auth: valid.p256dh },
  ])
    expect(await post(cookie, { ...valid, ...wrong }), JSON.stringify(wrong)).toBe(400)
  expect(await post(cookie, valid)).toBe(302)
  const find = () =>
    web.db
      .selectFrom('webhook.push_subscription')
      .select('endpoint_id')
      .where('account_id', '=', user.accountId)
      .execute()
  const [{ endpoint_id: id }] = (await find()) as [{ endpoint_id: number }]
  for (const intent of ['push-off', 'push-test']) expect(await post(foreign, { intent, browser: String(id) })).toBe(302)
  expect(await find()).toHaveLength(1)
  expect((await fetch(`${web.origin}/webhooks/${id}`, { headers: { cookie } })).status).toBe(404)
  expect(browser.received).toEqual([])
})

test('the service worker is a script of its own that isn’t kept', async () => {
  const response = await fetch(`${web.origin}/push-worker.js`)
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
})

test('without keys there is nothing', async () => {
  const without = await startTestWeb({ seed: seedMarket })
  const cookie = await without.signInCookies(await without.createUser())
  const page = await (await fetch(without.origin + PATH, { headers: { cookie } })).text()
  expect(page).toContain('Send email')
  expect(page).not.toContain('Push notifications')
  expect((await fetch(`${without.origin}/push-worker.js`)).status).toBe(404)
  const body = new URLSearchParams({ intent: 'push-on' })
  const headers = { cookie, origin: without.origin }
  expect((await fetch(without.origin + PATH, { method: 'POST', headers, body })).status).toBe(404)
  await without.stop()
})
