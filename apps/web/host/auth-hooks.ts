import { createHash, randomBytes } from 'node:crypto'
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { parseCookies } from 'better-auth/cookies'
import { deleteUnconfirmedAccount } from '@brickmark/core/account/account-commands'
import { rememberDevice } from '@brickmark/core/account/known-device-commands'
import { isKnownDevice } from '@brickmark/core/account/known-device-queries'
import { claimCode } from '@brickmark/core/account/used-code-commands'
import { writeAs, type Database } from '@brickmark/core/db/database'
import { deleteAllPush, deleteDevicePush } from '@brickmark/core/webhook/push-subscription-commands'
import type { WebConfig } from './config.ts'
import { securityEventEmail, type SecurityEvent } from './emails.ts'
import type { Mailer } from './mailer.ts'
import type { PasswordStrength } from './password-strength.ts'
import type { RateLimits } from './rate-limits.ts'

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]
type User = { id: string; email: string; twoFactorEnabled?: boolean | null }

const YEAR_S = 31_536_000
const MAX_CLIENT_LENGTH = 200
/** No address that mail reaches is longer (RFC 5321). */
const MAX_EMAIL_LENGTH = 254

/** Paths that end a sign-in with a second factor. A passkey counts as two. */
export const SECOND_FACTOR_PATHS = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
])
/** Code of the error that a sign-in gets if everything is right, but the account is suspended. */
export const ACCOUNT_SUSPENDED = 'ACCOUNT_SUSPENDED'
const SIGN_IN_PATHS = new Set(['/sign-in/email', ...SECOND_FACTOR_PATHS])
/** Paths that send an email to an address that anyone can enter. */
const EMAIL_PATHS = new Set(['/sign-up/email', '/request-password-reset', '/send-verification-email'])
const NEW_PASSWORD_FIELDS: Record<string, string> = {
  '/sign-up/email': 'password',
  '/reset-password': 'newPassword',
  '/change-password': 'newPassword',
}
const EVENTS: Record<string, SecurityEvent> = {
  '/change-password': 'password changed',
  '/two-factor/disable': 'two-factor disabled',
  '/passkey/verify-registration': 'passkey added',
  '/passkey/delete-passkey': 'passkey removed',
}

/** Paths that sign out all browsers but this one. */
const OTHERS_SIGNED_OUT_PATHS = new Set(['/revoke-other-sessions', '/change-password'])

/** What sign-in depends on besides the database and the configuration. */
export type AuthServices = { mailer: Mailer; rateLimits: RateLimits; passwordStrength: PasswordStrength }

/** What better-auth doesn't check itself. `before` may refuse a request; `after` sees its outcome. */
export function createAuthHooks(db: Database, config: WebConfig, services: AuthServices) {
  const hooks = new AuthHooks(db, config, services)
  return {
    before: createAuthMiddleware(async (ctx) => hooks.before(ctx)),
    after: createAuthMiddleware(async (ctx) => hooks.after(ctx)),
  }
}

class AuthHooks {
  readonly #database: Database
  readonly #config: WebConfig
  readonly #mailer: Mailer
  readonly #limits: RateLimits
  readonly #passwordStrength: PasswordStrength

  constructor(db: Database, config: WebConfig, { mailer, rateLimits, passwordStrength }: AuthServices) {
    this.#database = db
    this.#config = config
    this.#mailer = mailer
    this.#limits = rateLimits
    this.#passwordStrength = passwordStrength
  }

  async before(context: Context): Promise<void> {
    // First, because everything below takes longer for a longer address.
    if (emailOf(context).length > MAX_EMAIL_LENGTH)
      throw new APIError('BAD_REQUEST', { code: 'INVALID_EMAIL', message: 'The address is too long.' })
    if (context.path === '/sign-in/email') await this.#limitSignIns(context)
    await this.#rejectEasyPassword(context)
    if (EMAIL_PATHS.has(context.path))
      rejectIfLimited(await this.#limits.emails.take(emailOf(context)), 'TOO_MANY_EMAILS')
    if (context.path === '/sign-up/email') await deleteUnconfirmedAccount(this.#database, emailOf(context))
    if (context.path === '/two-factor/verify-totp') await this.#rejectUsedCode(context)
    if (context.path === '/sign-out') await this.#endPushHere(context)
  }

  async after(context: Context): Promise<void> {
    const { returned, newSession } = context.context
    if (context.path === '/sign-in/email' && isRightPassword(returned)) await this.#refundSignIn(context)
    if (isAPIError(returned)) return
    const session = newSession ?? context.context.session
    const event = EVENTS[context.path] ?? (isEnrollment(context) ? 'two-factor enabled' : undefined)
    if (session) await this.#endPush(context, accountOf(session.user))
    if (session && event) this.#notify(context, session.user, event)
    if (newSession && SIGN_IN_PATHS.has(context.path)) await this.#rememberDevice(context, newSession.user as User)
  }

  /** Sends the owner of an account an email about a change to it. */
  #notify(context: Context, { email }: { email: string }, event: SecurityEvent): void {
    this.#mailer.send(securityEventEmail(this.#config.publicUrl, email, event, clientOf(context)))
  }

  /**
   * Slows down guessing one user's password from many addresses. A browser that the user has signed in with before has
   * its own attempts, and passkeys and password resets have none, so that an attacker can't lock the user out.
   */
  async #limitSignIns(context: Context): Promise<void> {
    const email = emailOf(context)
    const device = hashDeviceId(context)
    const isKnown = await isKnownDevice(this.#database, email, device ?? Buffer.alloc(32))
    const waits = isKnown
      ? [await this.#limits.signInsOfDevice.take(device!.toString('hex'))]
      : [await this.#limits.signIns.take(email), await this.#limits.signInsPerDay.take(email)]
    rejectIfLimited(Math.max(...waits), 'TOO_MANY_SIGN_INS')
  }

  async #refundSignIn(context: Context): Promise<void> {
    const email = emailOf(context)
    const device = hashDeviceId(context)
    if (device && (await isKnownDevice(this.#database, email, device))) {
      await this.#limits.signInsOfDevice.refund(device.toString('hex'))
      return
    }
    await this.#limits.signIns.refund(email)
    await this.#limits.signInsPerDay.refund(email)
  }

  /** Browsers that were signed out together get no more notifications. */
  async #endPush(context: Context, accountId: number): Promise<void> {
    const isForOthers = OTHERS_SIGNED_OUT_PATHS.has(context.path)
    if (!isForOthers && context.path !== '/revoke-sessions') return
    const kept = isForOthers ? hashDeviceId(context) : undefined
    await writeAs(this.#database, accountId, (tx) => deleteAllPush(tx, accountId, kept))
  }

  /** A browser that is signed out gets no more notifications. */
  async #endPushHere(context: Context): Promise<void> {
    const session = await getSessionFromCtx(context)
    const device = hashDeviceId(context)
    if (!session || !device) return
    const accountId = accountOf(session.user)
    await writeAs(this.#database, accountId, (tx) => deleteDevicePush(tx, accountId, device))
  }

  async #rejectEasyPassword(context: Context): Promise<void> {
    const field = NEW_PASSWORD_FIELDS[context.path]
    const password: unknown = field === undefined ? undefined : (context.body as Record<string, unknown>)[field]
    if (typeof password !== 'string') return
    const session = context.path === '/change-password' ? await getSessionFromCtx(context) : null
    const { name = '', email = '' } = (session?.user ?? context.body) as { name?: string; email?: string }
    if (await this.#passwordStrength.isEasy(password, [name, email])) {
      throw new APIError('BAD_REQUEST', { code: 'PASSWORD_TOO_EASY', message: 'The password is easy to guess.' })
    }
  }

  /** Refuses a code that was tried before: a code that somebody watched being typed must not work again. */
  async #rejectUsedCode(context: Context): Promise<void> {
    const userId = (await getSessionFromCtx(context))?.user.id ?? (await this.#findPendingUser(context))
    const { code } = context.body as { code?: unknown }
    if (userId === undefined || typeof code !== 'string') return
    if (!(await claimCode(this.#database, userId, sha256(`${userId} ${code}`)))) {
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'The code was used before.' })
    }
  }

  /** Returns the user who has entered the right password and must now enter a code. */
  async #findPendingUser(context: Context): Promise<string | undefined> {
    const { name } = context.context.createAuthCookie('two_factor')
    const identifier = await context.getSignedCookie(name, context.context.secret)
    if (!identifier) return undefined
    return (await context.context.internalAdapter.findVerificationValue(identifier))?.value
  }

  async #rememberDevice(context: Context, user: User): Promise<void> {
    // Half of a sign-in: the code is still missing.
    if (context.path === '/sign-in/email' && user.twoFactorEnabled === true) return
    let id = readDeviceId(context)
    if (id === undefined) {
      id = randomBytes(32).toString('hex')
      const { name, attributes } = deviceCookie(context)
      context.setCookie(name, id, attributes)
    }
    const device = await rememberDevice(this.#database, user.id, sha256(id), clientOf(context))
    if (device === 'new') this.#notify(context, user, 'new device')
  }
}

function accountOf(user: Record<string, unknown>): number {
  return Number(user['accountId'])
}

/** Returns the hash by which a browser is known; undefined if it has never signed in. */
export async function findDeviceHash(
  { $context }: { $context: Promise<{ createAuthCookie(name: string): { name: string } }> },
  headers: Headers,
): Promise<Buffer | undefined> {
  const { name } = (await $context).createAuthCookie('device')
  const id = parseCookies(headers.get('cookie') ?? '').get(name)
  return isDeviceId(id) ? sha256(id) : undefined
}

function deviceCookie(context: Context) {
  return context.context.createAuthCookie('device', { maxAge: YEAR_S })
}

function readDeviceId(context: Context): string | undefined {
  const id = context.getCookie(deviceCookie(context).name)
  return isDeviceId(id) ? id : undefined
}

function isDeviceId(id: unknown): id is string {
  return typeof id === 'string' && /^[\da-f]{64}$/.test(id)
}

function hashDeviceId(context: Context): Buffer | undefined {
  const id = readDeviceId(context)
  return id === undefined ? undefined : sha256(id)
}

/** A code is entered within a session only to switch two-factor authentication on. */
function isEnrollment(context: Context): boolean {
  return context.path === '/two-factor/verify-totp' && context.context.session?.session !== undefined
}

/** Whether the password was right, even if it doesn't let anyone in before the address is confirmed or the account restored. */
function isRightPassword(returned: unknown): boolean {
  return !isAPIError(returned) || ['EMAIL_NOT_VERIFIED', ACCOUNT_SUSPENDED].includes(String(returned.body?.code))
}

function rejectIfLimited(retryAfter: number, code: string): void {
  if (retryAfter > 0) throw new APIError('TOO_MANY_REQUESTS', { code, message: 'Too many attempts.', retryAfter })
}

function emailOf(context: Context): string {
  const { email } = (context.body ?? {}) as { email?: unknown }
  return typeof email === 'string' ? email : ''
}

function clientOf(context: Context): string | null {
  return context.headers?.get('user-agent')?.slice(0, MAX_CLIENT_LENGTH) ?? null
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
