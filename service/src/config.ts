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
  DRAIN_MS: z.coerce.number('must be a number of milliseconds').int().min(0).max(60_000).default(2000),
  PUBLIC_URL: z.url('must be the address people use, like https://api.example.com').optional(),
  WEB_URL: z.url('must be the address of the account application, like https://app.example.com').optional(),
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
  /** How long a process that was told to stop still serves: until the load balancer has noticed. */
  drainMs: number
  publicUrl: string | undefined
  /** Where the account application is, for links to it from the docs. */
  webUrl: string | undefined
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
    drainMs: result.data.DRAIN_MS,
    publicUrl: PUBLIC_URL,
    webUrl: WEB_URL?.replace(/\/$/, ''),
    logLevel: LOG_LEVEL,
  })
}
