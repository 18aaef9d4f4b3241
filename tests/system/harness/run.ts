import { REPOSITORY } from '../../support/paths.ts'
import { createMutantCopy } from './mutant-copy.ts'
import type { Mutant, MutantCopy } from './mutant.ts'
import type { Check, Scenario, ScenarioResult } from './scenario.ts'
import { Testbed } from './test-environment.ts'
import { runCleanups, cleanUpOnExit, hangIfInterrupted } from '../../support/cleanup.ts'

export type Report = ScenarioResult & {
  scenario: string
  seed: number
  /** Number of seeds, starting at `seed`. */
  seeds: number
  mutant?: string
  options: Record<string, number>
  seconds: number
  pass: boolean
}

type RunOptions = {
  seed: number
  options: Record<string, number>
  mutant: Mutant | undefined
  ignoreTiming?: boolean
}

/** Runs a scenario in its own testbed, once per seed, and stops everything it started. */
export async function runScenario(
  scenario: Scenario,
  { seeds, ...options }: RunOptions & { seeds: number },
): Promise<Report> {
  return withTestbed(scenario, async (testbed) => {
    const reports: Report[] = []
    for (let seed = options.seed; seed < options.seed + seeds; seed++) {
      reports.push(await runOnce(testbed, scenario, { ...options, seed }))
      if (seeds > 1) log(`seed ${seed}: ${reports.at(-1)!.pass ? 'passed' : 'FAILED'}`)
    }
    return mergeReports(reports)
  })
}

/** Merges the reports of several seeds: the worst value of each check, the range of each measurement. */
function mergeReports(reports: Report[]): Report {
  const [first] = reports
  if (reports.length === 1) return first!
  const checks = first!.checks.map((check, index) => {
    const all = reports.map((report) => report.checks[index]!)
    return all.find((other) => !other.pass) ?? check
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
    checks,
    measurements: Object.fromEntries(numbers) as Record<string, unknown>,
    failures: reports.flatMap(({ seed, failures }) => failures.map((failure) => `seed ${seed}: ${failure}`)),
  }
}

export type MutantResult = { name: string; expected: string; value: string; pass: boolean }

/** Some mutants are race conditions that a busy machine can hide, so each gets this many seeds to be killed. */
const MUTANT_ATTEMPTS = 3

/** Runs every mutant of a scenario with its small load on the same server. Prints one line per mutant. */
export async function runMutants(
  scenario: Scenario,
  seed: number,
  print: (line: string) => void,
): Promise<MutantResult[]> {
  return withTestbed(scenario, async (testbed) => {
    const results: MutantResult[] = []
    for (const mutant of scenario.mutants) {
      const attempts = mutant.expectedToSurvive ? 1 : MUTANT_ATTEMPTS
      let report: Report
      let result: MutantResult
      let attempt = 0
      do {
        const options = { seed: seed + attempt, options: scenario.mutantOptions, mutant }
        report = await runOnce(testbed, scenario, options)
        result = mutantResult(mutant, report)
      } while (!result.pass && ++attempt < attempts)
      results.push(result)
      print(
        `${result.pass ? '✓' : '✗'} ${mutant.name.padEnd(18)} ${result.value} (${report.seconds} s): ${mutant.description}`,
      )
    }
    return results
  })
}

function mutantResult(mutant: Mutant, report: Report): MutantResult {
  const failed = report.checks.filter((check) => !check.pass)
  const value = failed.length === 0 ? 'survived' : `killed by ${failed.map(describeCheck).join(', ')}`
  const expected = mutant.expectedToSurvive ? 'survived' : 'killed'
  return { name: mutant.name, expected, value, pass: report.pass === (mutant.expectedToSurvive === true) }
}

function describeCheck({ name, value }: Check): string {
  return `"${name}" = ${value}`
}

async function withTestbed<T>(
  { dedicatedPostgres = false }: Scenario,
  work: (testbed: Testbed) => Promise<T>,
): Promise<T> {
  cleanUpOnExit()
  try {
    return await work(new Testbed(log, { dedicatedPostgres }))
  } finally {
    await runCleanups()
    await hangIfInterrupted()
  }
}

async function runOnce(
  testbed: Testbed,
  scenario: Scenario,
  { seed, options, mutant, ignoreTiming = false }: RunOptions,
): Promise<Report> {
  const started = performance.now()
  const mutantCopy: MutantCopy | undefined = mutant && (await createMutantCopy(mutant))
  const load = {
    ...Object.fromEntries(Object.entries(scenario.options).map(([name, o]) => [name, o.default])),
    ...options,
  }
  try {
    const result = await scenario.run({
      seed,
      options: load,
      log,
      root: mutantCopy?.root ?? REPOSITORY,
      openEnvironment: (options) => testbed.openEnvironment(options, mutantCopy),
      onTeardown: (stop, pid) => testbed.stopAtEnd(stop, pid),
    })
    return {
      scenario: scenario.name,
      seed,
      seeds: 1,
      ...(mutant && { mutant: mutant.name }),
      options: load,
      seconds: Math.round((performance.now() - started) / 100) / 10,
      pass: result.checks.every((check) => check.pass || (ignoreTiming && check.timing)),
      ...result,
    }
  } finally {
    await testbed.tearDown()
    await mutantCopy?.remove()
  }
}

function log(text: string): void {
  process.stderr.write(`  ${text}\n`)
}
