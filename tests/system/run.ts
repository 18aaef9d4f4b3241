import { REPOSITORY } from '../support/paths.ts'
import { createMutantCopy } from './mutant-copy.ts'
import type { Plant, Planted } from './mutant.ts'
import type { Check, Scenario, ScenarioResult } from './scenario.ts'
import { Testbed } from './test-environment.ts'
import { runCleanups, cleanUpOnExit, hangIfInterrupted } from '../support/cleanup.ts'

export type Report = ScenarioResult & {
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
export async function runScenario(
  proof: Scenario,
  { seeds, ...options }: RunOptions & { seeds: number },
): Promise<Report> {
  return withTestbed(proof, async (grounds) => {
    const reports: Report[] = []
    for (let seed = options.seed; seed < options.seed + seeds; seed++) {
      reports.push(await runOnce(grounds, proof, { ...options, seed }))
      if (seeds > 1) say(`seed ${seed}: ${reports.at(-1)!.pass ? 'proven' : 'FALLS SHORT'}`)
    }
    return mergeReports(reports)
  })
}

/** Every goal with the value of its worst seed, every figure from its least to its most. */
function mergeReports(reports: Report[]): Report {
  const [first] = reports
  if (reports.length === 1) return first!
  const goals = first!.checks.map((goal, place) => {
    const all = reports.map((report) => report.checks[place]!)
    return all.find((one) => !one.pass) ?? goal
  })
  const numbers = Object.keys(first!.measurements).flatMap((name) => {
    const values = reports.map((report) => report.measurements[name])
    if (!values.every((value) => typeof value === 'number')) return []
    return [[name, `${Math.min(...values)} … ${Math.max(...values)}`]]
  })
  return {
    ...first!,
    seeds: reports.length,
    seconds: Math.round(reports.reduce((sum, report) => sum + report.seconds, 0)),
    pass: reports.every((report) => report.pass),
    checks: goals,
    measurements: Object.fromEntries(numbers) as Record<string, unknown>,
    failures: reports.flatMap(({ seed, failures }) => failures.map((failure) => `seed ${seed}: ${failure}`)),
  }
}

export type MutantResult = { name: string; expected: string; value: string; pass: boolean }

/** Runs every plant of a proof with its small load, on the same server. One line each. */
export async function runMutants(
  proof: Scenario,
  seed: number,
  print: (line: string) => void,
): Promise<MutantResult[]> {
  return withTestbed(proof, async (grounds) => {
    const results: MutantResult[] = []
    for (const plant of proof.mutants) {
      const report = await runOnce(grounds, proof, { seed, options: proof.mutantOptions, plant })
      const result = mutantResult(plant, report)
      results.push(result)
      print(`${result.pass ? '✓' : '✗'} ${plant.name.padEnd(18)} ${result.value} (${report.seconds} s): ${plant.what}`)
    }
    return results
  })
}

function mutantResult(plant: Plant, report: Report): MutantResult {
  const missed = report.checks.filter((goal) => !goal.pass)
  const value = missed.length === 0 ? 'all goals reached' : `caught by ${missed.map(describeCheck).join(', ')}`
  const expected = plant.survives ? 'all goals reached' : 'caught'
  return { name: plant.name, expected, value, pass: report.pass === (plant.survives === true) }
}

function describeCheck({ name, value }: Check): string {
  return `"${name}" = ${value}`
}

async function withTestbed<T>(
  { dedicatedPostgres = false }: Scenario,
  work: (grounds: Testbed) => Promise<T>,
): Promise<T> {
  cleanUpOnExit()
  try {
    return await work(new Testbed(say, { ownServer: dedicatedPostgres }))
  } finally {
    await runCleanups()
    await hangIfInterrupted()
  }
}

async function runOnce(grounds: Testbed, proof: Scenario, { seed, options, plant }: RunOptions): Promise<Report> {
  const started = performance.now()
  const mutantCopy: Planted | undefined = plant && (await createMutantCopy(plant))
  const load = {
    ...Object.fromEntries(Object.entries(proof.options).map(([name, o]) => [name, o.default])),
    ...options,
  }
  try {
    const result = await proof.run({
      seed,
      options: load,
      log: say,
      root: mutantCopy?.root ?? REPOSITORY,
      openEnvironment: (wanted) => grounds.stage(wanted, mutantCopy),
      onTeardown: (stop, pid) => grounds.stopAtEnd(stop, pid),
    })
    return {
      proof: proof.name,
      covers: proof.covers,
      seed,
      seeds: 1,
      ...(plant && { plant: plant.name }),
      options: load,
      seconds: Math.round((performance.now() - started) / 100) / 10,
      pass: result.checks.every((goal) => goal.pass),
      ...result,
    }
  } finally {
    await grounds.tearDown()
    await mutantCopy?.remove()
  }
}

function say(text: string): void {
  process.stderr.write(`  ${text}\n`)
}
