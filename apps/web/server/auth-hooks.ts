import { createHash, randomBytes } from 'node:crypto'
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { deleteUnconfirmedAccount } from '@brickmark/core/account/account-commands'
import { rememberDevice } from '@brickmark/core/account/known-device-commands'
import { isKnownDevice } from '@brickmark/core/account/known-device-queries'
import { claimCode } from '@brickmark/core/account/used-code-commands'
import type { Database } from '@brickmark/core/db/database'
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
  readonly #db: Database
  readonly #config: WebConfig
  readonly #mailer: Mailer
  readonly #limits: RateLimits
  readonly #passwordStrength: PasswordStrength

  constructor(db: Database, config: WebConfig, { mailer, rateLimits, passwordStrength }: AuthServices) {
    this.#db = db
    this.#config = config
    this.#mailer = mailer
    this.#limits = rateLimits
    this.#passwordStrength = passwordStrength
  }

  async before(ctx: Context): Promise<void> {
    // First, because everything below takes longer for a longer address.
    if (emailOf(ctx).length > MAX_EMAIL_LENGTH)
      throw new APIError('BAD_REQUEST', { code: 'INVALID_EMAIL', message: 'The address is too long.' })
    if (ctx.path === '/sign-in/email') await this.#limitSignIns(ctx)
    await this.#rejectEasyPassword(ctx)
    if (EMAIL_PATHS.has(ctx.path)) rejectIfLimited(await this.#limits.emails.take(emailOf(ctx)), 'TOO_MANY_EMAILS')
    if (ctx.path === '/sign-up/email') await deleteUnconfirmedAccount(this.#db, emailOf(ctx))
    if (ctx.path === '/two-factor/verify-totp') await this.#rejectUsedCode(ctx)
  }

  async after(ctx: Context): Promise<void> {
    const { returned, newSession } = ctx.context
    if (ctx.path === '/sign-in/email' && isRightPassword(returned)) await this.#refundSignIn(ctx)
    if (isAPIError(returned)) return
    const session = newSession ?? ctx.context.session
    const event = EVENTS[ctx.path] ?? (isEnrollment(ctx) ? 'two-factor enabled' : undefined)
    if (session && event) this.#notify(ctx, session.user, event)
    if (newSession && SIGN_IN_PATHS.has(ctx.path)) await this.#rememberDevice(ctx, newSession.user as User)
  }

  /** Sends the owner of an account an email about a change to it. */
  #notify(ctx: Context, { email }: { email: string }, event: SecurityEvent): void {
    this.#mailer.send(securityEventEmail(this.#config.publicUrl, email, event, clientOf(ctx)))
  }

  /**
   * Slows down guessing one user's password from many addresses. A browser that the user has signed in with before has
   * its own attempts, and passkeys and password resets have none, so that an attacker can't lock the user out.
   */
  async #limitSignIns(ctx: Context): Promise<void> {
    const email = emailOf(ctx)
    const device = hashDeviceId(ctx)
    const isKnown = await isKnownDevice(this.#db, email, device ?? Buffer.alloc(32))
    const waits = isKnown
      ? [await this.#limits.signInsOfDevice.take(device!.toString('hex'))]
      : [await this.#limits.signIns.take(email), await this.#limits.signInsPerDay.take(email)]
    rejectIfLimited(Math.max(...waits), 'TOO_MANY_SIGN_INS')
  }

  async #refundSignIn(ctx: Context): Promise<void> {
    const email = emailOf(ctx)
    const device = hashDeviceId(ctx)
    if (device && (await isKnownDevice(this.#db, email, device))) {
      await this.#limits.signInsOfDevice.refund(device.toString('hex'))
      return
    }
    await this.#limits.signIns.refund(email)
    await this.#limits.signInsPerDay.refund(email)
  }

  async #rejectEasyPassword(ctx: Context): Promise<void> {
    const field = NEW_PASSWORD_FIELDS[ctx.path]
    const password: unknown = field === undefined ? undefined : (ctx.body as Record<string, unknown>)[field]
    if (typeof password !== 'string') return
    const session = ctx.path === '/change-password' ? await getSessionFromCtx(ctx) : null
    const { name = '', email = '' } = (session?.user ?? ctx.body) as { name?: string; email?: string }
    if (await this.#passwordStrength.isEasy(password, [name, email])) {
      throw new APIError('BAD_REQUEST', { code: 'PASSWORD_TOO_EASY', message: 'The password is easy to guess.' })
    }
  }

  /** Refuses a code that was tried before: a code that somebody watched being typed must not work again. */
  async #rejectUsedCode(ctx: Context): Promise<void> {
    const userId = (await getSessionFromCtx(ctx))?.user.id ?? (await this.#findPendingUser(ctx))
    const { code } = ctx.body as { code?: unknown }
    if (userId === undefined || typeof code !== 'string') return
    if (!(await claimCode(this.#db, userId, sha256(`${userId} ${code}`)))) {
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'The code was used before.' })
    }
  }

  /** Returns the user who has entered the right password and must now enter a code. */
  async #findPendingUser(ctx: Context): Promise<string | undefined> {
    const { name } = ctx.context.createAuthCookie('two_factor')
    const identifier = await ctx.getSignedCookie(name, ctx.context.secret)
    if (!identifier) return undefined
    return (await ctx.context.internalAdapter.findVerificationValue(identifier))?.value
  }

  async #rememberDevice(ctx: Context, user: User): Promise<void> {
    // Half of a sign-in: the code is still missing.
    if (ctx.path === '/sign-in/email' && user.twoFactorEnabled === true) return
    let id = readDeviceId(ctx)
    if (id === undefined) {
      id = randomBytes(32).toString('hex')
      const { name, attributes } = deviceCookie(ctx)
      ctx.setCookie(name, id, attributes)
    }
    const device = await rememberDevice(this.#db, user.id, sha256(id), clientOf(ctx))
    if (device === 'new') this.#notify(ctx, user, 'new device')
  }
}

function deviceCookie(ctx: Context) {
  return ctx.context.createAuthCookie('device', { maxAge: YEAR_S })
}

function readDeviceId(ctx: Context): string | undefined {
  const id = ctx.getCookie(deviceCookie(ctx).name)
  return typeof id === 'string' && /^[\da-f]{64}$/.test(id) ? id : undefined
}

function hashDeviceId(ctx: Context): Buffer | undefined {
  const id = readDeviceId(ctx)
  return id === undefined ? undefined : sha256(id)
}

/** A code is entered within a session only to switch two-factor authentication on. */
function isEnrollment(ctx: Context): boolean {
  return ctx.path === '/two-factor/verify-totp' && ctx.context.session?.session !== undefined
}

/** Whether the password was right, even if the address has to be confirmed before it lets anyone in. */
function isRightPassword(returned: unknown): boolean {
  return !isAPIError(returned) || returned.body?.code === 'EMAIL_NOT_VERIFIED'
}

function rejectIfLimited(retryAfter: number, code: string): void {
  if (retryAfter > 0) throw new APIError('TOO_MANY_REQUESTS', { code, message: 'Too many attempts.', retryAfter })
}

function emailOf(ctx: Context): string {
  const { email } = (ctx.body ?? {}) as { email?: unknown }
  return typeof email === 'string' ? email : ''
}

function clientOf(ctx: Context): string | null {
  return ctx.headers?.get('user-agent')?.slice(0, MAX_CLIENT_LENGTH) ?? null
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
