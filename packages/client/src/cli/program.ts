import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addAlerts } from './commands/alerts.ts'
import { addAnalytics } from './commands/analytics.ts'
import { addApi } from './commands/api.ts'
import { addBatch } from './commands/batch.ts'
import { addChanges } from './commands/changes.ts'
import { addCompletion } from './commands/completion.ts'
import { addDoctor } from './commands/doctor.ts'
import { addEntries } from './commands/entries.ts'
import { addExport } from './commands/export.ts'
import { addHistory } from './commands/history.ts'
import { addLogin } from './commands/login.ts'
import { addLogout } from './commands/logout.ts'
import { addMcp } from './commands/mcp.ts'
import { addMinifig } from './commands/minifig.ts'
import { addPortfolio } from './commands/portfolio.ts'
import { addRetail } from './commands/retail.ts'
import { addSales } from './commands/sales.ts'
import { addSearch } from './commands/search.ts'
import { addSet } from './commands/set.ts'
import { addStatus } from './commands/status.ts'
import { addThemes } from './commands/themes.ts'
import { addUsage } from './commands/usage.ts'
import { addWatch } from './commands/watch.ts'
import { addWebhooks } from './commands/webhooks.ts'
import type { CliContext } from './context.ts'

const groups = [
  {
    heading: 'Catalog:',
    commands: [addSet, addMinifig, addSearch, addThemes, addBatch, addHistory, addRetail, addChanges, addExport],
  },
  { heading: 'Your collection:', commands: [addPortfolio, addEntries, addAnalytics, addWatch, addSales, addAlerts] },
  { heading: 'Account:', commands: [addLogin, addLogout, addStatus, addUsage, addDoctor] },
  { heading: 'Integrations:', commands: [addApi, addMcp, addWebhooks, addCompletion] },
]

export function buildProgram(cliContext: CliContext): Command {
  const program = new Command('brickmark')
    .description('Look up set and minifig values, retail prices, and your collections and sales.')
    .version(manifest.version)
    .option('--profile <name>', 'use this saved login (or set BRICKMARK_PROFILE)')
    .hook('preAction', (command) => {
      const { profile } = command.opts<{ profile?: string }>()
      if (profile !== undefined) process.env['BRICKMARK_PROFILE'] = profile
    })
    .exitOverride()
    .configureOutput({ writeErr: (text) => cliContext.terminal.info(text.trimEnd()) })
    .showHelpAfterError('Run with --help for usage.')
    .addHelpText('after', AFTER)
  for (const { heading, commands } of groups) {
    program.commandsGroup(heading)
    for (const add of commands) add(program, cliContext)
  }
  return program
}

const AFTER = `
Get started:
  brickmark login                         save your API key
  brickmark search lighthouse             find a set
  brickmark set 90000-1                   see what it’s worth
  brickmark entries --csv > holdings.csv  export everything you own (1 credit per 250 lots)

Data is written to stdout and messages to stderr. Data commands support --json, --csv, --fields and --dry-run.
Exit codes: 0 success, 1 error, 2 usage error, 3 not found, 4 authentication or plan, 5 quota exceeded,
6 server or network error.

LEGO® is a trademark of the LEGO Group of companies, which does not sponsor, authorize or endorse this software.`
