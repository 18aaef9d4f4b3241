import { problemsWith, type Answer } from '../../support/openapi-contract.ts'
import type { Case } from './case.ts'
import type { Reply } from '../../support/http-client.ts'
import type { RawCase } from './raw-cases.ts'
import type { Exchange } from './raw-socket.ts'

export type FaultKind = 'undocumented status' | 'schema violation' | '5xx' | 'hang' | 'unanswered' | 'wrong answer'
export type Fault = { kind: FaultKind; text: string }

const HANG_MS = 2000

/** Everything that is wrong with the reply to a request. */
export function judge(asked: Case, { answer, problem, ms }: Reply): Fault[] {
  const faults: Fault[] = ms > HANG_MS ? [{ kind: 'hang', text: `took ${Math.round(ms)} ms` }] : []
  if (!answer) return [...faults, { kind: 'unanswered', text: problem ?? 'no answer' }]
  const { method, path } = asked.operation ?? { method: asked.method, path: '/none' }
  return [...faults, ...formFaults(method, path, answer, asked.method === 'HEAD'), ...meaningFaults(asked, answer)]
}

/** Everything that is wrong with a raw exchange. */
export function judgeRaw(asked: RawCase, { answers, rest, closed, ms }: Exchange): Fault[] {
  const [least, most] = asked.answers
  const [method, path] = asked.post ? ['POST', '/catalog/batch'] : ['GET', '/set/{number}']
  const faults = answers.flatMap((answer) => formFaults(method, path, answer, asked.head === true))
  for (const { status } of answers) {
    if (!asked.statuses.includes(status))
      faults.push({ kind: 'wrong answer', text: `${status}, not ${asked.statuses.join('/')}` })
  }
  if (ms > HANG_MS || !closed) faults.push({ kind: 'hang', text: `open after ${Math.round(ms)} ms` })
  else if (answers.length < least) faults.push({ kind: 'unanswered', text: `${answers.length} answers, not ${least}` })
  if (answers.length > most) faults.push({ kind: 'wrong answer', text: `${answers.length} answers, not ${most}` })
  if (rest !== '')
    faults.push({ kind: 'wrong answer', text: `after the answers came ${JSON.stringify(rest.slice(0, 80))}` })
  return faults
}

function formFaults(method: string, path: string, answer: Answer, head: boolean): Fault[] {
  if (answer.status >= 500) return [{ kind: '5xx', text: `${answer.status} ${answer.text.slice(0, 200)}` }]
  // A number in place of the parameter: what was really sent may be no path that a URL can hold.
  const problems = problemsWith(head ? 'HEAD' : method, path.replace('{number}', '1'), answer)
  return problems.map((text) => ({
    kind: text.endsWith('is not documented') ? 'undocumented status' : 'schema violation',
    text,
  }))
}

function meaningFaults({ expect, method }: Case, answer: Answer): Fault[] {
  const wrong = (text: string): Fault[] => [{ kind: 'wrong answer', text }]
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
