import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setOperator } from '@brickmark/core/account/user-commands'
import { issueKey } from '@brickmark/core/account/api-key-commands'
import { PEPPER } from '@brickmark/tests/support/fixtures'
import { registerAuthenticator, signInWithPasskey } from './support/software-authenticator.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

/** Attacks on accounts over plain HTTP, and what their owners hear of them. */

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ env: { TRUST_PROXY: '1' } })
})
afterAll(() => web.stop())

const PASSWORD = 'correct horse battery'

/** A browser without JavaScript: it keeps cookies. */
class TestClient {
  readonly #cookies = new Map<string, string>()
  readonly #address: string

  /** Every browser has an address of its own, so that limits per address stay out of the way. */
  constructor(address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`) {
    this.#address = address
  }

  async request(path: string, fields?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, web.origin), {
      method: fields ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie, origin: web.origin, 'user-agent': 'Test browser', 'x-forwarded-for': this.#address },
      ...(fields && { body: new URLSearchParams(fields) }),
    })
    for (const setCookie of response.headers.getSetCookie()) {
      const [name, value] = setCookie.split(';')[0]!.split('=') as [string, string]
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }

  signIn({ email, password }: { email: string; password: string }): Promise<Response> {
    return this.request('/sign-in', { email, password })
  }

  endSession(): void {
    for (const name of this.#cookies.keys()) if (!name.endsWith('device')) this.#cookies.delete(name)
  }
}

const linkIn = (mail: string) => /https?:\/\/\S+/.exec(mail)![0]
const audit = async ({ accountId }: { accountId: number }) => {
  const entries = web.db.selectFrom('account.audit_log').select('action').where('account_id', '=', accountId)
  return (await entries.orderBy('id').execute()).map(({ action }) => action)
}
const isVerified = async (email: string) => {
  const found = web.db.selectFrom('auth.user').select('email_verified').where('email', '=', email)
  return (await found.executeTakeFirst())?.email_verified
}

describe('an account opened with somebody else’s address', () => {
  const signUp = async (email: string, password: string) => {
    const before = web.mailServer.countEmails(email)
    const response = await new TestClient().request('/sign-up', { name: 'Name', email, password })
    expect(response.status).toBe(200)
    await expect.poll(() => web.mailServer.countEmails(email)).toBe(before + 1)
    return linkIn(await web.mailServer.waitForEmail(email, 'Confirm your email'))
  }
  const confirm = (link: string, password: string) =>
    new TestClient().request('/verify-email', { token: new URL(link).searchParams.get('token')!, password })

  test('opening the link confirms nothing; only the password that was chosen does', async () => {
    const email = 'victim@example.com'
    const link = await signUp(email, PASSWORD)
    expect((await fetch(link)).status).toBe(200)
    expect(await isVerified(email)).toBe(false)
    expect((await confirm(link, 'another good password')).status).toBe(400)
    expect(await isVerified(email)).toBe(false)
    const confirmed = await confirm(link, PASSWORD)
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([302, '/'])
    expect(await isVerified(email)).toBe(true)
  })

  test('is replaced when its owner signs up, and the other password lets nobody in', async () => {
    const email = 'late@example.com'
    await signUp(email, 'the attacker was here first')
    const link = await signUp(email, PASSWORD)
    expect((await confirm(link, 'the attacker was here first')).status).toBe(400)
    expect((await confirm(link, PASSWORD)).status).toBe(302)
    expect((await new TestClient().signIn({ email, password: 'the attacker was here first' })).status).toBe(400)
  })

  test('a confirmed account is never replaced', async () => {
    const user = await web.createUser()
    await new TestClient().request('/sign-up', { name: 'Eve', email: user.email, password: PASSWORD })
    await web.mailServer.waitForEmail(user.email, 'You already have')
    expect((await new TestClient().signIn(user)).status).toBe(302)
  })
})

describe('two-factor codes', () => {
  async function enroll(client: TestClient, user: TestUser): Promise<{ totp: TOTP; used: string }> {
    await client.signIn(user)
    const started = await client.request('/account/two-factor', { intent: 'begin', password: user.password })
    const secret = /secret=([A-Z2-7]+)/.exec(await started.text())![1]!
    const totp = new TOTP({ secret })
    const used = totp.generate()
    const confirmed = await client.request('/account/two-factor', { intent: 'confirm', code: used })
    expect(confirmed.status).toBe(302)
    return { totp, used }
  }
  const enterCode = (client: TestClient, code: string) =>
    client.request('/sign-in/code', { intent: 'code', code, to: '/' })

  test('a code works once, also when it is sent twice at the same time', async () => {
    const user = await web.createUser()
    const { totp, used } = await enroll(new TestClient(), user)
    const clients = [new TestClient(), new TestClient(), new TestClient()]
    for (const client of clients)
      expect((await client.signIn(user)).headers.get('location')).toMatch(/^\/sign-in\/code/)
    const code = totp.generate({ timestamp: Date.now() + 30_000 })
    const statuses = await Promise.all(
      clients.slice(0, 2).map(async (client) => (await enterCode(client, code)).status),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([302, 400])
    expect((await enterCode(clients[2]!, code)).status).toBe(400)
    // Nor does the code that switched it on.
    expect((await enterCode(clients[2]!, used)).status).toBe(400)
  })

  test('operators need one, or a passkey, for the operator pages', async () => {
    const user = await web.createUser()
    expect(await setOperator(web.db, user.email, true)).toBe('no_second_factor')
    const client = new TestClient()
    await client.signIn(user)
    const { totp } = await enroll(client, user)
    expect((await client.request('/admin')).status).toBe(404)
    expect(await setOperator(web.db, user.email, true)).toBeUndefined()
    expect((await client.request('/admin')).status).toBe(200)
    // A session with a password alone, although the second step is on.
    const { userId } = user
    await web.db.updateTable('auth.session').set({ second_factor: false }).where('user_id', '=', userId).execute()
    expect((await client.request('/admin')).headers.get('location')).toMatch(/^\/sign-in\?done=again/)
    client.endSession()
    await client.signIn(user)
    expect((await enterCode(client, totp.generate({ timestamp: Date.now() + 30_000 }))).status).toBe(302)
    expect((await client.request('/admin')).status).toBe(200)
    // Switching it off ends that, and adding another one doesn't bring it back.
    await client.request('/account/two-factor', { intent: 'off', password: user.password })
    expect((await client.request('/admin')).status).toBe(404)

    const device = await registerAuthenticator(web, user)
    expect((await client.request('/admin')).status).toBe(404)
    expect(await setOperator(web.db, user.email, true)).toBeUndefined()
    // With the password alone, an operator has to use it.
    expect((await client.request('/admin')).headers.get('location')).toBe('/account?need=second-factor')
    expect(await (await client.request('/account?need=second-factor')).text()).toContain('Admins need a second factor')
    const response = await signInWithPasskey(web, device, true)
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    expect((await fetch(`${web.origin}/admin`, { headers: { cookie } })).status).toBe(200)
  })
})

describe('what an owner hears of', () => {
  test.each([
    [
      'a changed password',
      { intent: 'password' },
      '/account',
      'password.changed',
      'Your Brickmark password was changed',
    ],
    ['a removed passkey', { intent: 'remove-passkey' }, '/account', 'passkey.removed', 'A passkey was removed'],
  ])('%s', async (_, fields, path, action, subject) => {
    const user = await web.createUser()
    await registerAuthenticator(web, user)
    const { id } = await web.db
      .selectFrom('auth.passkey')
      .select('id')
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow()
    const client = new TestClient()
    await client.signIn(user)
    await client.request(path, { ...fields, current: user.password, new: PASSWORD, id })
    expect(await audit(user)).toContain(action)
    const mail = await web.mailServer.waitForEmail(user.email, subject)
    expect(mail).toContain('reset your password now')
    expect(mail).toContain('Test browser')
  })

  test('two-factor authentication being switched on and off', async () => {
    const user = await web.createUser()
    const client = new TestClient()
    await client.signIn(user)
    const started = await client.request('/account/two-factor', { intent: 'begin', password: user.password })
    const totp = new TOTP({ secret: /secret=([A-Z2-7]+)/.exec(await started.text())![1]! })
    await client.request('/account/two-factor', { intent: 'confirm', code: totp.generate() })
    await web.mailServer.waitForEmail(user.email, 'Two-factor authentication is on')
    await client.request('/account/two-factor', { intent: 'off', password: user.password })
    await web.mailServer.waitForEmail(user.email, 'Two-factor authentication is off')
    expect(await audit(user)).toEqual(expect.arrayContaining(['two-factor.enabled', 'two-factor.disabled']))
  })

  test('a sign-in with a new browser, but not with the first or a known one', async () => {
    const user = await web.createUser()
    const first = new TestClient()
    await first.signIn(user)
    first.endSession()
    await first.signIn(user)
    expect(await audit(user)).toEqual(['account.created', 'sign-in.new-device'])
    expect(web.mailServer.countEmails(user.email)).toBe(0)
    await new TestClient().signIn(user)
    await web.mailServer.waitForEmail(user.email, 'New sign-in')
    expect(await audit(user)).toEqual(['account.created', 'sign-in.new-device', 'sign-in.new-device'])
  })

  test('a password reset, which can revoke keys and passkeys', async () => {
    for (const revoke of [false, true]) {
      const user = await web.createUser()
      const { key } = await issueKey(web.db, [PEPPER], { accountId: user.accountId, name: 'sheet' })
      await registerAuthenticator(web, user)
      await new TestClient().request('/forgot-password', { email: user.email })
      const link = linkIn(await web.mailServer.waitForEmail(user.email, 'Reset your password'))
      const token = new URL(link).searchParams.get('token')!
      const fields = { token, password: PASSWORD, ...(revoke && { revoke: 'yes' }) }
      const done = await new TestClient().request('/reset-password', fields)
      expect(done.headers.get('location')).toBe(`/sign-in?done=${revoke ? 'revoked' : 'reset'}`)
      await web.mailServer.waitForEmail(user.email, 'Your Brickmark password was reset')
      expect(await audit(user)).toContain('password.changed')
      expect((await web.api.get('/brickfolio', key)).status).toBe(revoke ? 401 : 200)
      const { rows } = await sql`select from auth.passkey where user_id = ${user.userId}`.execute(web.db)
      expect(rows).toHaveLength(revoke ? 0 : 1)
    }
  })
})

describe('guessing', () => {
  test('one account from many addresses: 429 with Retry-After, but known browsers, passkeys and resets still work', async () => {
    const user = await web.createUser()
    const known = new TestClient()
    await known.signIn(user)
    known.endSession()
    for (let n = 0; n < 10; n++) {
      expect((await new TestClient().signIn({ ...user, password: 'wrong password' })).status).toBe(400)
    }
    const refused = await new TestClient().signIn(user)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    expect(await refused.text()).toContain('Too many incorrect passwords for this email')

    expect((await known.signIn(user)).status).toBe(302)
    const device = await registerAuthenticator(web, user)
    expect((await signInWithPasskey(web, device, true)).status).toBe(200)
    await new TestClient().request('/forgot-password', { email: user.email })
    await web.mailServer.waitForEmail(user.email, 'Reset your password')
  })

  test('an address without an account is limited in the same way', async () => {
    const email = `${randomUUID()}@example.com`
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      statuses.push((await new TestClient().signIn({ email, password: 'wrong password' })).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
  })

  test('right passwords use up nothing', async () => {
    const user = await web.createUser()
    for (let n = 0; n < 15; n++) expect((await new TestClient().signIn(user)).status).toBe(302)
  })

  test('a recipient gets at most five mails an hour that anyone can request', async () => {
    const user = await web.createUser()
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) {
      statuses.push((await new TestClient().request('/forgot-password', { email: user.email })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(web.mailServer.countEmails(user.email)).toBeLessThanOrEqual(5)
  })

  test.each(['password12', 'qwertyuiop', '1234567890', 'letmein12345', 'Brickmark2026', 'robinrobin'])(
    'rejects the password %s at sign-up, reset and change',
    async (password) => {
      const user = await web.createUser()
      const message = 'That password is easy to guess'
      const email = `${randomUUID()}@example.com`
      const signUp = await new TestClient().request('/sign-up', { name: 'Robin', email, password })
      expect([signUp.status, (await signUp.text()).includes(message)]).toEqual([400, true])
      const client = new TestClient()
      await client.signIn(user)
      const changed = await client.request('/account', { intent: 'password', current: user.password, new: password })
      expect([changed.status, (await changed.text()).includes(message)]).toEqual([400, true])
      expect((await new TestClient().signIn(user)).status).toBe(302)
    },
  )
})

describe('timing doesn’t tell whether an address has an account', () => {
  const ATTEMPTS = 20
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
  let known: TestUser[]

  beforeAll(async () => {
    known = []
    for (let n = 0; n < ATTEMPTS; n++) known.push(await web.createUser())
  })

  test.each([
    ['sign-in', '/sign-in', { password: 'wrong password' }],
    ['password reset', '/forgot-password', {}],
    ['sign-up', '/sign-up', { name: 'Name', password: PASSWORD }],
  ])('%s', async (name, path, fields) => {
    const time = async (email: string) => {
      const start = performance.now()
      await (await new TestClient().request(path, { ...fields, email })).text()
      return performance.now() - start
    }
    const pairs: { known: number; unknown: number }[] = []
    for (const user of known) {
      pairs.push({ known: await time(user.email), unknown: await time(`${randomUUID()}@example.com`) })
    }
    const a = median(pairs.map((pair) => pair.known))
    const b = median(pairs.map((pair) => pair.unknown))
    const slower = pairs.filter((pair) => pair.known > pair.unknown).length
    console.log(
      `${name}: ${a.toFixed(0)} ms for a known address, ${b.toFixed(0)} ms for an unknown one, ` +
        `${slower} of ${ATTEMPTS} known ones slower`,
    )
    // A busy machine shifts a median, but not one answer of each pair: only both together tell the addresses apart.
    const isLarge = Math.abs(a - b) > Math.max(10, 0.25 * Math.max(a, b))
    const isConsistent = Math.max(slower, ATTEMPTS - slower) >= 0.85 * ATTEMPTS
    expect(isLarge && isConsistent).toBe(false)
  })
})
