import { z } from 'zod'

const DatabaseUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')

const Config = z.object({
  DATABASE_URL: DatabaseUrl,
  STANDBY_DATABASE_URL: DatabaseUrl.optional(),
  API_KEY_PEPPERS: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().min(32, 'must be secrets of at least 32 characters each, separated by commas'))),
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
  traces: { endpoint: string; share: number } | undefined
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}>

/** Reads the environment, or throws one message that names every problem. There are no default secrets. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const result = Config.safeParse(env)
  if (!result.success) {
    const problems = result.error.issues.map(({ path: [name = ''], message }) => {
      const given = env[String(name)]
      return `  ${String(name)} ${given === undefined ? 'is missing' : message}`
    })
    throw new Error(`The configuration is not usable:\n${[...new Set(problems)].join('\n')}`)
  }
  const { DATABASE_URL, STANDBY_DATABASE_URL, API_KEY_PEPPERS, HOST, PORT, PUBLIC_URL, WEB_URL, LOG_LEVEL } =
    result.data
  return Object.freeze({
    databaseUrl: DATABASE_URL,
    standbyUrl: STANDBY_DATABASE_URL,
    peppers: API_KEY_PEPPERS,
    host: HOST,
    port: PORT,
    metricsPort: result.data.METRICS_PORT,
    drainMs: result.data.DRAIN_MS,
    publicUrl: PUBLIC_URL,
    webUrl: WEB_URL?.replace(/\/$/, ''),
    trustProxy: result.data.TRUST_PROXY === '1',
    traces:
      result.data.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { endpoint: result.data.OTEL_EXPORTER_OTLP_ENDPOINT, share: result.data.OTEL_TRACES_SAMPLER_ARG },
    logLevel: LOG_LEVEL,
  })
}
