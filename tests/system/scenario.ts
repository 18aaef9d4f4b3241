import type { Mutant } from './mutant.ts'
import type { TestEnvironment, TestEnvironmentOptions } from './test-environment.ts'

/** What must hold, and what was measured. */
export type Check = { name: string; goal: string; value: number | string; pass: boolean }

export type ScenarioResult = {
  checks: Check[]
  measurements: Record<string, unknown>
  /** Each with what it takes to see it again. */
  failures: string[]
}

export type ScenarioContext = {
  seed: number
  options: Record<string, number>
  /** Sets up a database and api processes, of the planted copy when there is one. Everything is stopped for you. */
  openEnvironment: (options: TestEnvironmentOptions) => Promise<TestEnvironment>
  /** Where the service is that is proven: itself, or the planted copy. `../deploy` stands beside it. */
  root: string
  /** Notes something else to stop at the end, after the stages that are opened later. */
  onTeardown: (stop: () => Promise<unknown>, pid?: number) => void
  log: (text: string) => void
}

export type Scenario = {
  name: string
  /** Test numbers of reliability.md. */
  covers: string[]
  summary: string
  options: Record<string, { default: number; description: string }>
  /** Options under which every plant must be caught. */
  mutantOptions: Record<string, number>
  mutants: Mutant[]
  /** It kills its PostgreSQL or moves its clock: another's server will not do. */
  dedicatedPostgres?: boolean
  run(context: ScenarioContext): Promise<ScenarioResult>
}

/** A goal that something bad was never seen. */
export function none(name: string, count: number): Check {
  return { name, goal: '0', value: count, pass: count === 0 }
}

/** A goal that something was seen exactly so often. */
export function exactly(name: string, expected: number, count: number): Check {
  return { name, goal: String(expected), value: count, pass: count === expected }
}

/** A goal that something was seen so often or more: a proof that looked at nothing must not succeed. */
export function atLeast(name: string, expected: number, count: number): Check {
  return { name, goal: `≥ ${expected}`, value: count, pass: count >= expected }
}

/** A goal that something stays within a bound. */
export function atMost(name: string, most: number, value: number): Check {
  return { name, goal: `≤ ${most}`, value, pass: value <= most }
}
