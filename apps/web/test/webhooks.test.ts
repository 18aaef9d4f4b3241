import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWebhookWorker } from '@brickmark/tests/support/webhooks'
import { checkPage, collectBrowserErrors } from './support/check-page.ts'
import { seedMarket } from './support/market.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

const KEY = 'w'.repeat(32)

let web: TestWeb
let worker: Awaited<ReturnType<typeof startWebhookWorker>>
let receiver: Server
let url: string
let status = 200
const received: { headers: Record<string, string>; body: string }[] = []

beforeAll(async () => {
  web = await startTestWeb({ seed: seedMarket, env: { WEBHOOK_KEY: KEY } })
  worker = await startWebhookWorker(web.api.databaseUrl, KEY)
  receiver = createServer((request, response) => {
    void text(request)
      .then((body) => received.push({ headers: request.headers as Record<string, string>, body }))
      .finally(() => response.writeHead(status).end(`answered ${status}`))
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  await worker.stop()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
  await web.stop()
})

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('a user adds an endpoint, tests it, sends an event again, rotates its secret and deletes it', async () => {
    const context = await web.signedInContext(await web.createUser(), { javaScriptEnabled })
    const page = await context.newPage()
    const browserErrors = collectBrowserErrors(page)
    await page.goto('/webhooks')
    await page.getByText('No endpoints yet').waitFor()
    await page.getByLabel('URL').fill(url)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByText('Nothing sent yet').waitFor()
    const secret = await page.getByRole('region', { name: 'Signing secret' }).innerText()
    status = 500
    const before = received.length
    await page.getByRole('button', { name: 'Send test event' }).click()
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(before + 1)
    const message = received.at(-1)!
    expect(new Webhook(secret).verify(message.body, message.headers)).toMatchObject({ type: 'test', data: {} })
    const reload = async (words: string) => {
      await expect
        .poll(
          async () => {
            await page.reload()
            return page.getByText(words, { exact: true }).count()
          },
          { timeout: 15_000 },
        )
        .toBeGreaterThan(0)
    }
    await reload('Waiting')
    await page.locator('summary').filter({ hasText: 'test' }).click()
    expect(await page.getByRole('region', { name: /status 500/ }).innerText()).toBe('answered 500')
    expect(await page.getByRole('region', { name: /^Request msg_/ }).innerText()).toContain('"type": "test"')
    status = 200
    await page.getByRole('button', { name: /^Send again/ }).click()
    await reload('Delivered')
    expect(received.at(-1)!.headers['webhook-id']).toBe(message.headers['webhook-id'])
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByText('also signed with the previous secret').waitFor()
    expect(await page.getByRole('region', { name: 'Signing secret' }).innerText()).not.toBe(secret)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete endpoint' }).click()
    await page.getByText('No endpoints yet').waitFor()
    expect(browserErrors).toEqual([])
    await context.close()
  })
})

test('a chat is recognized by its address: no secret, and a message for people', async () => {
  const context = await web.signedInContext(await web.createUser())
  const page = await context.newPage()
  await page.goto('/webhooks')
  await page.getByLabel('URL').fill('https://discord.com/api/webhooks/1/secret')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByText('Alerts arrive as messages in Discord').waitFor()
  expect(await page.getByRole('region', { name: 'Signing secret' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.locator('summary').filter({ hasText: 'test' }).click()
  const sent = await page.getByRole('region', { name: /^Request msg_/ }).innerText()
  expect(JSON.parse(sent)).toMatchObject({ embeds: [{ description: 'This is a test. Your alerts will arrive here.' }] })
  await context.close()
})

test('rejects other URLs, and endpoints of others stay out of reach', async () => {
  const [user, other] = [await web.createUser(), await web.createUser()]
  const [cookie, foreign] = [await web.signInCookies(user), await web.signInCookies(other)]
  const post = async (by: string, path: string, fields: Record<string, string>) => {
    const headers = { origin: web.origin, cookie: by }
    const body = new URLSearchParams(fields)
    return (await fetch(web.origin + path, { method: 'POST', redirect: 'manual', headers, body })).status
  }
  for (const wrong of [
    '',
    'nothing',
    'ftp://example.com',
    'https://user:pass@example.com',
    `https://e.com/${'x'.repeat(2000)}`,
  ])
    expect(await post(cookie, '/webhooks', { url: wrong })).toBe(400)
  for (let endpoint = 0; endpoint < 5; endpoint++) expect(await post(cookie, '/webhooks', { url })).toBe(302)
  expect(await post(cookie, '/webhooks', { url })).toBe(400)
  const endpoints = () =>
    web.db
      .selectFrom('webhook.endpoint')
      .select(['id', 'salt', 'disabled_at'])
      .where('account_id', '=', user.accountId)
      .orderBy('id')
      .execute()
  const before = await endpoints()
  const path = `/webhooks/${before[0]!.id}`
  for (const intent of ['test', 'rotate', 'disable']) await post(foreign, path, { intent })
  expect(await post(foreign, `${path}/delete`, {})).toBe(404)
  const asked = `${web.origin}${path}/delete.data?_routes=webhook%2Fwebhook-delete`
  expect((await fetch(asked, { headers: { cookie: foreign } })).status).toBe(404)
  expect((await fetch(asked, { headers: { cookie } })).status).toBe(200)
  expect(await post(cookie, '/webhooks/abc', { intent: 'test' })).toBe(404)
  expect(await post(foreign, path, { intent: 'replay', event: 'x' })).toBe(404)
  expect(await endpoints()).toEqual(before)
  expect((await fetch(web.origin + path, { headers: { cookie: foreign } })).status).toBe(404)
  const accounts = [user.accountId, other.accountId]
  expect(await web.db.selectFrom('webhook.event').select('id').where('account_id', 'in', accounts).execute()).toEqual(
    [],
  )
})

test('has no accessibility violations (light/dark, desktop/mobile)', async () => {
  const user = await web.createUser()
  const context = await web.signedInContext(user)
  await checkPage(context, '/webhooks', 'webhooks-empty')
  const { id } = await web.db
    .insertInto('webhook.endpoint')
    .values({ account_id: user.accountId, url: 'https://hooks.example.com/brickmark', salt: Buffer.from('salt') })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: event_id } = await web.db
    .insertInto('webhook.event')
    .values({ account_id: user.accountId, type: 'test', data: {} })
    .returning('id')
    .executeTakeFirstOrThrow()
  const delivery = { account_id: user.accountId, endpoint_id: id, event_id }
  await web.db
    .insertInto('webhook.delivery')
    .values({ ...delivery, status: 'failed', next_attempt_at: null })
    .execute()
  await web.db
    .insertInto('webhook.attempt')
    .values({ ...delivery, at: new Date(), duration_ms: 120, status_code: 500, response: 'Internal error' })
    .execute()
  await checkPage(context, '/webhooks', 'webhooks')
  await checkPage(context, `/webhooks/${id}`, 'webhook')
  await context.close()
})
