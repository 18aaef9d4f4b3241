import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The scripted server of the fault suite that every SDK must pass. Serves each case of faults.json under
 * `/CASE/RUN/api/v1`, where RUN is any name, and what was requested there under `/CASE/RUN/log`, over which connection, and whether the client gave up. The last response of a
 * case repeats. Run as a program, it prints its URL and ends with its standard input.
 */

export type Fault = {
  name: string
  options?: { timeoutMs?: number; maxRetries?: number; retryMaybeCharged?: boolean }
  unreachable?: boolean
  responses: ScriptedResponse[]
  expect: {
    title?: string
    error?: {
      class: string
      code: string
      status?: number
      isRetryable: boolean
      maybeCharged: boolean
      retryAfter?: number
    }
    requests: number
    /** Attempts that the hooks report; the number of requests unless given. */
    attempts?: number
    minMs?: number
  }
}
type ScriptedResponse = {
  status?: number
  code?: string
  headers?: Record<string, string>
  html?: string
  /** No response at all. */
  hang?: boolean
  /** Headers and part of the body, then nothing. */
  stall?: boolean
  /** The connection is reset (RST). */
  reset?: boolean
  /** The connection is closed (FIN) instead of a response. */
  close?: boolean
  /** Headers and part of the body, then the connection is closed. */
  breakOff?: boolean
}

type LoggedRequest = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  /** Port of the client; it tells connections apart. */
  port: number | undefined
  /** Whether the connection was closed before the response was complete. */
  isAborted: boolean
}

export const faults = JSON.parse(readFileSync(new URL('faults.json', import.meta.url), 'utf8')) as Fault[]

export const REQUEST_ID = '7f8a4c1e-2f4b-4c53-9a55-0c2b8a8f4d11'
const RATE_LIMIT = { limit: 1000, remaining: 999, reset: '2026-06-28T00:00:00.000Z' }

export async function startFaultServer(): Promise<{ url: string; stop: () => void }> {
  const logs = new Map<string, LoggedRequest[]>()
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    const [, index = '', run = '', page = ''] = url.split('/')
    const log = logs.get(`${index}/${run}`) ?? []
    logs.set(`${index}/${run}`, log)
    if (page === 'log') {
      response.end(JSON.stringify(log))
      return
    }
    const logged: LoggedRequest = { method, url, headers, port: request.socket.remotePort, isAborted: false }
    log.push(logged)
    response.on('close', () => (logged.isAborted = !response.writableEnded))
    const { responses } = faults[Number(index)]!
    respond(response, responses[log.length - 1] ?? responses.at(-1)!)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function respond(response: ServerResponse, { status = 200, code, headers, html, ...fault }: ScriptedResponse): void {
  if (fault.hang) return
  if (fault.close) {
    response.socket?.destroy()
    return
  }
  if (fault.reset) {
    response.socket?.resetAndDestroy()
    return
  }
  if (html !== undefined) {
    response.writeHead(status, { 'content-type': 'text/html' }).end(html)
    return
  }
  const meta = { request_id: REQUEST_ID, api_version: '1', rate_limit: RATE_LIMIT }
  const body = JSON.stringify(
    code === undefined ? { data: { title: 'Lighthouse' }, meta } : { error: { code, message: `It is ${code}.` } },
  )
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': REQUEST_ID,
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '999',
    'x-ratelimit-reset': RATE_LIMIT.reset,
    ...(code !== undefined && { link: `</docs/errors#${code}>; rel="help"` }),
    ...headers,
  })
  if (fault.stall || fault.breakOff) {
    response.write(body.slice(0, 20), () => fault.breakOff && response.socket?.destroy())
    return
  }
  response.end(body)
}

if (import.meta.main) {
  const { url, stop } = await startFaultServer()
  console.log(url)
  process.stdin.on('end', stop).resume()
}
