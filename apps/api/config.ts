import { z } from 'zod'
import { Peppers } from '@brickmark/core/account/peppers'
import { parseEnvironment } from '@brickmark/core/runtime/environment'
import { SecurityContact } from '@brickmark/core/runtime/security-txt'

const DatabaseUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')

const Environment = z.object({
  DATABASE_URL: DatabaseUrl,
  LISTEN_DATABASE_URL: DatabaseUrl.optional(),
  STANDBY_DATABASE_URL: DatabaseUrl.optional(),
  API_KEY_PEPPERS: Peppers,
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number('must be a port number').int().min(0).max(65535).default(8080),
  METRICS_PORT: z.coerce.number('must be a port number').int().min(0).max(65535).optional(),
  DRAIN_MS: z.coerce.number('must be a number of milliseconds').int().min(0).max(60_000).default(2000),
  PUBLIC_URL: z.url('must be the public URL, e.g. https://api.example.com').optional(),
  DOCS_URL: z.url('must be the URL of the docs, e.g. http://localhost:8100').optional(),
  SECURITY_CONTACT: SecurityContact,
  TRUST_PROXY: z.coerce.number('must be the number of proxies').int().min(0).max(9).default(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url('must be an OTLP collector URL, e.g. http://127.0.0.1:4318').optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('must be a number between 0 and 1').min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** Configuration of the API process, frozen. */
export type Config = Readonly<{
  databaseUrl: string
  /** URL for listening, if a pooler that shares sessions serves `databaseUrl`. */
  listenUrl: string | undefined
  /** URL of a streaming standby for private reads. */
  standbyUrl: string | undefined
  /** Peppers that existing keys may be hashed with; new keys use the last one. */
  peppers: string[]
  host: string
  port: number
  /** Port of the Prometheus endpoint; without it, no metrics are published. */
  metricsPort: number | undefined
  /** How long the process keeps serving after SIGTERM, so that load balancers stop routing to it first. */
  drainMs: number
  publicUrl: string | undefined
  /** Origin of the docs, if no proxy serves them under the API's own. */
  docsUrl: string | undefined
  /** Where to report vulnerabilities, for /.well-known/security.txt. */
  securityContact: string | undefined
  /** Number of our own proxies: as many entries at the end of X-Forwarded-For were added by them. */
  trustedProxies: number
  /** OTLP endpoint, and the ratio of traces to sample. */
  traces: { endpoint: string; sampleRatio: number } | undefined
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}>

/** Parses the environment; throws a single error that lists every problem. Secrets have no defaults. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const parsed = parseEnvironment(Environment, env)
  return Object.freeze({
    databaseUrl: parsed.DATABASE_URL,
    listenUrl: parsed.LISTEN_DATABASE_URL,
    standbyUrl: parsed.STANDBY_DATABASE_URL,
    peppers: parsed.API_KEY_PEPPERS,
    host: parsed.HOST,
    port: parsed.PORT,
    metricsPort: parsed.METRICS_PORT,
    drainMs: parsed.DRAIN_MS,
    publicUrl: parsed.PUBLIC_URL,
    docsUrl: parsed.DOCS_URL && new URL(parsed.DOCS_URL).origin,
    securityContact: parsed.SECURITY_CONTACT,
    trustedProxies: parsed.TRUST_PROXY,
    traces:
      parsed.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { endpoint: parsed.OTEL_EXPORTER_OTLP_ENDPOINT, sampleRatio: parsed.OTEL_TRACES_SAMPLER_ARG },
    logLevel: parsed.LOG_LEVEL,
  })
}
