import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { JSON_HEADERS, errorBody, helpLinkHeader, commonHeaders } from './envelope.ts'

/** Size limits and timeouts of requests. */
export const SERVER_LIMITS = {
  bodyLimit: 64 * 1024,
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000,
  routerOptions: { maxParamLength: 16 * 1024 },
  http: {
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false,
    headersTimeout: 10_000,
    connectionsCheckingInterval: 5000,
  },
}

const CLOSE_AFTER_MS = 1000

const CLIENT_ERROR_MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'Request headers exceed 16 KB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'Request timed out.',
}

/**
 * Handles requests rejected by the HTTP parser. They never reach Fastify, so the standard error response is written to
 * the raw socket.
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  writeRawBadRequest(socket, CLIENT_ERROR_MESSAGES[error.code ?? ''] ?? 'Invalid HTTP request.')
}

/** Overrides Node's built-in handling of `Expect` and CONNECT, which bypasses our error format. */
export function rejectUnsupportedRequests(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(400, badRequestHeaders())
    response.end(errorBody('BadRequest', 'Unsupported `Expect` header. Only `100-continue` is allowed.'))
  })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    writeRawBadRequest(socket, 'The CONNECT method is not supported.')
  })
}

function writeRawBadRequest(socket: Duplex, message: string): void {
  const body = errorBody('BadRequest', message)
  const headers = {
    ...badRequestHeaders(),
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  // Gives the client time to read the response. Without this, a client that keeps sending would stay connected.
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
}

function badRequestHeaders(): Record<string, string> {
  return { ...commonHeaders(randomUUID()), ...JSON_HEADERS, ...helpLinkHeader('BadRequest'), connection: 'close' }
}
