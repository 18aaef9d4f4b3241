import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { RETRYABLE_STATUSES } from '../api.generated.ts'
import type { BatchItems } from '../batch.ts'

/** Daily credit limit for assistants on this machine. */
const DAILY_CREDITS = 200

export type DailyBudget = {
  /** `fetch` that responds with 429 locally when a request exceeds the remaining budget. */
  fetch: typeof fetch
  remaining(): number
}

/** Opens the daily budget. It is stored in a file, because assistants restart their MCP servers at any time. */
export function openDailyBudget(env: Record<string, string | undefined>): DailyBudget {
  const file = join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'brickmark', 'mcp-units.json')

  const used = (): number => {
    try {
      const stored = JSON.parse(readFileSync(file, 'utf8')) as { day: string; used: number }
      return stored.day === today() ? stored.used : 0
    } catch {
      return 0
    }
  }
  const record = (credits: number): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, JSON.stringify({ day: today(), used: used() + credits }))
    renameSync(`${file}.new`, file)
  }

  return {
    remaining: () => DAILY_CREDITS - used(),
    async fetch(url, init) {
      const cost = requestCost(init)
      if (used() + cost > DAILY_CREDITS) return budgetExceeded(DAILY_CREDITS - used())
      // Recorded before sending, so that concurrent calls can't exceed the limit together.
      record(cost)
      const response = await fetch(url, init)
      if (isFree(response)) record(-cost)
      return response
    },
  }
}

function isFree({ status, headers }: Response): boolean {
  if (status < 400 || status === 404 || headers.get('x-charged') === 'maybe') return false
  // A proxy's server error doesn't say whether the request was charged.
  return status < 500 || RETRYABLE_STATUSES.includes(status)
}

function requestCost(init: RequestInit | undefined): number {
  if (typeof init?.body !== 'string') return 1
  const { sets, minifigs } = JSON.parse(init.body) as Required<BatchItems>
  return sets.length + minifigs.length
}

function budgetExceeded(remaining: number): Response {
  const message = `AI assistants on this computer can use ${DAILY_CREDITS} credits per day (${remaining} remaining). The limit resets at midnight UTC.`
  const midnight = Date.parse(`${today()}T24:00:00Z`)
  return Response.json(
    { error: { code: 'QuotaExceeded', message } },
    { status: 429, headers: { 'retry-after': String(Math.ceil((midnight - Date.now()) / 1000)) } },
  )
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
