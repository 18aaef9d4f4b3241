import type { Mutant } from './mutant.ts'
import type { TestEnvironment, TestEnvironmentOptions } from './test-environment.ts'

/** A requirement and the value that was measured for it. */
export type Check = {
  name: string
  goal: string
  value: number | string
  pass: boolean
  /** Set if a stalling machine alone can cause a failure. `--ignore-timing` then only reports it. */
  timing?: true
}

export type ScenarioResult = {
  checks: Check[]
  measurements: Record<string, unknown>
  /** Each failure names everything needed to reproduce it. */
  failures: string[]
}

export type ScenarioContext = {
  seed: number
  options: Record<string, number>
  /** Starts a database and API processes, from the mutant copy if there is one. They are stopped automatically. */
  openEnvironment: (options: TestEnvironmentOptions) => Promise<TestEnvironment>
  /** Root of the code under test: the repository or the mutant copy. Both contain `deploy`. */
  root: string
  /** Registers a teardown function. It runs after the environments opened later have been stopped. */
  onTeardown: (stop: () => Promise<unknown>, pid?: number) => void
  log: (text: string) => void
}

export type Scenario = {
  name: string
  summary: string
  options: Record<string, { default: number; description: string }>
  /** Options with which every mutant must be killed. */
  mutantOptions: Record<string, number>
  mutants: Mutant[]
  /** Set if the scenario kills PostgreSQL or changes its clock and therefore can't share a server. */
  dedicatedPostgres?: boolean
  run(context: ScenarioContext): Promise<ScenarioResult>
}

/** Check that a bad event never occurred. */
export function none(name: string, count: number): Check {
  return { name, goal: '0', value: count, pass: count === 0 }
}

/** Check that an event occurred exactly `expected` times. */
export function exactly(name: string, expected: number, count: number): Check {
  return { name, goal: String(expected), value: count, pass: count === expected }
}

/** Check that an event occurred at least `expected` times: a scenario that observed nothing must not pass. */
export function atLeast(name: string, expected: number, count: number): Check {
  return { name, goal: `≥ ${expected}`, value: count, pass: count >= expected }
}

/** Check that a value stays within an upper bound. */
export function atMost(name: string, max: number, value: number): Check {
  return { name, goal: `≤ ${max}`, value, pass: value <= max }
}

/** Marks a check that a stalling machine can fail. */
export function timing(check: Check): Check {
  return { ...check, timing: true }
}
