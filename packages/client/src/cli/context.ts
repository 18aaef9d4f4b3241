import { Option, type Command } from 'commander'
import { Brickmark } from '../brickmark.ts'
import type { RateLimit } from '../errors.ts'
import { MissingKeyError, UsageError } from './errors.ts'
import { formatNumber, formatTimestamp, formatCredits } from './format.ts'
import { parseFields, writeOutput, type CommandResult, type OutputOptions } from './output.ts'
import { loadConfig, type Config } from './config.ts'
import type { Terminal } from './terminal.ts'

/** Cost of a command: a fixed number of credits, or 1 per page of 250. */
type Price = { units: number } | { perPageOf: string; max: number | undefined }

/** A command that sends requests to the API. */
type Query = {
  cost: Price
  /** Columns of --csv, and the names that --fields accepts. */
  fields: readonly string[]
  ask: (brickmark: Brickmark) => Promise<CommandResult & { rateLimit: RateLimit | undefined }>
}

export type CliContext = {
  terminal: Terminal
  settings: () => Config
  /** Runs the query, writes its result in the selected format, and prints the remaining quota if interactive. */
  runQuery: (options: DataOptions, question: Query) => Promise<void>
}

export type DataOptions = OutputOptions & { dryRun?: boolean }

const PAGE_SIZE = 250

export function createContext(terminal: Terminal): CliContext {
  function settings(): Config {
    const found = loadConfig(process.env, process.cwd())
    if (!found) {
      throw new MissingKeyError('No API key is known. Run `brickmark login`, or set BRICKMARK_API_KEY.')
    }
    if (found.isDemo) terminal.info(`Using the demo at ${found.baseUrl}.`)
    return found
  }

  return {
    terminal,
    settings,
    async runQuery(options, { cost, fields, ask }) {
      const chosen = parseFields(options.fields, fields)
      if (options.dryRun) return printCost(terminal, cost, options.json ?? false)
      const { apiKey, baseUrl } = settings()
      const { rateLimit, ...runQuery } = await ask(new Brickmark({ apiKey, baseUrl }))
      writeOutput(terminal, options, chosen, fields, runQuery)
      if (rateLimit && terminal.interactive) terminal.info(`\n${formatQuota(rateLimit)}`)
    },
  }
}

/** Adds the options shared by all commands that output data. */
export function addOutputOptions(command: Command): Command {
  return command
    .addOption(new Option('--json', 'the data as JSON').conflicts('csv'))
    .option('--csv', 'the data as CSV, every field a column')
    .option('--fields <names>', 'only these fields, like set_number,title')
    .option('--dry-run', 'print what it would cost, and ask nothing')
}

/** Parses the value of `--max`. */
export function positiveInt(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`"${text}" must be a whole number from 1 on.`)
  return Number(text)
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

export function formatQuota({ limit, remaining, reset }: RateLimit): string {
  return `${formatNumber(remaining)} of ${formatCredits(limit)} left until ${formatTimestamp(reset)}.`
}

function printCost(terminal: Terminal, cost: Price, json: boolean): void {
  if ('units' in cost) return terminal.out(json ? JSON.stringify(cost) : formatCredits(cost.units))
  const most = cost.max === undefined ? undefined : Math.ceil(cost.max / PAGE_SIZE)
  const each = `1 unit for each ${PAGE_SIZE} ${cost.perPageOf}`
  if (json) return terminal.out(JSON.stringify({ units_for_each_250: 1, units_at_most: most ?? null }))
  terminal.out(most === undefined ? each : `at most ${formatCredits(most)} (${each})`)
}
