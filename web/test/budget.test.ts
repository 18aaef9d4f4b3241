import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestWeb, type TestWeb } from './support/web.ts'

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb()
})
afterAll(() => web.stop())

const BUDGET = 150_000

test('the first load brings at most 150 kB of script, compressed', async () => {
  const signedIn = await web.signedIn(await web.person())
  for (const [context, path] of [
    [await web.context(), '/sign-in'],
    [signedIn, '/'],
    [signedIn, '/account'],
  ] as const) {
    const page = await context.newPage()
    const scripts = new Map<string, number>()
    page.on('response', (answer) => {
      if (!answer.url().endsWith('.js')) return
      void answer.body().then((body) => scripts.set(answer.url(), gzipSync(body, { level: 9 }).length))
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    const total = [...scripts.values()].reduce((sum, size) => sum + size, 0)
    console.log(`${path}: ${scripts.size} scripts, ${(total / 1000).toFixed(1)} kB compressed`)
    expect(total).toBeGreaterThan(10_000)
    expect(total).toBeLessThan(BUDGET)
    await page.close()
  }
})
