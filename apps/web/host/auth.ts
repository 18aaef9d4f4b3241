import { randomBytes } from 'node:crypto'
import { passkey } from '@better-auth/passkey'
import { APIError, betterAuth } from 'better-auth'
import { twoFactor } from 'better-auth/plugins'
import { CamelCasePlugin } from 'kysely'
import { forgetDevices } from '@brickmark/core/account/known-device-commands'
import { writeAs, type Database } from '@brickmark/core/db/database'
import { hashPassword, verifyPassword } from '@brickmark/core/account/password'
import { revokeAccess } from '@brickmark/core/account/user-commands'
import { isSuspended } from '@brickmark/core/account/user-queries'
import { deleteAllPush } from '@brickmark/core/webhook/push-subscription-commands'
import { ACCOUNT_SUSPENDED, createAuthHooks, SECOND_FACTOR_PATHS, type AuthServices } from './auth-hooks.ts'
import type { WebConfig } from './config.ts'
import { log } from './log.ts'
import { existingAccountEmail, passwordResetEmail, securityEventEmail, verificationEmail } from './emails.ts'
import { CLIENT_IP_HEADER } from './security.ts'

const HOUR = 3600

export type Auth = ReturnType<typeof createAuth>

/**
 * Configures better-auth: passwords, two-factor codes, passkeys and sessions. Its endpoints are not exposed over HTTP;
 * only our own routes call them.
 */
export function createAuth(db: Database, config: WebConfig, services: AuthServices) {
  const { mailer } = services
  const secure = config.publicUrl.startsWith('https:')
  const tries = { window: 60, max: config.signInsPerMinute }
  return betterAuth({
    appName: 'Brickmark',
    baseURL: config.publicUrl,
    secret: config.secret,
    database: { db: db.withPlugin(new CamelCasePlugin()), type: 'postgres', schemaName: 'auth', transaction: true },
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message, ...details) => log.error({ err: details[0] }, message) },
    user: {
      additionalFields: {
        accountId: { type: 'number', required: false, input: false },
        operator: { type: 'boolean', required: false, input: false },
        suspended: { type: 'boolean', required: false, input: false },
      },
    },
    account: { modelName: 'credential' },
    // The identifier contains the token of a reset email. Hashed, read access to the database is not enough to set a
    // password.
    verification: { storeIdentifier: 'hashed' },
    session: {
      expiresIn: 7 * 24 * HOUR,
      updateAge: 24 * HOUR,
      freshAge: 12 * HOUR,
      additionalFields: { secondFactor: { type: 'boolean', required: false, input: false, defaultValue: false } },
    },
    hooks: createAuthHooks(db, config, services),
    databaseHooks: {
      session: {
        create: {
          before: async (session, request) => {
            if (await isSuspended(db, session.userId))
              throw new APIError('FORBIDDEN', { code: ACCOUNT_SUSPENDED, message: 'The account is suspended.' })
            // A session that replaces another (e.g. after a password change) keeps its creation time: only a sign-in
            // counts as a new authentication.
            const replaced = request?.context.session?.session
            const secondFactor = hasSecondFactor(request?.path ?? '', replaced?.['secondFactor'] === true)
            return { data: { ...session, ...(replaced && { createdAt: replaced.createdAt }), secondFactor } }
          },
        },
      },
    },
    emailAndPassword: {
      enabled: true,
      // Makes the sign-up response identical for new and existing addresses.
      requireEmailVerification: true,
      minPasswordLength: 10,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: HOUR,
      password: {
        hash: (password) => hashPassword(password, randomBytes(16)),
        verify: ({ hash, password }) => verifyPassword(password, hash),
      },
      sendResetPassword: async ({ user, token }) =>
        mailer.send(passwordResetEmail(config.publicUrl, user.email, token)),
      onPasswordReset: async ({ user }, request) => {
        await forgetDevices(db, user.id)
        const accountId = Number((user as { accountId?: unknown }).accountId)
        await writeAs(db, accountId, (tx) => deleteAllPush(tx, accountId))
        const { searchParams } = new URL(request?.url ?? config.publicUrl)
        if (searchParams.get('revoke') === 'yes') await revokeAccess(db, user.id)
        const client = request?.headers.get('user-agent') ?? null
        mailer.send(securityEventEmail(config.publicUrl, user.email, 'password reset', client))
      },
      onExistingUserSignUp: async ({ user }) => mailer.send(existingAccountEmail(config.publicUrl, user.email)),
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: 24 * HOUR,
      sendVerificationEmail: async ({ user, token }) =>
        mailer.send(verificationEmail(config.publicUrl, user.email, token)),
    },
    rateLimit: {
      enabled: true,
      storage: 'database',
      window: 60,
      max: 120,
      customRules: {
        '/sign-in/*': tries,
        '/sign-up/*': tries,
        '/two-factor/*': tries,
        '/passkey/verify-authentication': tries,
        '/request-password-reset': tries,
        '/reset-password': tries,
      },
    },
    advanced: {
      cookiePrefix: secure ? '__Host-brickmark' : 'brickmark',
      // better-auth would put its own prefix in front of ours.
      useSecureCookies: false,
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [CLIENT_IP_HEADER] },
    },
    plugins: [
      twoFactor({ issuer: 'Brickmark' }),
      passkey({
        rpID: new URL(config.publicUrl).hostname,
        rpName: 'Brickmark',
        origin: config.publicUrl,
        schema: { passkey: { fields: { credentialID: 'credentialId' } } },
        // A passkey replaces both factors, so require user verification (fingerprint, face or PIN).
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: {
          afterVerification: ({ verification }) => requireUserVerified(verification.registrationInfo?.userVerified),
        },
        authentication: {
          afterVerification: ({ verification }) => requireUserVerified(verification.authenticationInfo.userVerified),
        },
      }),
    ],
  })
}

/** Whether a new session counts as one with two factors. `before` is what the session that it replaces counted as. */
function hasSecondFactor(path: string, before: boolean): boolean {
  if (path === '/two-factor/disable') return false
  return before || SECOND_FACTOR_PATHS.has(path)
}

function requireUserVerified(verified: boolean | undefined): void {
  if (verified !== true)
    throw new APIError('UNAUTHORIZED', { message: 'Your device didn’t verify your identity. Unlock it and try again.' })
}
