import { REJECTED_KEYS, type KeyKind } from './keys.ts'
import type { ExpectedResponse } from './expected-responses.ts'
import type { AccountOracle } from './account-oracle.ts'
import type { ParameterSample } from './samples.ts'
import type { Oracle } from './oracle.ts'

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
export type TestData = {
  truth: Oracle
  accountData: Record<'rich' | 'empty', AccountOracle>
  otherAccountIds: number[]
}

/** Headers of a request together may have 16 KB; near that it depends on what the client adds. */
const HEADER_BYTES_SAFE = 15_000
const HEADER_BYTES_TOO_LARGE = 17_000

/** The order of checks: key, plan, route, request, quota, resource. */
export function expectation(
  key: KeyKind,
  size: number,
  asked: { validities: ParameterSample['validity'][]; outcome: () => ExpectedResponse },
): Expectation {
  const { validities, outcome } = asked
  if (size > HEADER_BYTES_TOO_LARGE) return { statuses: [400], code: 'BadRequest' }
  const mayOverflow = size > HEADER_BYTES_SAFE ? [400] : []
  if (key in REJECTED_KEYS) {
    const { status, code } = REJECTED_KEYS[key as keyof typeof REJECTED_KEYS]
    return mayOverflow.length > 0 ? { statuses: [status, 400] } : { statuses: [status], code }
  }
  if (validities.includes('bad')) return { statuses: [400], code: 'BadRequest' }
  const ambiguousStatuses = [...mayOverflow, ...(validities.includes('either') ? [400] : [])]
  if (key === 'exhausted')
    return { statuses: [429, ...ambiguousStatuses], ...(ambiguousStatuses.length === 0 && { code: 'QuotaExceeded' }) }
  const { status, check } = outcome()
  return { statuses: [status, ...ambiguousStatuses], ...(check && { check }) }
}

/** A route that does not exist is told after key and plan, and before anything else that may be wrong. */
export function expectNotFound(key: KeyKind, allow?: string): Expectation {
  if (key in REJECTED_KEYS) {
    const { status, code } = REJECTED_KEYS[key as keyof typeof REJECTED_KEYS]
    return { statuses: [status], code }
  }
  return { statuses: [404], code: 'NotFound', ...(allow !== undefined && { allow }) }
}

export function dataFor(world: TestData, key: KeyKind): AccountOracle {
  return key === 'rich' ? world.accountData.rich : world.accountData.empty
}
