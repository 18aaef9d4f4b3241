import { Option, type Command } from 'commander'
import { Brickmark } from '../brickmark.ts'
import type { RateLimit } from '../errors.ts'
import { NoKeyError, UsageError } from './errors.ts'
import { count, instant, units } from './format.ts'
import { chooseFields, write, type Answer, type OutputOptions } from './output.ts'
import { findSettings, type Settings } from './config.ts'
import type { Terminal } from './terminal.ts'

/** What it costs: so many units, or one for each page of 250. */
type Price = { units: number } | { pagesOf: string; max: number | undefined }

/** A command that asks the service. */
type Question = {
  price: Price
  /** The columns that --csv gives and --fields may name. */
  fields: readonly string[]
  ask: (brickmark: Brickmark) => Promise<Answer & { rateLimit: RateLimit | undefined }>
}

export type Kit = {
  terminal: Terminal
  settings: () => Settings
  /** Asks, writes the answer as the options say, and tells whoever watches what is left. */
  answer: (options: AskOptions, question: Question) => Promise<void>
}

export type AskOptions = OutputOptions & { dryRun?: boolean }

const PAGE_SIZE = 250

export function openKit(terminal: Terminal): Kit {
  function settings(): Settings {
    const found = findSettings(process.env, process.cwd())
    if (!found) {
      throw new NoKeyError('No API key is known. Run `brickmark login`, or set BRICKMARK_API_KEY.')
    }
    if (found.isDemo) terminal.note(`Using the demo at ${found.baseUrl}.`)
    return found
  }

  return {
    terminal,
    settings,
    async answer(options, { price, fields, ask }) {
      const chosen = chooseFields(options.fields, fields)
      if (options.dryRun) return showPrice(terminal, price, options.json ?? false)
      const { rateLimit, ...answer } = await ask(new Brickmark(settings()))
      write(terminal, options, chosen, fields, answer)
      if (rateLimit && terminal.watched) terminal.note(`\n${unitsLeft(rateLimit)}`)
    },
  }
}

/** The options that every command with data has. */
export function withOutput(command: Command): Command {
  return command
    .addOption(new Option('--json', 'the data as JSON').conflicts('csv'))
    .option('--csv', 'the data as CSV, every field a column')
    .option('--fields <names>', 'only these fields, like set_number,title')
    .option('--dry-run', 'print what it would cost, and ask nothing')
}

/** `--max` for lists. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`"${text}" must be a whole number from 1 on.`)
  return Number(text)
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

export function unitsLeft({ limit, remaining, reset }: RateLimit): string {
  return `${count(remaining)} of ${units(limit)} left until ${instant(reset)}.`
}

function showPrice(terminal: Terminal, price: Price, json: boolean): void {
  if ('units' in price) return terminal.out(json ? JSON.stringify(price) : units(price.units))
  const most = price.max === undefined ? undefined : Math.ceil(price.max / PAGE_SIZE)
  const each = `1 unit for each ${PAGE_SIZE} ${price.pagesOf}`
  if (json) return terminal.out(JSON.stringify({ units_for_each_250: 1, units_at_most: most ?? null }))
  terminal.out(most === undefined ? each : `at most ${units(most)} (${each})`)
}
