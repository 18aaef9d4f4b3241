import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type FakeServer = { baseUrl: string; requests: { url: string; body: string }[]; stop: () => Promise<void> }

/** Starts a server with scripted responses, for failures that a real one doesn't produce on demand. */
export async function startFakeServer(
  respond: (response: ServerResponse, index: number, body: string) => void,
): Promise<FakeServer> {
  const requests: FakeServer['requests'] = []
  const server = createServer((request: IncomingMessage, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requests.push({ url: request.url ?? '', body })
      respond(response, requests.length - 1, body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    requests,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function sendData(response: ServerResponse, data: unknown): void {
  const rate_limit = { limit: 1000, remaining: 999, reset: '2026-06-28T00:00:00.000Z' }
  send(response, 200, { data, meta: { request_id: 'r-1', api_version: '1', rate_limit } })
}

export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  send(response, status, { error: { code, message: `It is ${code}.` } }, headers)
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers })
  response.end(JSON.stringify(body))
}
