import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Check, Scenario } from './scenario.ts'
import { scenarios } from '../scenarios/index.ts'
import { runMutants, runScenario, type Report } from './run.ts'

/** `npm run test:system -- NAME`: runs one system test and reports its measurements. Progress goes to stderr. */

type CommonOptions = {
  seed: number
  seeds: number
  json: boolean
  mutant?: string
  mutants: boolean
  ignoreTiming: boolean
}

const program = new Command('npm run test:system --')
  .description('Runs a system test. Use --list to see all of them.')
  .showSuggestionAfterError()
  .showHelpAfterError('(use --list to see all system tests, NAME --help for the options of one)')
  .configureHelp({ showGlobalOptions: true })
for (const scenario of scenarios) program.addCommand(buildCommand(scenario))
for (const command of [program, ...program.commands]) command.exitOverride()

if (process.argv.includes('--list')) {
  list(process.argv.includes('--json'))
} else {
  try {
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // An unknown name or option is neither a pass nor a failure.
    process.exitCode = error.exitCode === 0 ? 0 : 2
  }
}

function list(json: boolean): void {
  const rows = scenarios.map(({ name, summary, mutants }) => ({
    name,
    summary,
    mutants: mutants.map((mutant) => mutant.name),
  }))
  if (json) return print(`${JSON.stringify(rows)}\n`)
  for (const { name, summary } of rows) print(`${name.padEnd(23)}${summary}\n`)
}

function buildCommand(scenario: Scenario): Command {
  const command = new Command(scenario.name)
    .description(scenario.summary)
    .showSuggestionAfterError()
    .showHelpAfterError(`(npm run test:system -- ${scenario.name} --help lists its options)`)
    .option('--seed <number>', 'seed of the random number generator', parseInteger, 1)
    .option('--seeds <number>', 'how many seeds to run, starting at --seed', parsePositive, 1)
    .option('--json', 'print one JSON object', false)
    .addOption(
      new Option('--mutant <name>', 'run against a copy with this deliberate bug; the test must fail').choices(
        scenario.mutants.map((mutant) => mutant.name),
      ),
    )
    .option(
      '--ignore-timing',
      'report the checks that depend on the speed of the machine, but don’t fail on them',
      false,
    )
    .option('--mutants', 'run every mutant with a small load; each must be killed', false)
  for (const [name, option] of Object.entries(scenario.options)) {
    command.option(`--${name} <number>`, option.description, parseInteger, option.default)
  }
  return command.action((options: CommonOptions & Record<string, unknown>) => runCommand(scenario, options))
}

async function runCommand(scenario: Scenario, options: CommonOptions & Record<string, unknown>): Promise<void> {
  const load = Object.fromEntries(Object.keys(scenario.options).map((name) => [name, Number(options[name])]))
  if (options.mutants) return printMutants(scenario, options)
  const mutant = scenario.mutants.find((mutant) => mutant.name === options.mutant)
  const { seed, seeds, ignoreTiming } = options
  const report = await runScenario(scenario, { seed, seeds, ignoreTiming, options: load, mutant })
  if (options.json) print(`${JSON.stringify(report)}\n`)
  else printReport(report)
  process.exitCode = report.pass ? 0 : 1
}

async function printMutants(scenario: Scenario, { seed, json }: CommonOptions): Promise<void> {
  const results = await runMutants(scenario, seed, (line) => json || print(`${line}\n`))
  const checks = results.map(({ name, expected, value, pass }): Check => ({ name, goal: expected, value, pass }))
  const pass = checks.every((check) => check.pass)
  if (json) print(`${JSON.stringify({ scenario: scenario.name, seed, mutants: true, pass, checks })}\n`)
  process.exitCode = pass ? 0 : 1
}

function printReport(report: Report): void {
  const mutant = report.mutant === undefined ? '' : `, mutant ${report.mutant}`
  const last = report.seed + report.seeds - 1
  const seeds = report.seeds === 1 ? `seed ${report.seed}` : `seeds ${report.seed} to ${last}, worst values`
  print(`\n${report.scenario}, ${seeds}${mutant}, ${report.seconds} s\n`)
  for (const { name, goal, value, pass } of report.checks) {
    print(`  ${pass ? '✓' : '✗'} ${name.padEnd(46)} ${String(value).padStart(9)}   goal ${goal}\n`)
  }
  for (const [name, value] of Object.entries(report.measurements)) print(`    ${name}: ${JSON.stringify(value)}\n`)
  for (const failure of report.failures) print(`\n${failure}\n`)
  print(report.pass ? '\nPASSED\n' : `\nFAILED (${seeds})\n`)
}

function parseInteger(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Must be a whole number.')
  return Number(text)
}

function parsePositive(text: string): number {
  if (parseInteger(text) === 0) throw new InvalidArgumentError('Must be 1 or more.')
  return Number(text)
}

function print(text: string): void {
  process.stdout.write(text)
}
