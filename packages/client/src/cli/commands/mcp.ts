import type { Command } from 'commander'
import { examples, type CliContext } from '../context.ts'

export function addMcp(program: Command, { settings }: CliContext): void {
  program
    .command('mcp')
    .description('a server of seven read-only tools for assistants, over standard input and output')
    .addHelpText(
      'after',
      `${examples('brickmark mcp')}

You do not start it yourself: an assistant that speaks the Model Context Protocol does. It spends at most 200 units of
your key a day, whatever the assistant asks.`,
    )
    .action(async () => {
      // Loaded on demand: it is larger than the rest of the CLI.
      const { serveMcp } = await import('../../mcp/mcp-server.ts')
      await serveMcp(settings(), program.version()!)
    })
}
