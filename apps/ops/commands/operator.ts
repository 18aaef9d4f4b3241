import { Command } from 'commander'
import { setOperator } from '@brickmark/core/account/user-commands'
import { withDatabase } from '../context.ts'

export const operatorCommand = new Command('operator')
  .description('grant or revoke admin access for a user')
  .argument('<email>')
  .option('--revoke', 'revoke access', false)
  .action((email: string, { revoke }: { revoke: boolean }) =>
    withDatabase(async (db) => {
      const problem = await setOperator(db, email, !revoke)
      if (problem === 'not_found') throw new Error(`No user with email ${email}.`)
      if (problem === 'no_second_factor')
        throw new Error(
          `${email} has no second factor. First turn on two-factor authentication or add a passkey on the account page.`,
        )
      process.stdout.write(`${email} ${revoke ? 'is no longer an admin' : 'is now an admin'}.\n`)
    }),
  )
