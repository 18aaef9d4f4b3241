import { z } from 'zod'
import { parseEnvironment } from '@brickmark/core/runtime/environment'

const Environment = z.object({
  API_URL: z.url('must be the API base URL, e.g. https://api.example.com/api/v1'),
  WEB_URL: z.url('must be the web app’s URL, e.g. https://app.example.com').optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number('must be a port number').int().min(0).max(65535).default(8100),
})

/** Configuration of the docs process, frozen. */
export type DocsConfig = Readonly<{
  /** Base URL of the API, ending in /api/v1: what samples and the playground call. */
  apiUrl: string
  /** URL of the web app, for links to it. */
  webUrl: string | undefined
  host: string
  port: number
}>

/** Parses the environment; throws a single error that lists every problem. */
export function loadDocsConfig(env: Record<string, string | undefined>): DocsConfig {
  const parsed = parseEnvironment(Environment, env)
  return Object.freeze({
    apiUrl: parsed.API_URL.replace(/\/$/, ''),
    webUrl: parsed.WEB_URL?.replace(/\/$/, ''),
    host: parsed.HOST,
    port: parsed.PORT,
  })
}
