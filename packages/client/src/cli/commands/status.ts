import type { Command } from 'commander'
import { maskKey } from '../../api-key.ts'
import { loadConfig, profileNames } from '../config.ts'
import { examples, type CliContext } from '../context.ts'
import { keyValueLines } from '../table.ts'

export function addStatus(program: Command, { terminal }: CliContext): void {
  program
    .command('status')
    .description('show which API key and URL are used (sends nothing)')
    .option('--json', 'output as JSON')
    .addHelpText('after', examples('brickmark status', 'brickmark status --profile work'))
    .action(({ json }: { json?: boolean }) => {
      const config = loadConfig(process.env, process.cwd())
      const profiles = profileNames(process.env)
      const status = {
        logged_in: config !== undefined,
        key: config ? maskKey(config.apiKey) : null,
        key_source: config?.keySource ?? null,
        base_url: config?.baseUrl ?? null,
        profiles,
      }
      if (json) return terminal.out(JSON.stringify(status, null, 2))
      const origin: [string, string][] = config
        ? [
            ['From', config.keySource],
            ['URL', config.baseUrl],
          ]
        : []
      const lines = keyValueLines(terminal, [
        ['Key', status.key ?? 'not found: run `brickmark login` or set BRICKMARK_API_KEY'],
        ...origin,
        ['Profiles', profiles.length === 0 ? 'none' : profiles.join(', ')],
      ])
      for (const line of lines) terminal.out(line)
    })
}
