import type { Command } from 'commander'
import { profileName, removeLogin } from '../config.ts'
import { examples, type CliContext } from '../context.ts'

export function addLogout(program: Command, { terminal }: CliContext): void {
  program
    .command('logout')
    .description('remove a saved API key from this computer')
    .addHelpText(
      'after',
      `${examples('brickmark logout', 'brickmark logout --profile work')}

The key itself keeps working. To end it everywhere, revoke it in your account.`,
    )
    .action(() => {
      const profile = profileName(process.env)
      const removed = removeLogin(process.env)
      terminal.info(removed ? `Profile "${profile}" removed.` : `Profile "${profile}" is not logged in.`)
    })
}
