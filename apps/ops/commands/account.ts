import { Command } from 'commander'
import {
  changePlan,
  createAccount,
  setSuspended,
  type SuspensionOutcome,
} from '@brickmark/core/account/account-commands'
import { isReason, MAX_REASON } from '@brickmark/core/account/suspension'
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

export const accountSuspendCommand = new Command('account-suspend')
  .description('refuse an account’s keys and sign-ins until it is restored; deletes nothing')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<reason>', 'for the log; the owner of the account can read it')
  .action((accountId: number, reason: string) => changeSuspension(accountId, true, reason))

export const accountRestoreCommand = new Command('account-restore')
  .description('end the suspension of an account')
  .argument('<account-id>', undefined, parsePositiveInt)
  .argument('<reason>', 'for the log; the owner of the account can read it')
  .action((accountId: number, reason: string) => changeSuspension(accountId, false, reason))

function changeSuspension(accountId: number, suspend: boolean, reason: string): Promise<void> {
  return withDatabase(async (db) => {
    if (!isReason(reason)) throw new Error(`The reason must have 1 to ${MAX_REASON} characters.`)
    process.stdout.write(describe(await setSuspended(db, { accountId, suspend, reason }), accountId, suspend))
  })
}

function describe(outcome: SuspensionOutcome, accountId: number, suspend: boolean): string {
  if (outcome === 'not_found') throw new Error(`Account ${accountId} not found.`)
  if (outcome === 'last_operator')
    throw new Error(`Account ${accountId} belongs to the last admin. Appoint another one first.`)
  if (outcome === 'done') return `Account ${accountId} is ${suspend ? 'suspended' : 'restored'}.\n`
  return `Account ${accountId} ${suspend ? 'is already' : 'isn’t'} suspended.\n`
}
