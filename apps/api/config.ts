import { z } from 'zod'
import { Peppers } from '@brickmark/core/account/peppers'
import { parseEnvironment } from '@brickmark/core/runtime/environment'

const DatabaseUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')

const Environment = z.object({
  DATABASE_URL: DatabaseUrl,
  STANDBY_DATABASE_URL: DatabaseUrl.optional(),
  API_KEY_PEPPERS: Peppers,
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number('must be a port number').int().min(0).max(65535).default(8080),
  METRICS_PORT: z.coerce.number('must be a port number').int().min(0).max(65535).optional(),
  DRAIN_MS: z.coerce.number('must be a number of milliseconds').int().min(0).max(60_000).default(2000),
  PUBLIC_URL: z.url('must be the address people use, like https://api.example.com').optional(),
  WEB_URL: z.url('must be the address of the account application, like https://app.example.com').optional(),
  TRUST_PROXY: z.enum(['0', '1']).default('0'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url('must be the address of a collector, like http://127.0.0.1:4318').optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('must be a share from 0 to 1').min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** Everything that can be set, once and frozen. */
export type Config = Readonly<{
  databaseUrl: string
  /** A streaming standby for private reads. */
  standbyUrl: string | undefined
  /** Secrets under which keys may have been hashed; new keys are hashed under the last. */
  peppers: string[]
  host: string
  port: number
  /** Where Prometheus asks; nothing is told without it. */
  metricsPort: number | undefined
  /** How long a process that was told to stop still serves: until the load balancer has noticed. */
  drainMs: number
  publicUrl: string | undefined
  /** Where the account application is, for links to it from the docs. */
  webUrl: string | undefined
  /** Whether the last entry of X-Forwarded-For comes from a proxy of ours. */
  trustProxy: boolean
  /** Where traces go, and which share of them is kept. */
  traces: { endpoint: string; sampleRatio: number } | undefined
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}>

/** Reads the environment, or throws one message that names every problem. There are no default secrets. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const given = parseEnvironment(Environment, env)
  return Object.freeze({
    databaseUrl: given.DATABASE_URL,
    standbyUrl: given.STANDBY_DATABASE_URL,
    peppers: given.API_KEY_PEPPERS,
    host: given.HOST,
    port: given.PORT,
    metricsPort: given.METRICS_PORT,
    drainMs: given.DRAIN_MS,
    publicUrl: given.PUBLIC_URL,
    webUrl: given.WEB_URL?.replace(/\/$/, ''),
    trustProxy: given.TRUST_PROXY === '1',
    traces:
      given.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT, sampleRatio: given.OTEL_TRACES_SAMPLER_ARG },
    logLevel: given.LOG_LEVEL,
  })
}
