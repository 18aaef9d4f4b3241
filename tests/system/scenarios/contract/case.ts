import { REJECTED_KEYS, type KeyKind } from './keys.ts'
import type { ExpectedResponse } from './expected-responses.ts'
import type { AccountOracle } from './account-oracle.ts'
import type { ParameterSample } from './samples.ts'
import type { Oracle } from './oracle.ts'

/** The expected response: one of these statuses, and conditions its content must meet. */
export type Expectation = {
  statuses: number[]
  code?: string
  allow?: string
  check?: (data: unknown) => string[]
}

/** A request as sent, and its expected response. */
export type Case = {
  /** The operation whose documentation the response must match; undefined for requests to no operation. */
  operation: { method: string; path: string } | undefined
  method: string
  target: string
  headers: Record<string, string>
  body: string | Buffer | undefined
  key: KeyKind
  salt: number
  expect: Expectation
}

/** Everything needed to compute expected responses. */
export type TestData = {
  oracle: Oracle
  accountData: Record<'rich' | 'empty', AccountOracle>
  otherAccountIds: number[]
}

/** The headers of a request may have 16 KB in total; close to that, the result depends on what the client adds. */
const HEADER_BYTES_SAFE = 15_000
const HEADER_BYTES_TOO_LARGE = 17_000

/** Returns the expected response, applying the checks in order: key, plan, route, request, quota, resource. */
export function expectation(
  key: KeyKind,
  size: number,
  request: { validities: ParameterSample['validity'][]; outcome: () => ExpectedResponse },
): Expectation {
  const { validities, outcome } = request
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

/** Expects a 404 for a route that doesn't exist. It is checked after key and plan, and before everything else. */
export function expectNotFound(key: KeyKind, allow?: string): Expectation {
  if (key in REJECTED_KEYS) {
    const { status, code } = REJECTED_KEYS[key as keyof typeof REJECTED_KEYS]
    return { statuses: [status], code }
  }
  return { statuses: [404], code: 'NotFound', ...(allow !== undefined && { allow }) }
}

export function dataFor(testData: TestData, key: KeyKind): AccountOracle {
  return key === 'rich' ? testData.accountData.rich : testData.accountData.empty
}
