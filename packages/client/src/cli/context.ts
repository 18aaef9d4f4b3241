import { InvalidArgumentError, Option, type Command } from 'commander'
import { validateKey } from '../api-key.ts'
import { Brickmark } from '../brickmark.ts'
import type { RateLimit } from '../errors.ts'
import { MissingKeyError } from './errors.ts'
import { formatNumber, formatTimestamp, formatCredits } from './format.ts'
import { parseFields, writeOutput, type CommandResult, type OutputOptions } from './output.ts'
import { loadConfig, type Config } from './config.ts'
import type { Terminal } from './terminal.ts'

/** Cost of a command: a fixed number of credits, or 1 per page of 250. */
type Cost = { credits: number } | { perPageOf: string; max: number | undefined }

/** A command that sends requests to the API. */
type Query = {
  cost: Cost
  /** Columns of --csv, and the names that --fields accepts. */
  fields: readonly string[]
  ask: (brickmark: Brickmark) => Promise<CommandResult & { rateLimit: RateLimit | undefined }>
}

export type CliContext = {
  terminal: Terminal
  settings: () => Config
  /** Runs the query, writes its result in the selected format, and prints the remaining quota if interactive. */
  runQuery: (options: DataOptions, query: Query) => Promise<void>
}

export type DataOptions = OutputOptions & { dryRun?: boolean }

const PAGE_SIZE = 250

export function createContext(terminal: Terminal): CliContext {
  function settings(): Config {
    const found = loadConfig(process.env, process.cwd())
    if (!found) {
      throw new MissingKeyError('No API key found. Run `brickmark login` or set BRICKMARK_API_KEY.')
    }
    const problem = validateKey(found.apiKey)
    if (problem !== undefined) throw new MissingKeyError(`Invalid API key from ${found.keySource}. ${problem}`)
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
    .addOption(new Option('--json', 'output as JSON').conflicts('csv'))
    .option('--csv', 'output as CSV')
    .option('--fields <names>', 'comma-separated fields to include, e.g. set_number,title')
    .option('--dry-run', 'show the credit cost without making a request')
}

/** Parses the value of an option. Commander adds the option's name to the message. */
export function positiveInt(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a positive integer.')
  return Number(text)
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

export function formatQuota({ limit, remaining, reset }: RateLimit): string {
  return `${formatNumber(remaining)} of ${formatCredits(limit)} remaining. Resets at ${formatTimestamp(reset)}.`
}

function printCost(terminal: Terminal, cost: Cost, json: boolean): void {
  if ('credits' in cost) return terminal.out(json ? JSON.stringify(cost) : formatCredits(cost.credits))
  const max = cost.max === undefined ? undefined : Math.ceil(cost.max / PAGE_SIZE)
  const each = `1 credit per ${PAGE_SIZE} ${cost.perPageOf}`
  if (json) return terminal.out(JSON.stringify({ credits_per_250: 1, max_credits: max ?? null }))
  terminal.out(max === undefined ? each : `up to ${formatCredits(max)} (${each})`)
}
