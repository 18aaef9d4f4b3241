import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Check, Scenario } from './scenario.ts'
import { scenarios } from './index.ts'
import { runMutants, runScenario, type Report } from './run.ts'

/** `npm run test:system -- NAME`: shows what the service promises, with figures. Progress goes to stderr. */

type CommonOptions = { seed: number; seeds: number; json: boolean; plant?: string; plants: boolean }

const program = new Command('npm run test:system --')
  .description('Proves what the service promises, with figures. --list names every proof.')
  .showSuggestionAfterError()
  .showHelpAfterError('(--list names every proof, NAME --help its options)')
  .configureHelp({ showGlobalOptions: true })
for (const proof of scenarios) program.addCommand(buildCommand(proof))
for (const command of [program, ...program.commands]) command.exitOverride()

if (process.argv.includes('--list')) {
  list(process.argv.includes('--json'))
} else {
  try {
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // A wrong name or option is neither a success nor a proof that fell short.
    process.exitCode = error.exitCode === 0 ? 0 : 2
  }
}

function list(json: boolean): void {
  const rows = scenarios.map(({ name, covers, summary, mutants }) => ({
    name,
    covers,
    summary,
    plants: mutants.map((plant) => plant.name),
  }))
  if (json) return print(`${JSON.stringify(rows)}\n`)
  for (const { name, covers, summary } of rows) print(`${name.padEnd(12)}${covers.join(' ').padEnd(11)}${summary}\n`)
}

function buildCommand(proof: Scenario): Command {
  const command = new Command(proof.name)
    .description(`${proof.covers.join(', ')}: ${proof.summary}`)
    .showSuggestionAfterError()
    .showHelpAfterError(`(npm run test:system -- ${proof.name} --help says what is possible)`)
    .option('--seed <number>', 'what all randomness comes from', parseInteger, 1)
    .option('--seeds <number>', 'how many seeds to run, one after another, from that one on', parsePositive, 1)
    .option('--json', 'print one JSON object', false)
    .addOption(
      new Option('--plant <bug>', 'run against a copy with this bug; the proof must fall short').choices(
        proof.mutants.map((plant) => plant.name),
      ),
    )
    .option('--plants', 'run every plant in turn with a small load; each must be caught', false)
  for (const [name, option] of Object.entries(proof.options)) {
    command.option(`--${name} <number>`, option.description, parseInteger, option.default)
  }
  return command.action((options: CommonOptions & Record<string, unknown>) => runCommand(proof, options))
}

async function runCommand(proof: Scenario, options: CommonOptions & Record<string, unknown>): Promise<void> {
  const load = Object.fromEntries(Object.keys(proof.options).map((name) => [name, Number(options[name])]))
  if (options.plants) return printMutants(proof, options)
  const plant = proof.mutants.find((one) => one.name === options.plant)
  const report = await runScenario(proof, { seed: options.seed, seeds: options.seeds, options: load, plant })
  if (options.json) print(`${JSON.stringify(report)}\n`)
  else printReport(report)
  process.exitCode = report.pass ? 0 : 1
}

async function printMutants(proof: Scenario, { seed, json }: CommonOptions): Promise<void> {
  const caught = await runMutants(proof, seed, (line) => json || print(`${line}\n`))
  const goals = caught.map(({ name, expected, value, pass }): Check => ({ name, goal: expected, value, pass }))
  const pass = goals.every((goal) => goal.pass)
  if (json) print(`${JSON.stringify({ proof: proof.name, seed, plants: true, pass, goals })}\n`)
  process.exitCode = pass ? 0 : 1
}

function printReport(report: Report): void {
  const planted = report.plant === undefined ? '' : `, planted ${report.plant}`
  const last = report.seed + report.seeds - 1
  const seeds = report.seeds === 1 ? `seed ${report.seed}` : `seeds ${report.seed} to ${last}, the worst of each`
  print(`\n${report.proof} (${report.covers.join(', ')}), ${seeds}${planted}, ${report.seconds} s\n`)
  for (const { name, goal, value, pass } of report.checks) {
    print(`  ${pass ? '✓' : '✗'} ${name.padEnd(46)} ${String(value).padStart(9)}   goal ${goal}\n`)
  }
  for (const [name, value] of Object.entries(report.measurements)) print(`    ${name}: ${JSON.stringify(value)}\n`)
  for (const failure of report.failures) print(`\n${failure}\n`)
  print(report.pass ? '\nproven\n' : `\nFALLS SHORT; ${seeds}\n`)
}

function parseInteger(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function parsePositive(text: string): number {
  if (parseInteger(text) === 0) throw new InvalidArgumentError('It must be 1 or more.')
  return Number(text)
}

function print(text: string): void {
  process.stdout.write(text)
}
