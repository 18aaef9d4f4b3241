import { z } from 'zod'
import { Peppers } from '@brickmark/core/account/peppers'
import { parseEnvironment } from '@brickmark/core/runtime/environment'
import { SecurityContact } from '@brickmark/core/runtime/security-txt'
import { VapidPublicKey } from '@brickmark/core/webhook/vapid-keys'

const EnvSchema = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL'),
  API_KEY_PEPPERS: Peppers,
  WEB_SECRET: z.string().min(32, 'must be a secret of at least 32 characters'),
  PUBLIC_URL: z.url('must be the public URL, e.g. https://app.example.com').transform((url) => new URL(url).origin),
  API_URL: z.url('must be the API base URL, e.g. https://api.example.com/api/v1'),
  MAIL_URL: z.url('must be smtp://user:password@host:port, or file:///folder to write emails to disk'),
  MAIL_FROM: z.string().default('Brickmark <no-reply@localhost>'),
  MAIL_BOUNCE_TOKEN: z.string().min(32, 'must be a secret of at least 32 characters').optional(),
  WEBHOOK_KEY: z.string().min(32, 'must be a secret of at least 32 characters').optional(),
  VAPID_PUBLIC_KEY: VapidPublicKey.optional(),
  CONTACT_EMAIL: z.email('must be a valid email address').optional(),
  SECURITY_CONTACT: SecurityContact,
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number('must be a port number').int().min(0).max(65535).default(8090),
  METRICS_PORT: z.coerce.number('must be a port number').int().min(0).max(65535).optional(),
  TRUST_PROXY: z.coerce.number('must be the number of proxies').int().min(0).max(9).default(0),
  PICTURE_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((host) => host !== ''))
    .pipe(z.array(z.url('must be https:// URLs, separated by spaces').transform((url) => new URL(url).origin))),
  PREVIEW_FOLDER: z.string().min(1).optional(),
  PUBLIC_PAGES: z.enum(['off', 'identity', 'values'], 'must be off, identity or values').default('off'),
  VISITOR_PAGES_PER_DAY: z.coerce.number('must be a number').int().min(1).default(500),
  MEMBER_PAGES_PER_DAY: z.coerce.number('must be a number').int().min(1).default(2000),
  LEGAL_PAGES: z.string().min(1).optional(),
  SIGN_INS_PER_MINUTE: z.coerce.number().int().min(1).default(10),
})

/** Configuration of the web process, read once at startup and frozen. */
export type WebConfig = Readonly<{
  databaseUrl: string
  /** Peppers that existing API keys may be hashed with; new keys use the last one. */
  peppers: string[]
  /** Signs cookies and encrypts TOTP secrets. */
  secret: string
  /** Public origin. Other hosts are redirected to it, because cookies and passkeys are bound to one origin. */
  publicUrl: string
  /** Base URL of the API, ending in /api/v1; shown in code samples. */
  apiUrl: string
  mailUrl: string
  mailFrom: string
  /** Authorizes the mail provider to report bounces; undefined if it doesn't. */
  mailBounceToken: string | undefined
  /** What the secrets of webhook endpoints are derived from, the same as the worker's; undefined if webhooks are off. */
  webhookKey: string | undefined
  /** What browsers subscribe to notifications with, the same as the worker's; undefined if push is off. */
  vapidPublicKey: string | undefined
  /** Contact address for plan changes and support; undefined hides it. */
  contactEmail: string | undefined
  /** Where to report vulnerabilities, for /.well-known/security.txt. */
  securityContact: string | undefined
  host: string
  port: number
  /** Port of the Prometheus endpoint; without it, no metrics are published. */
  metricsPort: number | undefined
  /** Number of our own proxies: as many entries at the end of X-Forwarded-For were set by them. */
  trustedProxies: number
  /** Origins of the pictures in the catalog that pages may show. */
  pictureHosts: string[]
  /** Folder that keeps the pictures for link previews; without it, only the latest are kept, in memory. */
  previewFolder: string | undefined
  /**
   * What visitors see without signing in: nothing but the sign-in page, the catalog without computed values, or also the
   * values and their history.
   */
  publicPages: 'off' | 'identity' | 'values'
  /** Catalog pages that a visitor may open per day and client address. */
  visitorPagesPerDay: number
  /** Catalog pages that an account may open per day. */
  memberPagesPerDay: number
  /** Folder with terms.md, privacy.md and imprint.md; undefined if the operator has none. */
  legalPages: string | undefined
  /** Sign-in attempts allowed per minute and client IP. */
  signInsPerMinute: number
}>

/** Parses the environment; throws a single error that lists every problem. Secrets have no defaults. */
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
    mailBounceToken: settings.MAIL_BOUNCE_TOKEN,
    webhookKey: settings.WEBHOOK_KEY,
    vapidPublicKey: settings.VAPID_PUBLIC_KEY,
    contactEmail: settings.CONTACT_EMAIL,
    securityContact: settings.SECURITY_CONTACT,
    host: settings.HOST,
    port: settings.PORT,
    metricsPort: settings.METRICS_PORT,
    trustedProxies: settings.TRUST_PROXY,
    pictureHosts: settings.PICTURE_HOSTS,
    previewFolder: settings.PREVIEW_FOLDER,
    publicPages: settings.PUBLIC_PAGES,
    visitorPagesPerDay: settings.VISITOR_PAGES_PER_DAY,
    memberPagesPerDay: settings.MEMBER_PAGES_PER_DAY,
    legalPages: settings.LEGAL_PAGES,
    signInsPerMinute: settings.SIGN_INS_PER_MINUTE,
  })
}
