import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:net'
import type { HttpResponse } from '../../../support/openapi-contract.ts'

export type RawExchange = { responses: HttpResponse[]; trailing: string; closed: boolean; ms: number }

const TIMEOUT_MS = 2000

/**
 * Sends chunks with pauses between them and collects the response bytes until the server closes the connection. `leave`
 * disconnects without waiting; `finish` half-closes the connection.
 */
export function sendRaw(
  port: number,
  { chunks, pauseMs, thenDo }: { chunks: Buffer[]; pauseMs: number; thenDo: 'wait' | 'finish' | 'leave' },
  head: boolean,
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const started = performance.now()
    const received: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let sentAt = started
    let done = false
    const finish = (closed: boolean) => {
      if (done) return
      done = true
      clearTimeout(timer)
      socket.destroy()
      const { responses, trailing } = parseResponses(Buffer.concat(received), head)
      resolve({ responses, trailing, closed, ms: performance.now() - sentAt })
    }
    let timer = setTimeout(() => finish(false), TIMEOUT_MS)
    socket.on('data', (part: Buffer) => received.push(part))
    socket.on('end', () => finish(true))
    socket.on('error', () => finish(true))
    socket.on('close', () => finish(true))
    socket.on('connect', () => void send())

    async function send(): Promise<void> {
      for (const [index, chunk] of chunks.entries()) {
        if (index > 0 && pauseMs > 0) await sleep(pauseMs)
        if (socket.writable) socket.write(chunk)
      }
      sentAt = performance.now()
      clearTimeout(timer)
      if (done) return
      timer = setTimeout(() => finish(false), TIMEOUT_MS)
      if (thenDo === 'finish') socket.end()
      if (thenDo === 'leave') finish(true)
    }
  })
}

/** Parses the responses in a byte stream and returns them with the trailing bytes. Skips interim (1xx) responses. */
function parseResponses(bytes: Buffer, head: boolean): { responses: HttpResponse[]; trailing: string } {
  const responses: HttpResponse[] = []
  let offset = 0
  while (offset < bytes.length) {
    const headersEnd = bytes.indexOf('\r\n\r\n', offset)
    if (headersEnd === -1) break
    const [statusLine = '', ...lines] = bytes.toString('latin1', offset, headersEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(statusLine)?.[1] ?? 0)
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const body = head || status < 200 ? { text: '', end: headersEnd + 4 } : bodyAt(bytes, headersEnd + 4, headers)
    if (!body) break
    if (status >= 200) responses.push({ status, headers, text: body.text })
    offset = body.end
  }
  return { responses, trailing: bytes.toString('latin1', offset) }
}

function bodyAt(
  bytes: Buffer,
  start: number,
  headers: Record<string, string>,
): { text: string; end: number } | undefined {
  if (headers['transfer-encoding'] === 'chunked') return chunksAt(bytes, start)
  const end = start + Number(headers['content-length'] ?? Number.NaN)
  return end <= bytes.length ? { text: bytes.toString('utf8', start, end), end } : undefined
}

function chunksAt(bytes: Buffer, start: number): { text: string; end: number } | undefined {
  const parts: Buffer[] = []
  for (let offset = start; ;) {
    const sizeEnd = bytes.indexOf('\r\n', offset)
    if (sizeEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', offset, sizeEnd), 16)
    parts.push(bytes.subarray(sizeEnd + 2, sizeEnd + 2 + size))
    offset = sizeEnd + 2 + size + 2
    if (size === 0) return { text: Buffer.concat(parts).toString(), end: offset }
  }
}
