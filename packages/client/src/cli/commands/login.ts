import type { Command } from 'commander'
import { Brickmark } from '../../brickmark.ts'
import { maskKey, validateKey } from '../../api-key.ts'
import { MissingKeyError, UsageError } from '../errors.ts'
import { examples, formatQuota, type CliContext } from '../context.ts'
import { loginFile, profileName, saveLogin } from '../config.ts'
import { promptSecret } from '../prompt-secret.ts'

export function addLogin(program: Command, { terminal }: CliContext): void {
  program
    .command('login')
    .description('save your API key on this computer (free)')
    .option('--base-url <url>', 'API base URL, ending in /api/v1')
    .option('--in-file', 'save the key in a file, also if this system has a keyring')
    .addHelpText(
      'after',
      `${examples('brickmark login --base-url https://brickmark.example/api/v1', 'brickmark login --profile work --base-url https://brickmark.example/api/v1 < key.txt')}

You’ll be prompted for your key, or you can pipe it in on stdin. It’s verified and saved in the keyring of this system
(Keychain, or the Secret Service of a Linux desktop), or else in ${loginFile(process.env)}, readable only by you.
BRICKMARK_API_KEY and BRICKMARK_BASE_URL take precedence over the saved login.`,
    )
    .action(async (options: { baseUrl?: string; inFile?: boolean }) => {
      const { baseUrl = process.env['BRICKMARK_BASE_URL'] || undefined, inFile = false } = options
      if (baseUrl === undefined) throw new UsageError('Which service? Add --base-url https://…/api/v1.')
      if (!URL.canParse(baseUrl)) throw new UsageError(`--base-url: "${baseUrl}" is not a valid URL.`)
      const apiKey = (await promptSecret('API key (hidden): ')).trim()
      const problem = validateKey(apiKey)
      if (problem !== undefined) throw new MissingKeyError(`Invalid API key. ${problem} Nothing was saved.`)
      const rateLimit = await new Brickmark({ apiKey, baseUrl }).getRateLimit()
      const place = saveLogin(process.env, apiKey, baseUrl, { inFile })
      terminal.info(
        `${maskKey(apiKey)} verified and saved in ${place} as profile "${profileName(process.env)}".\n${formatQuota(rateLimit)}`,
      )
    })
}
