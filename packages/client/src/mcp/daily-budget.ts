import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BatchItems } from '../batch.ts'

/** How much of the key's day assistants on this machine may spend. */
const DAILY_CREDITS = 200

export type DailyBudget = {
  /** `fetch` that answers 429 by itself when the allowance does not suffice. */
  fetch: typeof fetch
  remaining(): number
}

/** Kept in a file, because an assistant starts its servers anew whenever it likes. */
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
  const record = (units: number): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, JSON.stringify({ day: today(), used: used() + units }))
    renameSync(`${file}.new`, file)
  }

  return {
    remaining: () => DAILY_CREDITS - used(),
    async fetch(url, init) {
      const price = requestCost(init)
      if (used() + price > DAILY_CREDITS) return budgetExceeded(DAILY_CREDITS - used())
      // Taken before it is asked, so that calls side by side cannot pass the limit together.
      record(price)
      const response = await fetch(url, init)
      const charged = response.ok || response.status === 404
      if (!charged) record(-price)
      return response
    },
  }
}

function requestCost(init: RequestInit | undefined): number {
  if (typeof init?.body !== 'string') return 1
  const { sets, minifigs } = JSON.parse(init.body) as Required<BatchItems>
  return sets.length + minifigs.length
}

function budgetExceeded(remaining: number): Response {
  const message = `Assistants on this machine may spend ${DAILY_CREDITS} units a day; ${remaining} are left. There are more after midnight UTC.`
  const midnight = Date.parse(`${today()}T24:00:00Z`)
  return Response.json(
    { error: { code: 'QuotaExceeded', message } },
    { status: 429, headers: { 'retry-after': String(Math.ceil((midnight - Date.now()) / 1000)) } },
  )
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
