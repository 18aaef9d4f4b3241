import { z } from 'zod'
import { Peppers } from '@brickmark/core/account/peppers'
import { parseEnvironment } from '@brickmark/core/runtime/environment'

const EnvSchema = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address'),
  API_KEY_PEPPERS: Peppers,
  WEB_SECRET: z.string().min(32, 'must be a secret of at least 32 characters'),
  PUBLIC_URL: z
    .url('must be the address people use, like https://app.example.com')
    .transform((url) => new URL(url).origin),
  API_URL: z.url('must be the address of the API, like https://api.example.com/api/v1'),
  MAIL_URL: z.url('must be smtp://user:password@host:port, or file:///folder to write mails there'),
  MAIL_FROM: z.string().default('Brickmark <no-reply@localhost>'),
  CONTACT_EMAIL: z.email('must be the address that people write to').optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number('must be a port number').int().min(0).max(65535).default(8090),
  TRUST_PROXY: z.enum(['0', '1']).default('0'),
  SIGN_INS_PER_MINUTE: z.coerce.number().int().min(1).default(10),
})

/** Everything that can be set, once and frozen. */
export type WebConfig = Readonly<{
  databaseUrl: string
  /** Secrets under which keys may have been hashed; new keys are hashed under the last. */
  peppers: string[]
  /** Signs cookies and encrypts second-step secrets. */
  secret: string
  /** The origin people use. Everything else is redirected to it: cookies and passkeys belong to one origin. */
  publicUrl: string
  /** Ends in /api/v1; shown in samples. */
  apiUrl: string
  mailUrl: string
  mailFrom: string
  /** Whom people write to, for another plan or help; undefined when nobody is to be named. */
  contactEmail: string | undefined
  host: string
  port: number
  /** Whether the last entry of X-Forwarded-For comes from a proxy of ours. */
  trustProxy: boolean
  /** From one address; what the sign-in page allows before it asks to wait. */
  signInsPerMinute: number
}>

/** Reads the environment, or throws one message that names every problem. There are no default secrets. */
export function loadWebConfig(env: Record<string, string | undefined>): WebConfig {
  const settings = parseEnvironment(EnvSchema, env)
  return Object.freeze({
    databaseUrl: settings.DATABASE_URL,
    peppers: settings.API_KEY_PEPPERS,
    secret: settings.WEB_SECRET,
    publicUrl: settings.PUBLIC_URL,
    apiUrl: settings.API_URL,
    mailUrl: settings.MAIL_URL,
    mailFrom: settings.MAIL_FROM,
    contactEmail: settings.CONTACT_EMAIL,
    host: settings.HOST,
    port: settings.PORT,
    trustProxy: settings.TRUST_PROXY === '1',
    signInsPerMinute: settings.SIGN_INS_PER_MINUTE,
  })
}
