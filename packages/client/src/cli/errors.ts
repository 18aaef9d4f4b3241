import { CommanderError } from 'commander'
import { BrickmarkError } from '../errors.ts'
import { LockedKeyringError, MissingBaseUrlError, UnknownProfileError } from './config.ts'
import { formatDuration, formatTimestamp } from './format.ts'

/** Invalid arguments or options. */
export class UsageError extends Error {}

/** No API key is configured. */
export class MissingKeyError extends Error {}

/** The key can't be found, or not be read. */
const CONFIGURATION_ERRORS = [MissingKeyError, UnknownProfileError, MissingBaseUrlError, LockedKeyringError]

/** Exit codes for scripts; 0 is success. */
const EXIT_CODES = { error: 1, usage: 2, notFound: 3, auth: 4, quota: 5, serverOrNetwork: 6 } as const

const byCode: Record<string, number> = {
  BadRequest: EXIT_CODES.usage,
  NotFound: EXIT_CODES.notFound,
  MissingApiKey: EXIT_CODES.auth,
  InvalidApiKey: EXIT_CODES.auth,
  TierRequired: EXIT_CODES.auth,
  QuotaExceeded: EXIT_CODES.quota,
  InternalError: EXIT_CODES.serverOrNetwork,
  APIConnectionError: EXIT_CODES.serverOrNetwork,
  APITimeoutError: EXIT_CODES.serverOrNetwork,
  UnexpectedResponse: EXIT_CODES.serverOrNetwork,
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage
  if (error instanceof UsageError) return EXIT_CODES.usage
  if (CONFIGURATION_ERRORS.some((kind) => error instanceof kind)) return EXIT_CODES.auth
  if (error instanceof BrickmarkError) return byCode[error.code] ?? EXIT_CODES.error
  return EXIT_CODES.error
}

/** Formats an error with a hint on what to do next. */
export function formatError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof BrickmarkError)) return message
  return [inCommands(message), hintFor(error)].filter(Boolean).join('\n')
}

/** What the API calls a request is a command here. */
const COMMANDS: [request: RegExp, command: string][] = [
  [/GET \/catalog\/sets\/search\?q=…/, 'brickmark search'],
  [/GET \/catalog\/minifigs\/search\?q=…/, 'brickmark search --minifigs'],
  [/GET \/brickfolio(?=`)/, 'brickmark portfolio'],
]

function inCommands(message: string): string {
  return COMMANDS.reduce((text, [request, command]) => text.replace(request, command), message)
}

function hintFor(error: BrickmarkError): string | undefined {
  switch (error.code) {
    case 'InvalidApiKey':
    case 'MissingApiKey':
    case 'UnexpectedResponse':
      return 'Run `brickmark doctor` to check your key and base URL.'
    case 'QuotaExceeded': {
      const reset = error.rateLimit?.reset
      return (
        reset && `Your quota resets in ${formatDuration(reset.getTime() - Date.now())}, at ${formatTimestamp(reset)}.`
      )
    }
    case 'APIConnectionError':
    case 'APITimeoutError':
      return `${networkErrorCode(error)}Run \`brickmark doctor\` to diagnose.`
    case 'InternalError':
      return error.requestId && `If this keeps happening, contact support with request ID ${error.requestId}.`
    default:
      return undefined
  }
}

/** Returns the system error code. `fetch` only reports "fetch failed"; the code is one or two causes deeper. */
export function networkErrorCode(error: Error): string {
  let cause = error.cause
  while (cause instanceof Error && cause.cause) cause = cause.cause
  const code = (cause as { code?: string } | undefined)?.code
  return code === undefined ? '' : `(${code}) `
}

/** Returns ` Did you mean "limit"?` if one of the known names is similar, else an empty string. */
export function suggest(name: string, known: readonly string[]): string {
  const nearest = known
    .map((candidate) => ({ candidate, distance: levenshtein(name.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)[0]
  const close = nearest !== undefined && nearest.distance <= Math.max(2, name.length / 3)
  return close ? ` Did you mean "${nearest.candidate}"?` : ''
}

function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
