import { findContractViolations, type HttpResponse } from '../../support/openapi-contract.ts'
import type { Case } from './case.ts'
import type { ClientResult } from '../../support/http-client.ts'
import type { RawCase } from './raw-cases.ts'
import type { RawExchange } from './raw-socket.ts'

export type ViolationKind = 'undocumented status' | 'schema violation' | '5xx' | 'hang' | 'unanswered' | 'wrong answer'
export type Violation = { kind: ViolationKind; text: string }

const MAX_RESPONSE_MS = 2000

/** Everything that is wrong with the reply to a request. */
export function checkResponse(asked: Case, { response, error, ms }: ClientResult): Violation[] {
  const faults: Violation[] = ms > MAX_RESPONSE_MS ? [{ kind: 'hang', text: `took ${Math.round(ms)} ms` }] : []
  if (!response) return [...faults, { kind: 'unanswered', text: error ?? 'no answer' }]
  const { method, path } = asked.operation ?? { method: asked.method, path: '/none' }
  return [
    ...faults,
    ...schemaViolations(method, path, response, asked.method === 'HEAD'),
    ...contentViolations(asked, response),
  ]
}

/** Everything that is wrong with a raw exchange. */
export function checkRawExchange(
  asked: RawCase,
  { responses, trailing: trailingBytes, closed, ms }: RawExchange,
): Violation[] {
  const [least, most] = asked.answers
  const [method, path] = asked.post ? ['POST', '/catalog/batch'] : ['GET', '/set/{number}']
  const faults = responses.flatMap((answer) => schemaViolations(method, path, answer, asked.head === true))
  for (const { status } of responses) {
    if (!asked.statuses.includes(status))
      faults.push({ kind: 'wrong answer', text: `${status}, not ${asked.statuses.join('/')}` })
  }
  if (ms > MAX_RESPONSE_MS || !closed) faults.push({ kind: 'hang', text: `open after ${Math.round(ms)} ms` })
  else if (responses.length < least)
    faults.push({ kind: 'unanswered', text: `${responses.length} answers, not ${least}` })
  if (responses.length > most) faults.push({ kind: 'wrong answer', text: `${responses.length} answers, not ${most}` })
  if (trailingBytes !== '')
    faults.push({ kind: 'wrong answer', text: `after the answers came ${JSON.stringify(trailingBytes.slice(0, 80))}` })
  return faults
}

function schemaViolations(method: string, path: string, answer: HttpResponse, head: boolean): Violation[] {
  if (answer.status >= 500) return [{ kind: '5xx', text: `${answer.status} ${answer.text.slice(0, 200)}` }]
  // A number in place of the parameter: what was really sent may be no path that a URL can hold.
  const problems = findContractViolations(head ? 'HEAD' : method, path.replace('{number}', '1'), answer)
  return problems.map((text) => ({
    kind: text.endsWith('is not documented') ? 'undocumented status' : 'schema violation',
    text,
  }))
}

function contentViolations({ expect, method }: Case, answer: HttpResponse): Violation[] {
  const wrong = (text: string): Violation[] => [{ kind: 'wrong answer', text }]
  const { status, headers, text } = answer
  if (!expect.statuses.includes(status))
    return wrong(`${status}, not ${expect.statuses.join('/')}: ${text.slice(0, 200)}`)
  if (expect.allow !== undefined && headers['allow'] !== expect.allow) return wrong(`Allow is ${headers['allow']}`)
  if (method === 'HEAD') return text === '' ? [] : wrong('HEAD has a body')
  const body = parse(text)
  if (expect.code !== undefined && body?.error?.code !== expect.code)
    return wrong(`code ${body?.error?.code}, not ${expect.code}`)
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
