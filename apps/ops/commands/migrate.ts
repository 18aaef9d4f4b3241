import { Command } from 'commander'
import { migrate } from '@brickmark/core/db/migrate'
import { databaseUrl } from '../context.ts'

export const migrateCommand = new Command('migrate').description('run pending migrations').action(async () => {
  const done = await migrate(databaseUrl())
  process.stdout.write(done.length === 0 ? 'Schema is up to date.\n' : `Applied ${done.join(', ')}.\n`)
})
