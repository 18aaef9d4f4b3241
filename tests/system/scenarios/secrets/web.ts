import { setTimeout as sleep } from 'node:timers/promises'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { asRole } from '../../../support/database.ts'
import { REPOSITORY } from '../../../support/paths.ts'
import type { ScenarioContext } from '../../harness/scenario.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import { startWebNode } from '../../harness/web-node.ts'
import { canaryOf, makeCanary, type Canary, type SecretDetector } from './canaries.ts'

const EMAIL = 'robin@example.com'
const PAGES = [
  '/',
  '/keys',
  '/usage',
  '/usage.csv',
  '/account',
  '/account/activity',
  '/alerts',
  '/alerts/email',
  '/webhooks',
  '/collections',
  '/imports',
  '/nothing',
]

/** Results of exercising the web application. */
export type WebRun = {
  responses: number
  /** Responses that contain a secret, except the one that shows a new key. */
  leaks: string[]
  log: string
  /** The half of the session cookie that the database stores; it is useless without the other half. */
  sessionToken: Canary
}

/** Signs up, signs in, creates a key and resets the password, with valid and invalid input and during outages. */
export async function exerciseWebApp(
  environment: TestEnvironment,
  detector: SecretDetector,
  { onTeardown }: Pick<ScenarioContext, 'onTeardown'>,
): Promise<WebRun> {
  const secrets = {
    signing: makeCanary('the cookie signing secret'),
    webhooks: makeCanary('the key of webhook secrets'),
    database: makeCanary('the password of the web database role'),
    password: makeCanary('a user’s password'),
    wrong: makeCanary('a wrong password'),
  }
  detector.add(...Object.values(secrets))
  const web = await startWeb(environment, secrets, onTeardown)
  const visitor = new Visitor(web.origin, detector)
  const { password, wrong } = secrets
  const signIn = (password: Canary, to = '/sign-in') => visitor.post(to, { email: EMAIL, password: password.text })

  await visitor.post('/sign-up', { name: 'Robin', email: EMAIL, password: password.text })
  await visitor.post('/sign-up', { name: '', email: EMAIL, password: wrong.text })
  await signIn(password)
  await signIn(wrong)
  await visitor.get(`/verify-email?token=${wrong.text}`, [wrong])
  const verification = canaryOf('a verification token', await web.tokenFromMail('verify'))
  detector.add(verification)
  await visitor.get(`/verify-email?token=${verification.text}`, [verification])
  await visitor.post('/verify-email', { token: verification.text, password: password.text })
  visitor.cookie = sessionCookie(await signIn(password))
  const [token = '', signature = ''] = decodeURIComponent(visitor.cookie.split('=')[1] ?? '').split('.')
  const sessionToken = canaryOf('a session token', token)
  detector.add(sessionToken, canaryOf('a session signature', signature))
  const key = await extractKey(await visitor.submit('/keys', { name: 'first', expires: 'never' }), () => web.log())
  const shownOnce = canaryOf('a key shown once', key.slice('bmk_live_'.length), 'bmk_live_')
  detector.add(shownOnce)
  for (const page of PAGES) await visitor.get(page)
  for (const page of PAGES) await visitor.get(`${page}?password=${wrong.text}&token=${key}`, [wrong, shownOnce])
  await visitor.post('/forgot-password', { email: EMAIL })
  detector.add(canaryOf('a password reset token', await web.tokenFromMail('reset')))
  await visitor.post('/reset-password', { token: wrong.text, password: password.text })
  await visitor.post('/sign-in', { email: EMAIL, password: password.text }, 'https://elsewhere.example')
  await visitor.post('/keys', { name: key.padEnd(70_000, 'x') })
  for (const table of ['session', 'credential', '"user"']) {
    await sql.raw(`alter table auth.${table} rename to gone`).execute(environment.db)
    await visitor.get('/keys')
    await signIn(password)
    await visitor.post('/forgot-password', { email: EMAIL })
    await sql.raw(`alter table auth.gone rename to ${table}`).execute(environment.db)
  }
  await web.stop()
  return { responses: visitor.responses, leaks: visitor.leaks, log: web.log(), sessionToken }
}

/** Sends requests like a browser and searches the responses for secrets. */
class Visitor {
  cookie = ''
  responses = 0
  readonly leaks: string[] = []
  readonly #origin: string
  readonly #detector: SecretDetector

  constructor(origin: string, detector: SecretDetector) {
    this.#origin = origin
    this.#detector = detector
  }

  /** Fetches a page. It may echo the URL it was requested with. */
  get(path: string, allowedEchoes: Canary[] = []): Promise<Response> {
    return this.#scanResponse(path, this.#fetch(path, {}), allowedEchoes)
  }

  post(path: string, fields: Record<string, string>, origin = this.#origin): Promise<Response> {
    return this.#scanResponse(path, this.submit(path, fields, origin))
  }

  /** Submits a form whose response may contain a secret. */
  submit(path: string, fields: Record<string, string>, origin = this.#origin): Promise<Response> {
    return this.#fetch(path, { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) })
  }

  #fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), cookie: this.cookie }
    return fetch(this.#origin + path, { ...init, headers, redirect: 'manual' })
  }

  async #scanResponse(path: string, pending: Promise<Response>, allowedEchoes: Canary[] = []): Promise<Response> {
    const response = await pending
    const text = await textOf(response)
    this.responses++
    // Set-Cookie is the only header that may contain a session.
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie')
    const found = this.#detector.find(`${JSON.stringify(headers)}\n${text}`, response.status < 400 ? allowedEchoes : [])
    if (found.length > 0) this.leaks.push(`${path.slice(0, 60)} returned ${response.status} with ${found.join(', ')}`)
    return response
  }
}

async function startWeb(
  environment: TestEnvironment,
  { signing, webhooks, database }: Record<'signing' | 'webhooks' | 'database', Canary>,
  stopAtEnd: ScenarioContext['onTeardown'],
) {
  const mails = await mkdtemp(join(tmpdir(), 'brickmark-mails-'))
  stopAtEnd(() => rm(mails, { recursive: true, force: true }))
  const web = await startWebNode(REPOSITORY, {
    DATABASE_URL: asRole(environment.url, 'brickmark_web').replace(/:[^:@]*@/, `:${database.text}@`),
    WEB_SECRET: signing.text,
    WEBHOOK_KEY: webhooks.text,
    MAIL_URL: pathToFileURL(mails).href,
  })
  return {
    ...web,
    /** Returns the token from the newest mail with a link to the page. */
    async tokenFromMail(page: string): Promise<string> {
      for (const deadline = Date.now() + 5000; Date.now() < deadline; await sleep(50)) {
        const names = (await readdir(mails)).toSorted().toReversed()
        for (const name of names) {
          const found = new RegExp(`/${page}\\S*[?&]token=([^&\\s]+)`).exec(await readFile(join(mails, name), 'utf8'))
          if (found) return found[1]!
        }
      }
      throw new Error(`No mail with a link to /${page} was sent.`)
    },
  }
}

async function extractKey(response: Response, log: () => string): Promise<string> {
  const [key] = /bmk_live_[0-9a-f]{48}/.exec(await response.text()) ?? []
  if (key === undefined) throw new Error(`No key was created, status ${response.status}: ${log()}`)
  return key
}

function sessionCookie(response: Response): string {
  const cookie = response.headers.getSetCookie().find((header) => header.includes('session_token='))
  if (cookie === undefined) throw new Error(`Signing in failed: status ${response.status}`)
  return cookie.split(';')[0]!
}

async function textOf(response: Response): Promise<string> {
  return response.bodyUsed ? '' : response.text()
}
