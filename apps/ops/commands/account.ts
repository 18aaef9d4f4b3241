import { Command } from 'commander'
import { changePlan, createAccount } from '@brickmark/core/account/account-commands'
import { parsePositiveInt } from '../arguments.ts'
import { withDatabase } from '../context.ts'

export const accountCreateCommand = new Command('account-create')
  .description('create an account and print its ID')
  .argument('<name>')
  .option('--plan <plan>', 'hobby or reseller', 'reseller')
  .action((name: string, { plan }: { plan: string }) =>
    withDatabase(async (db) => {
      process.stdout.write(`${await createAccount(db, { name, plan, actor: 'operator' })}\n`)
    }),
  )

export const accountPlanCommand = new Command('account-plan')
  .description('change an account’s plan')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<plan>', 'hobby or reseller')
  .action((accountId: number, plan: string) =>
    withDatabase(async (db) => {
      const changed = await changePlan(db, { accountId, plan, actor: 'operator' })
      if (!changed) throw new Error(`Account ${accountId} or plan ${plan} not found.`)
      process.stdout.write(`Account ${accountId} is now on the ${plan} plan.\n`)
    }),
  )
