import { Command } from 'commander'
import {
  accountCreateCommand,
  accountPlanCommand,
  accountRestoreCommand,
  accountSuspendCommand,
} from './commands/account.ts'
import { announceCommand } from './commands/announce.ts'
import { backtestCommand } from './commands/backtest.ts'
import { doctorCommand } from './commands/doctor.ts'
import { finalizeCommand } from './commands/finalize.ts'
import { importCommand } from './commands/import.ts'
import { importRebrickableCommand } from './commands/ingest-rebrickable.ts'
import { ingestBricksetCommand } from './commands/ingest-brickset.ts'
import { ingestCommand } from './commands/ingest.ts'
import { keyCreateCommand, keyRevokeCommand } from './commands/key.ts'
import { licenseCommand } from './commands/license.ts'
import { migrateCommand } from './commands/migrate.ts'
import { rolesCommand } from './commands/roles.ts'
import { operatorCommand } from './commands/operator.ts'
import { productsCommand } from './commands/products.ts'
import { pushKeysCommand } from './commands/push-keys.ts'
import { quarantineCommand } from './commands/quarantine.ts'
import { recomputeCommand } from './commands/recompute.ts'
import { restoreCommand } from './commands/restore.ts'
import { sourceCommand } from './commands/source.ts'

/** The operator CLI. DATABASE_URL must connect as the role that owns the database. */
const program = new Command('ops')
  .description('Operate a Brickmark service.')
  .showHelpAfterError('(run with --help for usage)')

for (const command of [
  doctorCommand,
  migrateCommand,
  rolesCommand,
  accountCreateCommand,
  accountPlanCommand,
  accountSuspendCommand,
  accountRestoreCommand,
  operatorCommand,
  announceCommand,
  keyCreateCommand,
  keyRevokeCommand,
  pushKeysCommand,
  sourceCommand,
  licenseCommand,
  ingestCommand,
  importRebrickableCommand,
  ingestBricksetCommand,
  importCommand,
  productsCommand,
  quarantineCommand,
  recomputeCommand,
  finalizeCommand,
  backtestCommand,
  restoreCommand,
]) {
  program.addCommand(command.copyInheritedSettings(program))
}

try {
  await program.parseAsync()
  process.exit()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
