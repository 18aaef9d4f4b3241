import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPaths } from '@brickmark/tests/support/web-paths'
import { seedCatalog } from './support/collections.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

/** Addresses that no page links to. */

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ seed: seedCatalog, env: { PUBLIC_PAGES: 'values', TRUST_PROXY: '1' } })
})
afterAll(() => web.stop())

const PARAMETERS = [
  '%00',
  'x'.repeat(3000),
  '%zz',
  '%ed%a0%80',
  '90001-1',
  '1',
  '0',
  '-1',
  '1e309',
  '9007199254740993',
  '..',
]

test.each([
  ['a visitor', false],
  ['a member', true],
])('no page answers %s with an error of its own', { timeout: 300_000 }, async (_, signedIn) => {
  const cookie = signedIn ? await web.signInCookies(await web.createUser()) : ''
  const failed: string[] = []
  let address = 0
  for (const path of listPaths()) {
    if (path === '/sign-out') continue
    for (const parameter of PARAMETERS) {
      const query = `from=${parameter}&page=${parameter}&offset=${parameter}&sort=${parameter}&q=${parameter}&token=${parameter}`
      const target = `${path.replaceAll(/:\w+|\*/g, parameter)}?${query}`
      // Another network each time, so that limits stay out of the way.
      const network = `2001:db8:${(address++).toString(16)}::1`
      const { status } = await fetch(web.origin + target, {
        redirect: 'manual',
        headers: { cookie, 'x-forwarded-for': network },
      })
      if (status >= 500) failed.push(`${status} ${target.slice(0, 120)}`)
    }
  }
  expect(failed).toEqual([])
})
