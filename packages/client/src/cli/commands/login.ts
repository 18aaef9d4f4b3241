import type { Command } from 'commander'
import { Brickmark } from '../../brickmark.ts'
import { maskKey, validateKey } from '../../api-key.ts'
import { MissingKeyError, UsageError } from '../errors.ts'
import { examples, formatQuota, type CliContext } from '../context.ts'
import { loginFile, saveLogin } from '../config.ts'
import { promptSecret } from '../prompt-secret.ts'

export function addLogin(program: Command, { terminal }: CliContext): void {
  program
    .command('login')
    .description('store your API key on this machine (free)')
    .option('--base-url <url>', 'where the service is, up to and with /api/v1')
    .addHelpText(
      'after',
      `${examples('brickmark login', 'brickmark login --base-url https://brickmark.example/api/v1 < key.txt')}

The key is asked for, or read from standard input; it is never an argument, which others could see. It is tried once and
then stored in ${loginFile(process.env)}, readable by you alone.
BRICKMARK_API_KEY and BRICKMARK_BASE_URL go before what is stored.`,
    )
    .action(async ({ baseUrl = process.env['BRICKMARK_BASE_URL'] }: { baseUrl?: string }) => {
      if (baseUrl !== undefined && !URL.canParse(baseUrl)) throw new UsageError(`"${baseUrl}" is not an address.`)
      const apiKey = (await promptSecret('API key (it is not shown): ')).trim()
      const problem = validateKey(apiKey)
      if (problem !== undefined) throw new MissingKeyError(`This is not an API key. ${problem} Nothing was stored.`)
      const rateLimit = await new Brickmark({ apiKey, baseUrl }).getRateLimit()
      saveLogin(process.env, apiKey, baseUrl)
      terminal.info(`${maskKey(apiKey)} works and is stored in ${loginFile(process.env)}.\n${formatQuota(rateLimit)}`)
    })
}
