import { REPOSITORY } from '../support/paths.ts'
import { plantInCopy } from './mutant-copy.ts'
import type { Plant, Planted } from './mutant.ts'
import type { Goal, Proof, ProofResult } from './scenario.ts'
import { Grounds } from './test-environment.ts'
import { stopAll, stopBeforeExit, unlessInterrupted } from '../support/cleanup.ts'

export type Report = ProofResult & {
  proof: string
  covers: string[]
  seed: number
  /** How many seeds, from `seed` on. */
  seeds: number
  plant?: string
  options: Record<string, number>
  seconds: number
  pass: boolean
}

type RunOptions = { seed: number; options: Record<string, number>; plant: Plant | undefined }

/** Runs one proof on grounds of its own, with one seed after another, and leaves nothing behind. */
export async function runProof(proof: Proof, { seeds, ...options }: RunOptions & { seeds: number }): Promise<Report> {
  return onGrounds(proof, async (grounds) => {
    const reports: Report[] = []
    for (let seed = options.seed; seed < options.seed + seeds; seed++) {
      reports.push(await runOn(grounds, proof, { ...options, seed }))
      if (seeds > 1) say(`seed ${seed}: ${reports.at(-1)!.pass ? 'proven' : 'FALLS SHORT'}`)
    }
    return together(reports)
  })
}

/** Every goal with the value of its worst seed, every figure from its least to its most. */
function together(reports: Report[]): Report {
  const [first] = reports
  if (reports.length === 1) return first!
  const goals = first!.goals.map((goal, place) => {
    const all = reports.map((report) => report.goals[place]!)
    return all.find((one) => !one.pass) ?? goal
  })
  const numbers = Object.keys(first!.figures).flatMap((name) => {
    const values = reports.map((report) => report.figures[name])
    if (!values.every((value) => typeof value === 'number')) return []
    return [[name, `${Math.min(...values)} … ${Math.max(...values)}`]]
  })
  return {
    ...first!,
    seeds: reports.length,
    seconds: Math.round(reports.reduce((sum, report) => sum + report.seconds, 0)),
    pass: reports.every((report) => report.pass),
    goals,
    figures: Object.fromEntries(numbers) as Record<string, unknown>,
    failures: reports.flatMap(({ seed, failures }) => failures.map((failure) => `seed ${seed}: ${failure}`)),
  }
}

export type CaughtPlant = { name: string; expected: string; value: string; pass: boolean }

/** Runs every plant of a proof with its small load, on the same server. One line each. */
export async function runPlants(proof: Proof, seed: number, tell: (line: string) => void): Promise<CaughtPlant[]> {
  return onGrounds(proof, async (grounds) => {
    const results: CaughtPlant[] = []
    for (const plant of proof.plants) {
      const report = await runOn(grounds, proof, { seed, options: proof.smallLoad, plant })
      const result = verdictOn(plant, report)
      results.push(result)
      tell(`${result.pass ? '✓' : '✗'} ${plant.name.padEnd(18)} ${result.value} (${report.seconds} s): ${plant.what}`)
    }
    return results
  })
}

function verdictOn(plant: Plant, report: Report): CaughtPlant {
  const missed = report.goals.filter((goal) => !goal.pass)
  const value = missed.length === 0 ? 'all goals reached' : `caught by ${missed.map(inWords).join(', ')}`
  const expected = plant.survives ? 'all goals reached' : 'caught'
  return { name: plant.name, expected, value, pass: report.pass === (plant.survives === true) }
}

function inWords({ name, value }: Goal): string {
  return `"${name}" = ${value}`
}

async function onGrounds<T>({ ownServer = false }: Proof, work: (grounds: Grounds) => Promise<T>): Promise<T> {
  stopBeforeExit()
  try {
    return await work(new Grounds(say, { ownServer }))
  } finally {
    await stopAll()
    await unlessInterrupted()
  }
}

async function runOn(grounds: Grounds, proof: Proof, { seed, options, plant }: RunOptions): Promise<Report> {
  const started = performance.now()
  const planted: Planted | undefined = plant && (await plantInCopy(plant))
  const load = {
    ...Object.fromEntries(Object.entries(proof.options).map(([name, o]) => [name, o.default])),
    ...options,
  }
  try {
    const result = await proof.run({
      seed,
      options: load,
      say,
      root: planted?.root ?? REPOSITORY,
      stage: (wanted) => grounds.stage(wanted, planted),
      stopAtEnd: (stop, pid) => grounds.stopAtEnd(stop, pid),
    })
    return {
      proof: proof.name,
      covers: proof.covers,
      seed,
      seeds: 1,
      ...(plant && { plant: plant.name }),
      options: load,
      seconds: Math.round((performance.now() - started) / 100) / 10,
      pass: result.goals.every((goal) => goal.pass),
      ...result,
    }
  } finally {
    await grounds.clear()
    await planted?.remove()
  }
}

function say(text: string): void {
  process.stderr.write(`  ${text}\n`)
}
