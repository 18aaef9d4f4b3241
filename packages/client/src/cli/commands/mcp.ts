import type { Command } from 'commander'
import { examples, type CliContext } from '../context.ts'

export function addMcp(program: Command, { settings }: CliContext): void {
  program
    .command('mcp')
    .description('start the MCP server for AI assistants (stdio, read-only)')
    .addHelpText(
      'after',
      `${examples('brickmark mcp')}

Your MCP client starts this for you. It uses at most 200 credits of your daily quota.`,
    )
    .action(async () => {
      // Loaded on demand: it is larger than the rest of the CLI.
      const { serveMcp } = await import('../../mcp/mcp-server.ts')
      await serveMcp(settings(), program.version()!)
    })
}
