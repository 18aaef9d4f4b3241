import { findContractViolations, type HttpResponse } from '../../../support/openapi-contract.ts'
import type { Case } from './case.ts'
import type { ClientResult } from '../../../support/http-client.ts'
import type { RawCase } from './raw-cases.ts'
import type { RawExchange } from './raw-socket.ts'

export type ViolationKind =
  | 'undocumented status'
  | 'schema violation'
  | '5xx'
  | 'slow'
  | 'left open'
  | 'no response'
  | 'wrong response'
export type Violation = { kind: ViolationKind; text: string }

const MAX_RESPONSE_MS = 2000

/** Returns everything that is wrong with the response to a request. */
export function checkResponse(testCase: Case, { response, error, ms }: ClientResult): Violation[] {
  const violations: Violation[] = ms > MAX_RESPONSE_MS ? [{ kind: 'slow', text: `took ${Math.round(ms)} ms` }] : []
  if (!response) return [...violations, { kind: 'no response', text: error ?? 'no response' }]
  const { method, path } = testCase.operation ?? { method: testCase.method, path: '/none' }
  return [
    ...violations,
    ...schemaViolations(method, path, response, testCase.method === 'HEAD'),
    ...contentViolations(testCase, response),
  ]
}

/** Returns everything that is wrong with a raw exchange. */
export function checkRawExchange(
  testCase: RawCase,
  { responses, trailing: trailingBytes, closed, ms }: RawExchange,
): Violation[] {
  const [min, max] = testCase.responses
  const [method, path] = testCase.post ? ['POST', '/catalog/batch'] : ['GET', '/set/{number}']
  const violations = responses.flatMap((response) => schemaViolations(method, path, response, testCase.head === true))
  for (const { status } of responses) {
    if (!testCase.statuses.includes(status))
      violations.push({ kind: 'wrong response', text: `${status}, expected ${testCase.statuses.join('/')}` })
  }
  if (ms > MAX_RESPONSE_MS) violations.push({ kind: 'slow', text: `took ${Math.round(ms)} ms` })
  if (!closed) violations.push({ kind: 'left open', text: `connection still open after ${Math.round(ms)} ms` })
  else if (responses.length < min)
    violations.push({ kind: 'no response', text: `${responses.length} responses, expected ${min}` })
  if (responses.length > max)
    violations.push({ kind: 'wrong response', text: `${responses.length} responses, expected ${max}` })
  if (trailingBytes !== '')
    violations.push({
      kind: 'wrong response',
      text: `unexpected bytes after the responses: ${JSON.stringify(trailingBytes.slice(0, 80))}`,
    })
  return violations
}

function schemaViolations(method: string, path: string, response: HttpResponse, head: boolean): Violation[] {
  if (response.status >= 500) return [{ kind: '5xx', text: `${response.status} ${response.text.slice(0, 200)}` }]
  // The path actually sent may not be a valid URL path, so substitute a number for the parameter.
  const problems = findContractViolations(head ? 'HEAD' : method, path.replace('{number}', '1'), response)
  return problems.map((text) => ({
    kind: text.endsWith('is not documented') ? 'undocumented status' : 'schema violation',
    text,
  }))
}

function contentViolations({ expect, method }: Case, response: HttpResponse): Violation[] {
  const wrong = (text: string): Violation[] => [{ kind: 'wrong response', text }]
  const { status, headers, text } = response
  if (!expect.statuses.includes(status))
    return wrong(`${status}, expected ${expect.statuses.join('/')}: ${text.slice(0, 200)}`)
  if (expect.allow !== undefined && headers['allow'] !== expect.allow) return wrong(`Allow is ${headers['allow']}`)
  if (method === 'HEAD') return text === '' ? [] : wrong('HEAD has a body')
  const body = parse(text)
  if (expect.code !== undefined && body?.error?.code !== expect.code)
    return wrong(`code ${body?.error?.code}, expected ${expect.code}`)
  if (status !== 200 || !expect.check || body === undefined) return []
  return expect.check(body.data).flatMap(wrong)
}

function parse(text: string): { data?: unknown; error?: { code: string } } | undefined {
  try {
    return JSON.parse(text) as { data?: unknown; error?: { code: string } }
  } catch {
    return undefined
  }
}
