import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { verifyWebhook, type WebhookEvent } from '../../webhooks.ts'
import { examples, positiveInt, type CliContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'

type Options = { port: number; secret?: string; json?: boolean }

const DEFAULT_PORT = 8789

export function addWebhooks(program: Command, { terminal }: CliContext): void {
  program
    .command('webhooks')
    .description('receive webhooks on this computer')
    .addHelpText('after', examples('brickmark webhooks listen --secret whsec_…'))
    .command('listen')
    .description('print each event whose signature is right, until interrupted')
    .option('--port <port>', 'port to listen on', positiveInt, DEFAULT_PORT)
    .option('--secret <secret>', 'signing secret of the endpoint (or set BRICKMARK_WEBHOOK_SECRET)')
    .option('--json', 'print each event as a line of JSON')
    .addHelpText(
      'after',
      examples(
        'brickmark webhooks listen --secret whsec_…',
        'brickmark webhooks listen --port 3000 --json | jq .data.reason',
      ) +
        '\n\nIt listens on 127.0.0.1 only. Brickmark sends webhooks to public addresses: use a tunnel, and add its URL as the endpoint.',
    )
    .action(async ({ port, secret = process.env['BRICKMARK_WEBHOOK_SECRET'], json }: Options) => {
      if (secret === undefined) throw new UsageError('Pass --secret, or set BRICKMARK_WEBHOOK_SECRET.')
      const server = createReceiver(terminal, secret, (event) =>
        terminal.out(json ? JSON.stringify(event) : describeEvent(event)),
      )
      server.listen(port, '127.0.0.1')
      await once(server, 'listening').catch((error: Error) => {
        throw new UsageError(`Can’t listen on port ${port}: ${error.message}`)
      })
      terminal.info(`Listening on http://127.0.0.1:${port}. Press Ctrl-C to end.`)
      await once(server, 'close')
    })
}

function createReceiver(terminal: Terminal, secret: string, print: (event: WebhookEvent) => void): Server {
  return createServer((request, response) => {
    void (async () => {
      try {
        print(await verifyWebhook(await text(request), request.headers, secret))
        response.writeHead(204).end()
      } catch (error) {
        terminal.info(`Rejected: ${(error as Error).message}`)
        response.writeHead(400).end()
      }
    })()
  })
}

function describeEvent(event: WebhookEvent): string {
  const at = event.timestamp.slice(0, 19).replace('T', ' ')
  if (event.type === 'test') return `${at}  test  It works.`
  return `${at}  ${event.type}  ${event.data.item_number}  ${event.data.title}: ${event.data.reason}`
}
