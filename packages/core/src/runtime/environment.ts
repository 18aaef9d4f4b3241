import type { z } from 'zod'

/** Parses environment variables, or throws one error that lists every problem. */
export function parseEnvironment<T extends z.ZodType>(schema: T, env: Record<string, string | undefined>): z.output<T> {
  const result = schema.safeParse(env)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path: [name = ''], message, code }) => {
    const missing = env[String(name)] === undefined && code !== 'custom'
    return `  ${String(name)} ${missing ? 'is required' : message}`
  })
  throw new Error(`Invalid configuration:\n${[...new Set(problems)].join('\n')}`)
}
