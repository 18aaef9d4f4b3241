import { z } from 'zod'
import { parseEnvironment } from '@brickmark/core/runtime/environment'
import { type Connector, createTokenBucket } from '@brickmark/core/source/connectors/retail-source'
import { keepaSource } from '@brickmark/core/source/connectors/keepa'
import type { BricksetConnector } from '@brickmark/core/source/brickset-commands'
import type { RebrickableConnector } from '@brickmark/core/source/rebrickable-commands'
import { isVapidPair, VapidPrivateKey, VapidPublicKey, VapidSubject } from '@brickmark/core/webhook/vapid-keys'
import { walmartSource } from '@brickmark/core/source/connectors/walmart'
import type { VapidKeys } from './webhooks/push-sender.ts'

const DatabaseUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')

const Environment = z
  .object({
    DATABASE_URL: DatabaseUrl,
    LISTEN_DATABASE_URL: DatabaseUrl.optional(),
    HOST: z.string().default('127.0.0.1'),
    METRICS_PORT: z.coerce.number('must be a port number').int().min(0).max(65535).optional(),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    WEBHOOK_KEY: z.string().min(32, 'must be a secret of at least 32 characters').optional(),
    VAPID_PUBLIC_KEY: VapidPublicKey.optional(),
    VAPID_PRIVATE_KEY: VapidPrivateKey.optional(),
    VAPID_SUBJECT: VapidSubject.optional(),
    WEBHOOK_ALLOWED_NETWORKS: z
      .string()
      .default('')
      .transform((text) => text.split(/[\s,]+/).filter((network) => network !== ''))
      .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()], 'must be networks like 10.0.0.0/8, separated by spaces'))),
    KEEPA_API_KEY: z.string().min(1).optional(),
    KEEPA_LICENSE_ID: z.string().min(1).optional(),
    KEEPA_BASE_URL: z.url().default('https://api.keepa.com'),
    KEEPA_TOKENS_PER_MINUTE: z.coerce.number().int().min(1).default(20),
    REBRICKABLE_LICENSE_ID: z.string().min(1).optional(),
    REBRICKABLE_BASE_URL: z.url().default('https://cdn.rebrickable.com/media/downloads/'),
    BRICKSET_API_KEY: z.string().min(1).optional(),
    BRICKSET_LICENSE_ID: z.string().min(1).optional(),
    BRICKSET_BASE_URL: z.url().default('https://brickset.com/api/v3.asmx/'),
    EXCHANGE_RATES_URL: z
      .url({ protocol: /^(https?|file)$/, error: 'must be an https:// or file:// address' })
      .optional(),
    WALMART_CONSUMER_ID: z.string().min(1).optional(),
    WALMART_PRIVATE_KEY: z.string().min(1).optional(),
    WALMART_KEY_VERSION: z.string().min(1).default('1'),
    WALMART_LICENSE_ID: z.string().min(1).optional(),
    WALMART_BASE_URL: z.url().default('https://developer.api.walmart.com/api-proxy/service/affil/product/v2/'),
    WALMART_CALLS_PER_MINUTE: z.coerce.number().int().min(1).default(60),
  })
  .superRefine((env, context) => {
    const requireTogether = (names: (keyof typeof env)[], purpose = 'this connector') => {
      const missing = names.filter((name) => env[name] === undefined)
      if (missing.length === 0 || missing.length === names.length) return
      for (const name of missing)
        context.addIssue({ code: 'custom', path: [name], message: `is missing for ${purpose}` })
    }
    requireTogether(['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'], 'push notifications')
    if (env.VAPID_PUBLIC_KEY && env.VAPID_PRIVATE_KEY && !isVapidPair(env.VAPID_PUBLIC_KEY, env.VAPID_PRIVATE_KEY))
      context.addIssue({ code: 'custom', path: ['VAPID_PUBLIC_KEY'], message: 'doesn’t belong to VAPID_PRIVATE_KEY' })
    requireTogether(['KEEPA_API_KEY', 'KEEPA_LICENSE_ID'])
    requireTogether(['BRICKSET_API_KEY', 'BRICKSET_LICENSE_ID'])
    requireTogether(['WALMART_CONSUMER_ID', 'WALMART_PRIVATE_KEY', 'WALMART_LICENSE_ID'])
  })

export type WorkerConfig = Readonly<{
  databaseUrl: string
  /** URL for listening: that of the database unless a pooler that shares sessions serves it. */
  listenUrl: string
  logLevel: string
  /** Address of the metrics endpoint; disabled if undefined. */
  metrics: { host: string; port: number } | undefined
  /** What signs webhooks, and the private networks that they may reach; undefined if webhooks are off. */
  webhooks: { key: string; allowedNetworks: string[] } | undefined
  /** What identifies us to push services, and the private networks that they may be in; undefined if push is off. */
  push: (VapidKeys & { allowedNetworks: string[] }) | undefined
  /** Enabled connectors of retailers. */
  connectors: Connector[]
  /** Rebrickable’s downloads; undefined if they are off. */
  rebrickable: RebrickableConnector | undefined
  /** The connector of Brickset; undefined if it is off. */
  brickset: BricksetConnector | undefined
  /** Where the reference rates of the ECB are; undefined if values are shown in US dollars only. */
  exchangeRatesUrl: string | undefined
}>

/** Parses the worker's environment; throws one error that lists all problems. Connectors are off unless configured. */
export function loadWorkerConfig(env: Record<string, string | undefined>): WorkerConfig {
  const values = parseEnvironment(Environment, env)
  return Object.freeze({
    databaseUrl: values.DATABASE_URL,
    listenUrl: values.LISTEN_DATABASE_URL ?? values.DATABASE_URL,
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS_PORT === undefined ? undefined : { host: values.HOST, port: values.METRICS_PORT },
    webhooks:
      values.WEBHOOK_KEY === undefined
        ? undefined
        : { key: values.WEBHOOK_KEY, allowedNetworks: values.WEBHOOK_ALLOWED_NETWORKS },
    push: buildPush(values),
    connectors: buildConnectors(values),
    rebrickable: buildRebrickable(values),
    brickset: buildBrickset(values),
    exchangeRatesUrl: values.EXCHANGE_RATES_URL,
  })
}

function buildPush({
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
  VAPID_SUBJECT: subject,
  WEBHOOK_ALLOWED_NETWORKS: allowedNetworks,
}: z.output<typeof Environment>): WorkerConfig['push'] {
  if (publicKey === undefined || privateKey === undefined || subject === undefined) return undefined
  return { publicKey, privateKey, subject, allowedNetworks }
}

const DEFAULT_LICENSE_TERMS = 'as agreed between the operator and the source'

function buildConnectors(env: z.output<typeof Environment>): Connector[] {
  const connectors: Connector[] = []
  if (env.KEEPA_API_KEY !== undefined && env.KEEPA_LICENSE_ID !== undefined) {
    connectors.push({
      source: keepaSource({ baseUrl: env.KEEPA_BASE_URL, key: env.KEEPA_API_KEY, licenseId: env.KEEPA_LICENSE_ID }),
      bucket: createTokenBucket(env.KEEPA_TOKENS_PER_MINUTE),
      licenseId: env.KEEPA_LICENSE_ID,
      licenseTerms: DEFAULT_LICENSE_TERMS,
    })
  }
  const { WALMART_CONSUMER_ID: consumerId, WALMART_PRIVATE_KEY: privateKey, WALMART_LICENSE_ID: licenseId } = env
  if (consumerId !== undefined && privateKey !== undefined && licenseId !== undefined) {
    const keyVersion = env.WALMART_KEY_VERSION
    connectors.push({
      source: walmartSource({ baseUrl: env.WALMART_BASE_URL, consumerId, privateKey, keyVersion, licenseId }),
      bucket: createTokenBucket(env.WALMART_CALLS_PER_MINUTE),
      licenseId,
      licenseTerms: DEFAULT_LICENSE_TERMS,
    })
  }
  return connectors
}

function buildRebrickable({
  REBRICKABLE_LICENSE_ID: licenseId,
  REBRICKABLE_BASE_URL: url,
}: z.output<typeof Environment>): RebrickableConnector | undefined {
  return licenseId === undefined ? undefined : { url, licenseId, licenseTerms: DEFAULT_LICENSE_TERMS }
}

function buildBrickset({
  BRICKSET_API_KEY: key,
  BRICKSET_LICENSE_ID: licenseId,
  BRICKSET_BASE_URL: baseUrl,
}: z.output<typeof Environment>): BricksetConnector | undefined {
  if (key === undefined || licenseId === undefined) return undefined
  return { baseUrl, key, licenseId, licenseTerms: DEFAULT_LICENSE_TERMS }
}
