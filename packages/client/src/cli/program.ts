import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addAnalytics } from './commands/analytics.ts'
import { addBatch } from './commands/batch.ts'
import { addCompletion } from './commands/completion.ts'
import { addDoctor } from './commands/doctor.ts'
import { addEntries } from './commands/entries.ts'
import { addHistory } from './commands/history.ts'
import { addLogin } from './commands/login.ts'
import { addMcp } from './commands/mcp.ts'
import { addMinifig } from './commands/minifig.ts'
import { addPortfolio } from './commands/portfolio.ts'
import { addRetail } from './commands/retail.ts'
import { addSales } from './commands/sales.ts'
import { addSearch } from './commands/search.ts'
import { addSet } from './commands/set.ts'
import { addThemes } from './commands/themes.ts'
import { addUsage } from './commands/usage.ts'
import { addWatch } from './commands/watch.ts'
import type { CliContext } from './context.ts'

const groups = [
  { heading: 'Catalog:', commands: [addSet, addMinifig, addSearch, addThemes, addBatch, addHistory, addRetail] },
  { heading: 'Your own:', commands: [addPortfolio, addEntries, addAnalytics, addWatch, addSales] },
  { heading: 'Your key:', commands: [addLogin, addUsage, addDoctor] },
  { heading: 'For other programs:', commands: [addMcp, addCompletion] },
]

export function buildProgram(kit: CliContext): Command {
  const program = new Command('brickmark')
    .description('Values of sets and minifigs, retail prices, your collections and sales.')
    .version(manifest.version)
    .exitOverride()
    .configureOutput({ writeErr: (text) => kit.terminal.info(text.trimEnd()) })
    .showHelpAfterError('Run it with --help for what is possible.')
    .addHelpText('after', AFTER)
  for (const { heading, commands } of groups) {
    program.commandsGroup(heading)
    for (const add of commands) add(program, kit)
  }
  return program
}

const AFTER = `
Start with:
  brickmark login                         store your key, once
  brickmark search lighthouse             find a set
  brickmark set 90000-1                   what it is worth
  brickmark entries --csv > holdings.csv  everything you hold, valued, for 1 unit each 250

Data goes to standard output, messages to standard error. Every command with data takes --json, --csv, --fields and
--dry-run. Exit codes: 0 ok, 1 error, 2 usage, 3 not found, 4 key or plan, 5 quota, 6 server or network.

LEGO is a trademark of its owner, which has no part in this program.`
