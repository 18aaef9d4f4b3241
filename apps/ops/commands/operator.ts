import { Command } from 'commander'
import { setOperator } from '@brickmark/core/account/user-commands'
import { withDatabase } from '../context.ts'

export const operatorCommand = new Command('operator')
  .description('grant or revoke admin access for a user')
  .argument('<email>')
  .option('--revoke', 'revoke access', false)
  .action((email: string, { revoke }: { revoke: boolean }) =>
    withDatabase(async (db) => {
      if (!(await setOperator(db, email, !revoke))) throw new Error(`No user with email ${email}.`)
      process.stdout.write(`${email} ${revoke ? 'is no longer an admin' : 'is now an admin'}.\n`)
    }),
  )
