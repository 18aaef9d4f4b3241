/** What must hold, and what was measured. */
export type Goal = { name: string; goal: string; value: number | string; pass: boolean }

export type BenchReport = { benchmark: string; goals: Goal[]; figures: Record<string, unknown> }

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

/** Round by round, so that what slows the machine for a while slows both. */
export function medianRatio(over: number[], under: number[]): number {
  return median(over.map((value, round) => value / under[round]!))
}

/** A goal, or none when nothing was measured for it. */
export function atMost(name: string, goal: number, value: number | undefined): Goal | undefined {
  return value === undefined ? undefined : { name, goal: `≤ ${goal}`, value: rounded(value), pass: value <= goal }
}

export function atLeast(name: string, goal: number, value: number | undefined): Goal | undefined {
  return value === undefined ? undefined : { name, goal: `≥ ${goal}`, value: rounded(value), pass: value >= goal }
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

export function showReport({ benchmark, goals, figures }: BenchReport): string {
  const lines = goals.map(
    ({ name, goal, value, pass }) => `  ${pass ? '✓' : '✗'} ${name.padEnd(58)} ${value}   goal ${goal}`,
  )
  const facts = Object.entries(figures).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`)
  return `\n${benchmark}\n${[...lines, ...facts].join('\n')}\n`
}

/** Says how far a long measurement is; the figures go to stdout, this does not. */
export function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`)
}
