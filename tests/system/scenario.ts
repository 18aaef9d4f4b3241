import type { Plant } from './mutant.ts'
import type { Stage, StageOptions } from './test-environment.ts'

/** What must hold, and what was measured. */
export type Goal = { name: string; goal: string; value: number | string; pass: boolean }

export type ProofResult = {
  goals: Goal[]
  figures: Record<string, unknown>
  /** Each with what it takes to see it again. */
  failures: string[]
}

export type ProofContext = {
  seed: number
  options: Record<string, number>
  /** Sets up a database and api processes, of the planted copy when there is one. Everything is stopped for you. */
  stage: (options: StageOptions) => Promise<Stage>
  /** Where the service is that is proven: itself, or the planted copy. `../deploy` stands beside it. */
  root: string
  /** Notes something else to stop at the end, after the stages that are opened later. */
  stopAtEnd: (stop: () => Promise<unknown>, pid?: number) => void
  say: (text: string) => void
}

export type Proof = {
  name: string
  /** Test numbers of reliability.md. */
  covers: string[]
  summary: string
  options: Record<string, { default: number; what: string }>
  /** Options under which every plant must be caught. */
  smallLoad: Record<string, number>
  plants: Plant[]
  /** It kills its PostgreSQL or moves its clock: another's server will not do. */
  ownServer?: boolean
  run(context: ProofContext): Promise<ProofResult>
}

/** A goal that something bad was never seen. */
export function none(name: string, count: number): Goal {
  return { name, goal: '0', value: count, pass: count === 0 }
}

/** A goal that something was seen exactly so often. */
export function exactly(name: string, wanted: number, count: number): Goal {
  return { name, goal: String(wanted), value: count, pass: count === wanted }
}

/** A goal that something was seen so often or more: a proof that looked at nothing must not succeed. */
export function atLeast(name: string, wanted: number, count: number): Goal {
  return { name, goal: `≥ ${wanted}`, value: count, pass: count >= wanted }
}

/** A goal that something stays within a bound. */
export function within(name: string, most: number, value: number): Goal {
  return { name, goal: `≤ ${most}`, value, pass: value <= most }
}
