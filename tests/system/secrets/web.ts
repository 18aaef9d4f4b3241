import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { asRole } from '../../support/database.ts'
import { PEPPER } from '../../support/fixtures.ts'
import type { ScenarioContext } from '../scenario.ts'
import type { TestEnvironment } from '../test-environment.ts'
import { canaryOf, makeCanary, type Canary, type SecretDetector } from './canaries.ts'

const REPOSITORY = new URL('../../../', import.meta.url)
const EMAIL = 'robin@example.com'
const PAGES = [
  '/',
  '/keys',
  '/usage',
  '/usage.csv',
  '/account',
  '/account/history',
  '/collections',
  '/imports',
  '/nothing',
]

/** What a visit to the account application showed. */
export type WebRun = {
  answers: number
  /** Answers with a secret in them, but for the one that shows a new key. */
  leaks: string[]
  log: string
  /** Half of the session's cookie, which the database may know: without the other half it opens nothing. */
  sessionToken: Canary
}

/** Signs up, signs in, makes a key, forgets the password, in right and wrong ways and while something is broken. */
export async function exerciseWebApp(
  stage: TestEnvironment,
  detector: SecretDetector,
  { onTeardown }: Pick<ScenarioContext, 'onTeardown'>,
): Promise<WebRun> {
  const secrets = {
    signing: makeCanary('the secret that signs cookies'),
    database: makeCanary('the password of the web database role'),
    password: makeCanary('the password of a person'),
    wrong: makeCanary('a password that is wrong'),
  }
  detector.add(...Object.values(secrets))
  const web = await startWeb(stage, secrets, onTeardown)
  const visitor = new Visitor(web.origin, detector)
  const { password, wrong } = secrets
  const signIn = (password: Canary, to = '/sign-in') => visitor.post(to, { email: EMAIL, password: password.text })

  await visitor.post('/sign-up', { name: 'Robin', email: EMAIL, password: password.text })
  await visitor.post('/sign-up', { name: '', email: EMAIL, password: wrong.text })
  await signIn(password)
  await signIn(wrong)
  await visitor.get(`/verify?token=${wrong.text}`)
  const verification = await web.tokenFromMail('verify')
  detector.add(canaryOf('the token of a first mail', verification))
  await visitor.get(`/verify?token=${verification}`)
  visitor.cookie = sessionCookie(await signIn(password))
  const [token = '', signature = ''] = decodeURIComponent(visitor.cookie.split('=')[1] ?? '').split('.')
  const sessionToken = canaryOf('the token of a session', token)
  detector.add(sessionToken, canaryOf('the signature of a session', signature))
  const key = await extractKey(await visitor.ask('/keys', { name: 'first', expires: 'never' }), web.log)
  const shownOnce = canaryOf('a key that was shown once', key.slice('bmk_live_'.length), 'bmk_live_')
  detector.add(shownOnce)
  for (const page of PAGES) await visitor.get(page)
  for (const page of PAGES) await visitor.get(`${page}?password=${wrong.text}&token=${key}`, [wrong, shownOnce])
  await visitor.post('/reset', { email: EMAIL })
  detector.add(canaryOf('the token of a reset mail', await web.tokenFromMail('reset')))
  await visitor.post('/reset/new', { token: wrong.text, password: password.text })
  await visitor.post('/sign-in', { email: EMAIL, password: password.text }, 'https://elsewhere.example')
  await visitor.post('/keys', { name: key.padEnd(70_000, 'x') })
  for (const table of ['session', 'credential', '"user"']) {
    await sql.raw(`alter table auth.${table} rename to gone`).execute(stage.db)
    await visitor.get('/keys')
    await signIn(password)
    await visitor.post('/reset', { email: EMAIL })
    await sql.raw(`alter table auth.gone rename to ${table}`).execute(stage.db)
  }
  await web.stop()
  return { answers: visitor.answers, leaks: visitor.leaks, log: web.log(), sessionToken }
}

/** Asks as a browser does, and looks for secrets in the answers. */
class Visitor {
  cookie = ''
  answers = 0
  readonly leaks: string[] = []
  readonly #origin: string
  readonly #detector: SecretDetector

  constructor(origin: string, detector: SecretDetector) {
    this.#origin = origin
    this.#detector = detector
  }

  /** A page may name the address it was asked for under. */
  get(path: string, asked: Canary[] = []): Promise<Response> {
    return this.#scanResponse(path, this.#fetch(path, {}), asked)
  }

  post(path: string, fields: Record<string, string>, origin = this.#origin): Promise<Response> {
    return this.#scanResponse(path, this.ask(path, fields, origin))
  }

  /** A form whose answer may hold a secret. */
  ask(path: string, fields: Record<string, string>, origin = this.#origin): Promise<Response> {
    return this.#fetch(path, { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) })
  }

  #fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), cookie: this.cookie }
    return fetch(this.#origin + path, { ...init, headers, redirect: 'manual' })
  }

  async #scanResponse(path: string, asking: Promise<Response>, asked: Canary[] = []): Promise<Response> {
    const answer = await asking
    const text = await textOf(answer)
    this.answers++
    // A cookie that is set is the one place for a session.
    const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie')
    const found = this.#detector.find(`${JSON.stringify(headers)}\n${text}`, answer.status < 400 ? asked : [])
    if (found.length > 0) this.leaks.push(`${path.slice(0, 60)} answered ${answer.status} with ${found.join(', ')}`)
    return answer
  }
}

async function startWeb(
  stage: TestEnvironment,
  { signing, database }: { signing: Canary; database: Canary },
  stopAtEnd: ScenarioContext['onTeardown'],
) {
  if (!existsSync(new URL('apps/web/build/server/index.js', REPOSITORY))) {
    const cwd = fileURLToPath(REPOSITORY)
    await promisify(execFile)('npm', ['run', '--silent', 'build', '--workspace', 'web'], { cwd })
  }
  const mails = await mkdtemp(join(tmpdir(), 'brickmark-mails-'))
  stopAtEnd(() => rm(mails, { recursive: true, force: true }))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const child = spawn(process.execPath, [fileURLToPath(new URL('apps/web/server/main.ts', REPOSITORY))], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: asRole(stage.url, 'brickmark_web').replace(/:[^:@]*@/, `:${database.text}@`),
      API_KEY_PEPPERS: PEPPER,
      WEB_SECRET: signing.text,
      PUBLIC_URL: origin,
      API_URL: 'http://localhost:1/api/v1',
      MAIL_URL: pathToFileURL(mails).href,
      PORT: String(port),
      SIGN_INS_PER_MINUTE: '1000',
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
  stopAtEnd(stop, child.pid)
  while (!output.includes('serving')) {
    if (child.exitCode !== null) throw new Error(`The web application did not start: ${output}`)
    await sleep(20)
  }
  return {
    origin,
    stop,
    log: () => output,
    /** From the newest mail with such a link. */
    async tokenFromMail(page: string): Promise<string> {
      for (const end = Date.now() + 5000; Date.now() < end; await sleep(50)) {
        const names = (await readdir(mails)).toSorted().toReversed()
        for (const name of names) {
          const found = new RegExp(`/${page}\\S*[?&]token=([^&\\s]+)`).exec(await readFile(join(mails, name), 'utf8'))
          if (found) return found[1]!
        }
      }
      throw new Error(`There is no mail with a link to /${page}.`)
    },
  }
}

async function extractKey(answer: Response, log: () => string): Promise<string> {
  const [key] = /bmk_live_[0-9a-f]{48}/.exec(await answer.text()) ?? []
  if (key === undefined) throw new Error(`No key was made, the answer was ${answer.status}: ${log()}`)
  return key
}

function sessionCookie(answer: Response): string {
  const cookie = answer.headers.getSetCookie().find((one) => one.includes('session_token='))
  if (cookie === undefined) throw new Error(`Nobody could sign in: ${answer.status}`)
  return cookie.split(';')[0]!
}

async function textOf(answer: Response): Promise<string> {
  return answer.bodyUsed ? '' : answer.text()
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
