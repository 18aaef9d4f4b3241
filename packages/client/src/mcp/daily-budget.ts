import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BatchItems } from '../batch.ts'

/** How much of the key's day assistants on this machine may spend. */
const UNITS_A_DAY = 200

export type Allowance = {
  /** `fetch` that answers 429 by itself when the allowance does not suffice. */
  fetch: typeof fetch
  left(): number
}

/** Kept in a file, because an assistant starts its servers anew whenever it likes. */
export function openAllowance(env: Record<string, string | undefined>): Allowance {
  const file = join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'brickmark', 'mcp-units.json')

  const used = (): number => {
    try {
      const stored = JSON.parse(readFileSync(file, 'utf8')) as { day: string; used: number }
      return stored.day === today() ? stored.used : 0
    } catch {
      return 0
    }
  }
  const spend = (units: number): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, JSON.stringify({ day: today(), used: used() + units }))
    renameSync(`${file}.new`, file)
  }

  return {
    left: () => UNITS_A_DAY - used(),
    async fetch(url, init) {
      const price = priceOf(init)
      if (used() + price > UNITS_A_DAY) return refusal(UNITS_A_DAY - used())
      // Taken before it is asked, so that calls side by side cannot pass the limit together.
      spend(price)
      const response = await fetch(url, init)
      const charged = response.ok || response.status === 404
      if (!charged) spend(-price)
      return response
    },
  }
}

function priceOf(init: RequestInit | undefined): number {
  if (typeof init?.body !== 'string') return 1
  const { sets, minifigs } = JSON.parse(init.body) as Required<BatchItems>
  return sets.length + minifigs.length
}

function refusal(left: number): Response {
  const message = `Assistants on this machine may spend ${UNITS_A_DAY} units a day; ${left} are left. There are more after midnight UTC.`
  const midnight = Date.parse(`${today()}T24:00:00Z`)
  return Response.json(
    { error: { code: 'QuotaExceeded', message } },
    { status: 429, headers: { 'retry-after': String(Math.ceil((midnight - Date.now()) / 1000)) } },
  )
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
