import { CommanderError } from 'commander'
import { BrickmarkError } from '../errors.ts'
import { duration, instant } from './format.ts'

/** The caller wrote something that cannot be done. */
export class UsageError extends Error {}

/** No key is known. */
export class NoKeyError extends Error {}

/** How a script learns what happened: 0 ok, and these. */
const EXIT = { error: 1, usage: 2, notFound: 3, keyOrPlan: 4, quota: 5, serverOrNetwork: 6 } as const

const byCode: Record<string, number> = {
  BadRequest: EXIT.usage,
  NotFound: EXIT.notFound,
  MissingApiKey: EXIT.keyOrPlan,
  InvalidApiKey: EXIT.keyOrPlan,
  TierRequired: EXIT.keyOrPlan,
  QuotaExceeded: EXIT.quota,
  InternalError: EXIT.serverOrNetwork,
  ConnectionError: EXIT.serverOrNetwork,
  UnexpectedAnswer: EXIT.serverOrNetwork,
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
  if (error instanceof UsageError) return EXIT.usage
  if (error instanceof NoKeyError) return EXIT.keyOrPlan
  if (error instanceof BrickmarkError) return byCode[error.code] ?? EXIT.error
  return EXIT.error
}

/** What happened and what to do now. */
export function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof BrickmarkError)) return message
  return [message, adviceFor(error)].filter(Boolean).join('\n')
}

function adviceFor(error: BrickmarkError): string | undefined {
  switch (error.code) {
    case 'InvalidApiKey':
    case 'MissingApiKey':
    case 'UnexpectedAnswer':
      return 'Run `brickmark doctor` to see which key and address are used.'
    case 'QuotaExceeded': {
      const reset = error.rateLimit?.reset
      return reset && `There are more units in ${duration(reset.getTime() - Date.now())}, at ${instant(reset)}.`
    }
    case 'ConnectionError':
      return `${causeOf(error)}Is the service running? \`brickmark doctor\` tells more.`
    case 'InternalError':
      return error.requestId && `If it stays, report request ${error.requestId}.`
    default:
      return undefined
  }
}

/** fetch itself only says "fetch failed"; what happened is one or two causes deeper. */
export function causeOf(error: Error): string {
  let cause = error.cause
  while (cause instanceof Error && cause.cause) cause = cause.cause
  const code = (cause as { code?: string } | undefined)?.code
  return code === undefined ? '' : `(${code}) `
}

/** ` Did you mean "limit"?`, if one of the known names is near. */
export function suggest(name: string, known: readonly string[]): string {
  const near = known
    .map((candidate) => ({ candidate, distance: distanceBetween(name.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)[0]
  const close = near !== undefined && near.distance <= Math.max(2, name.length / 3)
  return close ? ` Did you mean "${near.candidate}"?` : ''
}

/** Levenshtein's distance. */
function distanceBetween(a: string, b: string): number {
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
