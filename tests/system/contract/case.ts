import { REFUSALS, type KeyKind } from './keys.ts'
import type { Outcome } from './expected-responses.ts'
import type { PrivateTruth } from './account-oracle.ts'
import type { Sample } from './samples.ts'
import type { Truth } from './oracle.ts'

/** What the right answer is: one of these statuses, and what must be true of it. */
export type Expectation = {
  statuses: number[]
  code?: string
  allow?: string
  check?: (data: unknown) => string[]
}

/** One request as it goes over the wire, and its right answer. */
export type Case = {
  /** The operation whose document the answer is held to; undefined when none is meant. */
  operation: { method: string; path: string } | undefined
  method: string
  target: string
  headers: Record<string, string>
  body: string | Buffer | undefined
  key: KeyKind
  salt: number
  expect: Expectation
}

/** Everything the right answers are made of. */
export type World = { truth: Truth; own: Record<'rich' | 'empty', PrivateTruth>; foreignIds: number[] }

/** Headers of a request together may have 16 KB; near that it depends on what the client adds. */
const HEADERS_SURELY_FIT = 15_000
const HEADERS_SURELY_TOO_LARGE = 17_000

/** The order of checks: key, plan, route, request, quota, resource. */
export function expectation(
  key: KeyKind,
  size: number,
  asked: { verdicts: Sample['verdict'][]; outcome: () => Outcome },
): Expectation {
  const { verdicts, outcome } = asked
  if (size > HEADERS_SURELY_TOO_LARGE) return { statuses: [400], code: 'BadRequest' }
  const mayOverflow = size > HEADERS_SURELY_FIT ? [400] : []
  if (key in REFUSALS) {
    const { status, code } = REFUSALS[key as keyof typeof REFUSALS]
    return mayOverflow.length > 0 ? { statuses: [status, 400] } : { statuses: [status], code }
  }
  if (verdicts.includes('bad')) return { statuses: [400], code: 'BadRequest' }
  const doubtful = [...mayOverflow, ...(verdicts.includes('either') ? [400] : [])]
  if (key === 'exhausted')
    return { statuses: [429, ...doubtful], ...(doubtful.length === 0 && { code: 'QuotaExceeded' }) }
  const { status, check } = outcome()
  return { statuses: [status, ...doubtful], ...(check && { check }) }
}

/** A route that does not exist is told after key and plan, and before anything else that may be wrong. */
export function noRoute(key: KeyKind, allow?: string): Expectation {
  if (key in REFUSALS) {
    const { status, code } = REFUSALS[key as keyof typeof REFUSALS]
    return { statuses: [status], code }
  }
  return { statuses: [404], code: 'NotFound', ...(allow !== undefined && { allow }) }
}

export function ownedBy(world: World, key: KeyKind): PrivateTruth {
  return key === 'rich' ? world.own.rich : world.own.empty
}
