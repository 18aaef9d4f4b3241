import { InvalidArgumentError, type Command } from 'commander'
import { loadConfig } from '../config.ts'
import { examples, positiveInt, type CliContext } from '../context.ts'

export function addMcp(program: Command, { terminal }: CliContext): void {
  program
    .command('mcp')
    .description('start the MCP server for AI assistants (read-only)')
    .option('--http <port>', 'serve streamable HTTP on this port of localhost instead of stdio', parsePort)
    .addHelpText(
      'after',
      `${examples('brickmark mcp', 'brickmark mcp --http 8788')}

Your MCP client starts this for you, unless you use --http. Assistants use at most 200 credits of your daily quota.`,
    )
    .action(async ({ http }: { http?: number }) => {
      // Loaded on demand: it is larger than the rest of the CLI.
      const { serveMcpOverHttp, serveMcpOverStdio } = await import('../../mcp/mcp-server.ts')
      const config = loadConfig(process.env, process.cwd())
      if (config?.isDemo) terminal.info(`Using the demo at ${config.baseUrl}.`)
      const options = {
        credentials: config && { apiKey: config.apiKey, baseUrl: config.baseUrl },
        version: program.version()!,
      }
      if (http === undefined) return serveMcpOverStdio(options)
      terminal.info(`Listening on ${await serveMcpOverHttp(options, http)}. Press Ctrl-C to stop.`)
      return undefined
    })
}

function parsePort(text: string): number {
  const port = positiveInt(text)
  if (port > 65_535) throw new InvalidArgumentError('It must be a port between 1 and 65535.')
  return port
}
