import { connect } from 'node:net'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerAuthenticator, signInWithPasskey } from './support/software-authenticator.ts'
import { startTestWeb, type TestUser, type TestWeb } from './support/web.ts'

/** Attacks on sessions and forms over plain HTTP. */

let web: TestWeb
let user: TestUser
let cookie: string

beforeAll(async () => {
  web = await startTestWeb()
  user = await web.createUser()
  cookie = await web.signInCookies(user)
})
afterAll(() => web.stop())

type Options = { cookie?: string; origin?: string | undefined; fields?: Record<string, string>; headers?: object }

const get = (path: string, { cookie, headers }: Options = {}) =>
  fetch(web.origin + path, { redirect: 'manual', headers: { ...(cookie && { cookie }), ...headers } })

const post = (path: string, { cookie, origin, fields = {}, headers }: Options = {}) =>
  fetch(web.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...(cookie && { cookie }), ...(origin !== undefined && { origin }), ...headers },
    body: new URLSearchParams(fields),
  })

const isSignedIn = async (cookie: string) => (await get('/account', { cookie })).status === 200

describe('cross-origin forms', () => {
  const FOREIGN: [string, Options][] = [
    ['another site', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['no origin at all', {}],
    ['a sibling site', { headers: { 'sec-fetch-site': 'same-site' } }],
  ]
  test.each(FOREIGN)('rejects forms from %s on every route and changes nothing', async (_, options) => {
    for (const path of ['/account', '/sign-out', '/sign-in', '/theme', '/account.data', '/no/where']) {
      const response = await post(path, { cookie, ...options, fields: { intent: 'end-all' } })
      expect(response.status, path).toBe(403)
      expect(response.headers.getSetCookie(), path).toEqual([])
    }
    expect(await isSignedIn(cookie)).toBe(true)
  })

  test('accepts same-origin forms, also by Sec-Fetch-Site alone', async () => {
    expect((await post('/theme', { origin: web.origin })).status).toBe(302)
    expect((await post('/theme', { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(302)
  })
})

describe('sessions', () => {
  test('signing in creates a new session, whatever cookie was sent', async () => {
    const planted = 'brickmark.session_token=planted.by%20the%20attacker'
    const before = await web.signInCookies(user)
    for (const sentCookie of [planted, before]) {
      const response = await post('/sign-in', {
        origin: web.origin,
        cookie: sentCookie,
        fields: { email: user.email, password: user.password },
      })
      const [setCookie = ''] = response.headers.getSetCookie()
      expect(setCookie).toMatch(/^brickmark\.session_token=[^;]+;.*HttpOnly; SameSite=Lax/)
      expect(setCookie.split(';')[0]).not.toBe(sentCookie)
    }
    expect(await isSignedIn(planted)).toBe(false)
    // The replaced session ends, because no cookie refers to it any more.
    expect(await isSignedIn(before)).toBe(false)
  })

  test('rejects a session cookie after sign-out', async () => {
    const used = await web.signInCookies(user)
    expect(await isSignedIn(used)).toBe(true)
    await post('/sign-out', { origin: web.origin, cookie: used })
    expect(await isSignedIn(used)).toBe(false)
  })

  test('rejects session tokens with a forged or missing signature', async () => {
    const { token } = await web.db
      .selectFrom('auth.session')
      .select('token')
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow()
    const signed = /brickmark\.session_token=[^;]+/.exec(cookie)![0]
    expect(await isSignedIn(signed)).toBe(true)
    for (const forged of [token, `${token}.`, `${token}.AAAA`, signed.slice(0, -6)]) {
      expect(await isSignedIn(forged.includes('=') ? forged : `brickmark.session_token=${forged}`)).toBe(false)
    }
  })

  test('sessions of other accounts are neither listed nor ended', async () => {
    const other = await web.createUser()
    const otherCookie = await web.signInCookies(other)
    const { id } = await web.db
      .selectFrom('auth.session')
      .select('id')
      .where('user_id', '=', other.userId)
      .executeTakeFirstOrThrow()
    const page = await (await get('/account', { cookie })).text()
    expect(page).toContain(user.email)
    expect(page).not.toContain(other.email)
    expect(page).not.toContain(id)
    const response = await post('/account', { origin: web.origin, cookie, fields: { intent: 'end-session', id } })
    expect(response.status).toBe(400)
    expect(await isSignedIn(otherCookie)).toBe(true)
  })

  test('redirects only to our own pages after signing in', async () => {
    for (const [to, expected] of [
      ['/account', '/account'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
      ['https://evil.example', '/'],
      // Browsers strip these characters from URLs; the rest names another site.
      ['/\t/evil.example', '/'],
      ['/\n/evil.example', '/'],
      ['/\r/evil.example', '/'],
      ['/\0/evil.example', '/'],
      ['/ /evil.example', '/'],
      ['/\x7f/evil.example', '/'],
      ['/account\n', '/'],
      ['/a\\b', '/'],
      ['/.//evil.example', '/'],
      ['/a/..//evil.example', '/'],
      ['/search?q=caf%C3%A9%20au%20lait', '/search?q=caf%C3%A9%20au%20lait'],
      ['/search?q=塔', '/search?q=%E5%A1%94'],
    ] as const) {
      const fields = { email: user.email, password: user.password, to }
      const response = await post('/sign-in', { origin: web.origin, fields })
      expect(response.headers.get('location'), JSON.stringify(to)).toBe(expected)
      const already = await get(`/sign-in?to=${encodeURIComponent(to)}`, { cookie })
      expect(already.headers.get('location'), JSON.stringify(to)).toBe(expected)
      const themed = await post('/theme', { origin: web.origin, fields: { to } })
      expect(themed.headers.get('location'), JSON.stringify(to)).toBe(expected)
    }
  })

  test('the second sign-in step with an existing session doesn’t enable two-factor authentication', async () => {
    const someone = await web.createUser()
    const otherCookie = await web.signInCookies(someone)
    const fields = { intent: 'begin', password: someone.password }
    const page = await (await post('/account/two-factor', { origin: web.origin, cookie: otherCookie, fields })).text()
    const code = new TOTP({ secret: /secret=([A-Z2-7]+)/.exec(page)![1]! }).generate()
    const response = await post('/sign-in/code', {
      origin: web.origin,
      cookie: otherCookie,
      fields: { code, to: '/keys' },
    })
    expect(response.headers.get('location')).toBe('/keys')
    expect(response.headers.getSetCookie()).toEqual([])
    const rows = web.db.selectFrom('auth.two_factor').select('verified').where('user_id', '=', someone.userId)
    expect(await rows.execute()).toEqual([{ verified: false }])
  })
})

test('rejects passkeys without user verification, because they replace both factors', async () => {
  const device = await registerAuthenticator(web, user)
  const unverified = await signInWithPasskey(web, device, false)
  expect(unverified.status).toBe(400)
  expect(unverified.headers.getSetCookie().join()).not.toContain('session_token')
  const verified = await signInWithPasskey(web, device, true)
  expect(verified.status).toBe(200)
  expect(verified.headers.getSetCookie().join()).toContain('session_token')
})

describe('account enumeration', () => {
  const responseFor = async (path: string, fields: Record<string, string>, email: string) => {
    const response = await post(path, { origin: web.origin, fields: { ...fields, email } })
    const page = (await response.text()).replaceAll(email, 'EMAIL')
    return {
      status: response.status,
      page: page.replaceAll(/nonce="[^"]+"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ''),
    }
  }
  test.each([
    ['/forgot-password', {}],
    ['/sign-in', { password: 'wrong password' }],
    ['/sign-up', { name: 'Eve', password: 'a good password' }],
  ])('%s responds identically to known and unknown addresses', async (path, fields) => {
    const known = await responseFor(path, fields, user.email)
    expect(known).toEqual(await responseFor(path, fields, 'nobody@example.com'))
  })

  test('emails the owner when their address is used to sign up again', async () => {
    await post('/sign-up', {
      origin: web.origin,
      fields: { name: 'Eve', email: user.email, password: 'a good password' },
    })
    await web.mailServer.waitForEmail(user.email, 'You already have a Brickmark account')
  })
})

test('every response forbids framing, third-party scripts and caching', async () => {
  const responses = [
    await get('/sign-in'),
    await get('/'),
    await get('/no/where'),
    await get('/healthz'),
    await get('/account.data', { cookie }),
    await post('/account', { origin: 'https://evil.example' }),
    await post('/sign-in', { origin: web.origin, fields: { email: 'x'.repeat(70_000) } }),
  ]
  for (const { headers, status, url } of responses) {
    const policy = headers.get('content-security-policy')
    expect(policy, `${status} ${url}`).toMatch(/script-src 'self' 'nonce-[\w-]{20,}';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-store')
  }
  const nonces = responses.map(({ headers }) => /nonce-([\w-]+)/.exec(headers.get('content-security-policy')!)![1])
  expect(new Set(nonces).size).toBe(responses.length)
})

test('only the page that scans barcodes may use the camera and WebAssembly', async () => {
  const headersOf = async (path: string) => {
    const { headers } = await get(path, { cookie })
    return [headers.get('permissions-policy'), headers.get('content-security-policy')] as const
  }
  const [permissions, policy] = await headersOf('/collections/1/add?q=90001')
  expect(permissions).toBe('camera=(self), geolocation=(), microphone=(), payment=()')
  expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'nonce-[\w-]{20,}';/)
  for (const path of [
    '/',
    '/collections/1',
    '/collections/1/addx',
    '/collections/1/add/x',
    '/search?q=/collections/1/add',
  ]) {
    const [permissions, policy] = await headersOf(path)
    expect(permissions, path).toBe('camera=(), geolocation=(), microphone=(), payment=()')
    expect(policy, path).not.toContain('wasm')
  }
})

test('responds 413 to a form larger than 64 KB', async () => {
  const response = await post('/sign-in', { origin: web.origin, fields: { email: 'x'.repeat(70_000) } })
  expect(response.status).toBe(413)
})

test.each([
  ['/passkey/sign-in', 'application/json', '{'],
  ['/passkey/sign-in', 'application/json', 'null'],
  ['/passkey/sign-in', 'application/json', '[]'],
  ['/passkey/sign-in', 'application/json', '{}'],
  ['/passkey/sign-in', 'application/x-www-form-urlencoded', 'a=b'],
  ['/sign-in', 'application/json', '{"email":"a@example.com"}'],
  ['/sign-in', 'text/plain', 'email=a'],
  ['/sign-in', 'multipart/form-data; boundary=x', 'nonsense'],
  ['/sign-in', 'multipart/form-data', '--x--'],
  ['/sign-up.data', 'application/json', '[]'],
])('responds 400 to a POST to %s of type %s with %s', async (path, type, body) => {
  const headers = { origin: web.origin, 'content-type': type }
  const response = await fetch(web.origin + path, { method: 'POST', headers, body, redirect: 'manual' })
  expect(response.status).toBe(400)
})

test('no path but a whole unsubscribe link is excepted from the origin check', async () => {
  const { port } = new URL(web.origin)
  for (const target of [
    '/unsubscribe/../keys',
    '/unsubscribe/%2e%2e/keys',
    '/unsubscribe/x/../../keys',
    '/unsubscribe//',
  ])
    expect(
      await sendRaw(port, `POST ${target} HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${cookie}\r\n`),
      target,
    ).toBe(403)
})

test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('responds 405 to %s', async (method) => {
  for (const path of ['/passkey/sign-in', '/account', '/']) {
    const headers = { origin: web.origin, cookie }
    expect((await fetch(web.origin + path, { method, headers, redirect: 'manual' })).status, path).toBe(405)
  }
})

test('understands a target with scheme and host, and ignores the host', async () => {
  const { port } = new URL(web.origin)
  const head = `HTTP/1.1\r\nHost: localhost:${port}\r\n`
  expect(await sendRaw(port, `GET http://elsewhere.example/sign-in ${head}`)).toBe(200)
  expect(await sendRaw(port, `GET ftp://elsewhere.example/ ${head}`)).toBe(404)
})

test('responds 404 to a POST to a webhook that can’t exist', async () => {
  expect((await post('/webhooks/abc', { cookie, origin: web.origin, fields: { intent: 'test' } })).status).toBe(404)
})

test('a sign-up with an enormous address is refused at once', async () => {
  const email = `${Array.from({ length: 8000 }, (_, index) => `word${index}`)
    .join('.')
    .slice(0, 60_000)}@example.com`
  const fields = { name: 'A', email, password: 'correct horse battery staple' }
  const started = performance.now()
  const response = await post('/sign-up', { origin: web.origin, fields })
  expect([response.status, (await response.text()).includes('Enter a valid email address.')]).toEqual([400, true])
  expect(performance.now() - started).toBeLessThan(1500)
})

/** Sends the head of a request as it is, which fetch wouldn't, and returns the status. */
function sendRaw(port: string, head: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), 'localhost', () =>
      socket.write(`${head}Content-Length: 0\r\nConnection: close\r\n\r\n`),
    )
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => (text += chunk))
    socket.on('error', reject).on('close', () => resolve(Number(text.slice(9, 12))))
  })
}

test('a POST without a body is a form without fields', async () => {
  const headers = { origin: web.origin }
  const response = await fetch(`${web.origin}/sign-in`, { method: 'POST', headers, redirect: 'manual' })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('<form')
})

test('redirects other hosts to the public URL', async () => {
  const response = await fetch(`${web.origin.replace('localhost', '127.0.0.1')}/account?a=1`, { redirect: 'manual' })
  expect(response.headers.get('location')).toBe(`${web.origin}/account?a=1`)
})

test('an error page repeats nothing of its URL', async () => {
  const cookie = await web.signInCookies(await web.createUser())
  const response = await fetch(`${web.origin}/nothing?token=canary-0123456789`, { headers: { cookie } })
  expect(response.status).toBe(404)
  const html = await response.text()
  expect(html).toContain('name="theme"')
  expect(html).not.toContain('canary-0123456789')
})

test('doesn’t log secrets', () => {
  expect(web.log()).toContain('serving')
  for (const secret of [user.password, user.email, 'brickmark.session_token']) expect(web.log()).not.toContain(secret)
})

describe('with https and production rate limits', () => {
  let strictWeb: TestWeb
  beforeAll(async () => {
    strictWeb = await startTestWeb({
      env: {
        SECURITY_CONTACT: 'security@example.com',
        PUBLIC_URL: 'https://app.example.test',
        SIGN_INS_PER_MINUTE: '3',
        TRUST_PROXY: '1',
      },
    })
  })
  afterAll(() => strictWeb.stop())

  const tryOnce = async (address: string, password: string, email: string) => {
    // Acts as the proxy: plain HTTP with X-Forwarded-For.
    const { request } = await import('node:http')
    return new Promise<{ status: number; cookies: string[]; hsts: string | undefined }>((resolve, reject) => {
      const headers = {
        host: 'app.example.test',
        origin: 'https://app.example.test',
        'x-forwarded-for': `6.6.6.6, ${address}`,
        'content-type': 'application/x-www-form-urlencoded',
      }
      const sent = request(
        `${strictWeb.origin}/sign-in`.replace('localhost', '127.0.0.1'),
        { method: 'POST', headers },
        (response) => {
          response.resume()
          resolve({
            status: response.statusCode ?? 0,
            cookies: response.headers['set-cookie'] ?? [],
            hsts: response.headers['strict-transport-security'],
          })
        },
      )
      sent.on('error', reject)
      sent.end(new URLSearchParams({ email, password }).toString())
    })
  }

  test('serves security.txt', async () => {
    const host = strictWeb.origin.replace('localhost', '127.0.0.1')
    const response = await fetch(`${host}/.well-known/security.txt`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(await response.text()).toMatch(/^Contact: mailto:security@example.com\nExpires: /)
  })

  test('cookies are bound to the host; sign-in attempts are limited per IP', async () => {
    const { email, password } = await strictWeb.createUser()
    const response = await tryOnce('10.0.0.1', password, email)
    expect(response.cookies[0]).toMatch(/^__Host-brickmark\.session_token=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect(response.cookies[1]).toMatch(/^__Host-brickmark\.device=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    for (const cookie of response.cookies) expect(cookie).not.toContain('Domain')
    expect(response.hsts).toContain('max-age=')
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await tryOnce('10.0.0.2', 'wrong password', email)).status)
    expect(statuses.slice(0, 3)).toEqual([400, 400, 400])
    // The limit also blocks the correct password from that IP, but not from another.
    expect((await tryOnce('10.0.0.2', password, email)).cookies).toEqual([])
    expect((await tryOnce('10.0.0.3', password, email)).cookies[0]).toMatch(/session_token=./)
  })
})
