import { setTimeout as sleep } from 'node:timers/promises'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { createAccount } from '@brickmark/core/account/account-commands'
import { createUser } from '@brickmark/core/account/user-commands'
import { hashPassword } from '@brickmark/core/account/password'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { asRole } from '@brickmark/tests/support/database'
import { PEPPER } from '@brickmark/tests/support/fixtures'
import { processCpuMs } from '@brickmark/tests/support/timing'
import { CHROMIUM_PATH, CHROMIUM_ARGS, FULL_CHROMIUM_PATH, cameraArgs } from '@brickmark/tests/support/chromium'
import { startMailServer, type MailServer } from '@brickmark/tests/support/mail-server'

const WEB = fileURLToPath(new URL('../../host/main.ts', import.meta.url))

/** User with an account and credentials. */
export type TestUser = { accountId: number; userId: string; name: string; email: string; password: string }

export type TestWeb = {
  origin: string
  api: TestApi
  /** Superuser connection, to seed and inspect rows. */
  db: Database
  mailServer: MailServer
  /** Opens an isolated browser context without cookies. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Creates a user with an account directly in the database. */
  createUser(options?: { plan?: string }): Promise<TestUser>
  /** Posts the sign-in form and returns the cookies of the new session. */
  signInCookies(user: TestUser): Promise<string>
  /** Opens a browser context in which the user is signed in. */
  signedInContext(user: TestUser, options?: BrowserContextOptions): Promise<BrowserContext>
  /** Output of the web process so far. */
  log(): string
  /** Resident memory of the web process, in megabytes. */
  residentMemory(): Promise<number>
  /** CPU time of the process and its database connections, in milliseconds. */
  cpuTime(): Promise<number>
  stop(): Promise<void>
}

/** Starts PostgreSQL, the API, a mail server and the web process for one test file, and Chromium on demand. */
export async function startTestWeb({
  seed,
  env = {},
  camera,
  chromiumPath = camera === undefined ? CHROMIUM_PATH : FULL_CHROMIUM_PATH,
}: {
  seed?: (db: Database) => Promise<void>
  env?: Record<string, string>
  /** A video that Chromium plays in place of a camera, from its start whenever a page opens the camera. */
  camera?: string
  chromiumPath?: string
} = {}): Promise<TestWeb> {
  const [api, mailServer] = await Promise.all([startTestApi(seed), startMailServer()])
  const { child, origin, output } = await startProcess({
    DATABASE_URL: asRole(api.databaseUrl, 'brickmark_web'),
    API_KEY_PEPPERS: PEPPER,
    WEB_SECRET: randomBytes(32).toString('hex'),
    API_URL: `${api.origin}/api/v1`,
    MAIL_URL: mailServer.url,
    // Tests sign in more often than users do.
    SIGN_INS_PER_MINUTE: '1000',
    ...env,
  })
  let browser: Promise<Browser> | undefined
  const newContext = async (options: BrowserContextOptions = {}) => {
    browser ??= chromium.launch({
      executablePath: chromiumPath,
      args: [...CHROMIUM_ARGS, ...(camera === undefined ? [] : cameraArgs(camera))],
    })
    const context = await (await browser).newContext({ baseURL: origin, ...options })
    context.setDefaultTimeout(20_000)
    return context
  }

  const signInCookies = async ({ email, password }: TestUser) => {
    const response = await fetch(`${origin}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin },
      body: new URLSearchParams({ email, password }),
    })
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    if (cookies.length === 0) throw new Error(`Sign-in of ${email} failed: ${response.status}`)
    return cookies.join('; ')
  }

  return {
    origin,
    api,
    db: api.db,
    mailServer,
    newContext,
    async createUser({ plan = 'reseller' } = {}) {
      const userId = randomUUID()
      const email = `${userId.slice(0, 8)}@example.com`
      const [name, password] = ['Robin', 'a long enough password']
      const accountId = await createAccount(api.db, { name, plan, actor: 'test' })
      const passwordHash = await hashPassword(password, randomBytes(16))
      await createUser(api.db, { id: userId, accountId, name, email, passwordHash })
      return { accountId, userId, name, email, password }
    },
    signInCookies,
    async signedInContext(user, options) {
      const cookies = (await signInCookies(user)).split('; ').map((cookie) => {
        const separator = cookie.indexOf('=')
        return { name: cookie.slice(0, separator), value: cookie.slice(separator + 1), url: origin }
      })
      const context = await newContext(options)
      await context.addCookies(cookies)
      return context
    },
    log: output,
    async residentMemory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024)
    },
    async cpuTime() {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where usename = 'brickmark_web' and datname = current_database()`.execute(
        api.db,
      )
      // A connection may have been closed meanwhile.
      const ofDatabase = rows.map(({ pid }) => processCpuMs(pid).catch(() => 0))
      return (await Promise.all([processCpuMs(child.pid!), ...ofDatabase])).reduce((sum, time) => sum + time, 0)
    },
    async stop() {
      await (await browser)?.close()
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await mailServer.stop()
      await api.stop()
    },
  }
}

const ATTEMPTS = 5

/**
 * Starts the web process on a free port; retries with another if the port is taken before the process listens on it.
 */
async function startProcess(
  env: Record<string, string>,
  attempt = 1,
): Promise<{ child: ChildProcess; origin: string; output: () => string }> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const child = spawn(process.execPath, [WEB], {
    env: { PATH: process.env['PATH'], PUBLIC_URL: origin, PORT: String(port), ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  while (!output.includes('serving')) {
    if (child.exitCode !== null && output.includes('EADDRINUSE') && attempt < ATTEMPTS) {
      return startProcess(env, attempt + 1)
    }
    if (child.exitCode !== null) throw new Error(`The web application did not start: ${output}`)
    await sleep(20)
  }
  return { child, origin, output: () => output }
}
