import { round3 } from './statistics.ts'

/** What must hold, and what was measured. */
export type Goal = { name: string; goal: string; value: number | string; pass: boolean }

export type BenchReport = { benchmark: string; goals: Goal[]; figures: Record<string, unknown> }

/** A goal that a figure stays at or below; none when nothing was measured for it. */
export function atMost(name: string, goal: number, value: number): Goal
export function atMost(name: string, goal: number, value: number | undefined): Goal | undefined
export function atMost(name: string, goal: number, value: number | undefined): Goal | undefined {
  return value === undefined ? undefined : { name, goal: `≤ ${goal}`, value: round3(value), pass: value <= goal }
}

/** A goal that a figure reaches or exceeds. */
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

/** Says how far a long measurement is; the figures go to stdout, this does not. */
export function logProgress(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`)
}
