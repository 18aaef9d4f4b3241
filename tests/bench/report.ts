import { round3 } from './statistics.ts'

/** A goal and its measured value. */
export type Goal = { name: string; goal: string; value: number | string; pass: boolean }

export type BenchReport = { benchmark: string; goals: Goal[]; figures: Record<string, unknown> }

/** Creates a goal with an upper bound, or undefined if there is no measurement. */
export function atMost(name: string, goal: number, value: number): Goal
export function atMost(name: string, goal: number, value: number | undefined): Goal | undefined
export function atMost(name: string, goal: number, value: number | undefined): Goal | undefined {
  return value === undefined ? undefined : { name, goal: `≤ ${goal}`, value: round3(value), pass: value <= goal }
}

/** Creates a goal with a lower bound, or undefined if there is no measurement. */
export function atLeast(name: string, goal: number, value: number): Goal
export function atLeast(name: string, goal: number, value: number | undefined): Goal | undefined
export function atLeast(name: string, goal: number, value: number | undefined): Goal | undefined {
  return value === undefined ? undefined : { name, goal: `≥ ${goal}`, value: round3(value), pass: value >= goal }
}

export function formatReport({ benchmark, goals, figures }: BenchReport): string {
  const lines = goals.map(
    ({ name, goal, value, pass }) => `  ${pass ? '✓' : '✗'} ${name.padEnd(58)} ${value}   goal ${goal}`,
  )
  const facts = Object.entries(figures).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`)
  return `\n${benchmark}\n${[...lines, ...facts].join('\n')}\n`
}

/** Logs progress to stderr; results go to stdout. */
export function logProgress(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`)
}
