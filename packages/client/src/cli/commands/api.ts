import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { Brickmark } from '../../brickmark.ts'
import { examples, formatQuota, type CliContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import { select } from '../select.ts'

type Options = { body?: string; select?: string }

export function addApi(program: Command, { terminal, settings }: CliContext): void {
  program
    .command('api')
    .description('send any request and print its data as JSON')
    .argument('<path>', 'path below the base URL, e.g. /set/90000-1 or "/catalog/sets/search?q=bus"')
    .option('--body <json>', 'send this JSON in a POST, or - to read it from stdin')
    .option('--select <path>', 'print only this part, e.g. results[].set_number')
    .addHelpText(
      'after',
      examples(
        'brickmark api /set/90000-1 --select new_value_usd',
        'brickmark api "/brickfolio/entries?limit=250" --select "entries[].set_number"',
        `brickmark api /catalog/batch --body '{"sets": ["90000-1"]}'`,
      ) + '\n\nA request costs what the API reference says. Text that is selected is printed without quotes.',
    )
    .action(async (path: string, options: Options) => {
      const body = options.body === undefined ? undefined : parseBody(options.body)
      const { apiKey, baseUrl } = settings()
      const brickmark = new Brickmark({ apiKey, baseUrl })
      const { data, meta } = await brickmark.request(
        body === undefined ? 'GET' : 'POST',
        path.startsWith('/') ? path : `/${path}`,
        body === undefined ? {} : { body },
      )
      for (const part of options.select === undefined ? [data] : select(data, options.select)) {
        const isText = options.select !== undefined && typeof part === 'string'
        terminal.out(isText ? part : JSON.stringify(part, null, 2))
      }
      if (terminal.interactive) terminal.info(`\n${formatQuota(meta.rateLimit)}`)
    })
}

function parseBody(text: string): object {
  try {
    return JSON.parse(text === '-' ? readFileSync(0, 'utf8') : text) as object
  } catch (error) {
    throw new UsageError(`--body isn’t JSON: ${(error as Error).message}`)
  }
}
