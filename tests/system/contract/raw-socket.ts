import { connect } from 'node:net'
import type { HttpResponse } from '../../support/openapi-contract.ts'

export type RawExchange = { responses: HttpResponse[]; trailing: string; closed: boolean; ms: number }

const TIMEOUT_MS = 2000

/**
 * Sends pieces of bytes with pauses between them and collects what comes back until the other side closes.
 * `leave` goes away without waiting, `finish` says that nothing more will come.
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
      for (const [index, piece] of chunks.entries()) {
        if (index > 0 && pauseMs > 0) await new Promise((resume) => setTimeout(resume, pauseMs))
        if (socket.writable) socket.write(piece)
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

/** The answers in a stream of bytes, and what is left over. Interim answers (1xx) are passed over. */
function parseResponses(bytes: Buffer, head: boolean): { responses: HttpResponse[]; trailing: string } {
  const responses: HttpResponse[] = []
  let at = 0
  while (at < bytes.length) {
    const headersEnd = bytes.indexOf('\r\n\r\n', at)
    if (headersEnd === -1) break
    const [statusLine = '', ...lines] = bytes.toString('latin1', at, headersEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(statusLine)?.[1] ?? 0)
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const body = head || status < 200 ? { text: '', end: headersEnd + 4 } : bodyAt(bytes, headersEnd + 4, headers)
    if (!body) break
    if (status >= 200) responses.push({ status, headers, text: body.text })
    at = body.end
  }
  return { responses, trailing: bytes.toString('latin1', at) }
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
  for (let at = start; ;) {
    const sizeEnd = bytes.indexOf('\r\n', at)
    if (sizeEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, sizeEnd), 16)
    parts.push(bytes.subarray(sizeEnd + 2, sizeEnd + 2 + size))
    at = sizeEnd + 2 + size + 2
    if (size === 0) return { text: Buffer.concat(parts).toString(), end: at }
  }
}
