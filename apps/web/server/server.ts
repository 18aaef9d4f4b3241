import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { sendResponse } from '@remix-run/node-fetch-server'
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { schemaMismatch } from '@brickmark/core/db/migrate'
import { describeUnsafeRole } from '@brickmark/core/db/role-queries'
import { createAuth } from './auth.ts'
import type { WebConfig } from './config.ts'
import { logError } from './log.ts'
import { createMailer } from './mailer.ts'
import { bodyLimit, readBody, bodyTooLargeMessage } from './request-body.ts'
import { CLIENT_IP_HEADER, clientIp, isSameOriginRequest, securityHeaders } from './security.ts'
import type { Services } from './services.ts'
import { acceptsGzip, loadStaticFiles, sendStaticFile } from './static-files.ts'
import { startSessionCleanup } from './session-cleanup.ts'

const BUILD = new URL('../build/', import.meta.url)
const SHUTDOWN_TIMEOUT_MS = 10_000

export type RunningWeb = { port: number; stop(): Promise<void> }

/** What the built application gives to its server, besides itself. */
type Entry = {
  contextFor: (services: Services, webResponse: { nonce: string; requestId: string }) => RouterContextProvider
}

/** Serves the built application. This is the one place for headers, the Origin check, the body cap and the stop. */
export async function startWeb(config: WebConfig): Promise<RunningWeb> {
  const { build, files } = await loadBuild()
  const pool = openPool(config.databaseUrl, { pipelined: true })
  const db = openDatabase(pool)
  const startupError = (await schemaMismatch(pool)) ?? (await describeUnsafeRole(db, 'brickmark_web'))
  if (startupError !== undefined) throw new Error(`The web application cannot start: ${startupError}`)
  const mailer = createMailer(config.mailUrl, config.mailFrom)
  const services: Services = { db, auth: createAuth(db, config, mailer), config, mailer }
  const cleanup = startSessionCleanup(db)
  const handle = createRequestHandler(build, 'production')
  const { contextFor } = build.entry.module as unknown as Entry
  const secure = config.publicUrl.startsWith('https:')
  const { host } = new URL(config.publicUrl)

  async function webResponse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64url')
    const requestId = randomUUID()
    for (const [name, value] of Object.entries(securityHeaders(nonce, secure))) response.setHeader(name, value)
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-request-id', requestId)
    // Joined as text: resolved against our origin, a target like //elsewhere would name another host.
    const url = request.url?.startsWith('/') ? URL.parse(config.publicUrl + request.url) : null
    if (url === null) return sendText(response, 400, 'That is no address.')
    if (url.pathname === '/healthz') return sendText(response, 200, 'ok')
    const file = files.get(url.pathname)
    if (file) return sendStaticFile(request, response, file)
    if (!isSameOriginRequest(request, config.publicUrl))
      return sendText(response, 403, 'This form was not sent from our pages.')
    if (request.headers.host !== host) return redirectToCanonicalHost(response, url)
    try {
      const body = await readBody(request, bodyLimit(url.pathname))
      if (body === 'too large') return sendText(response, 413, bodyTooLargeMessage(url.pathname))
      const webResponse = await handle(
        toWebRequest(request, url, body, config),
        contextFor(services, { nonce, requestId }),
      )
      await sendResponse(response, acceptsGzip(request) ? gzipResponse(webResponse) : webResponse)
    } catch (error) {
      logError('a request failed', error, requestId)
      if (response.headersSent) response.destroy()
      else sendText(response, 500, `Something went wrong on our side. Ask us about ${requestId}.`)
    }
  }

  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 30_000 }, (request, response) => {
    void webResponse(request, response)
  })
  server.listen(config.port, config.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const forceCloseTimer = setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS)
      await closed
      clearTimeout(forceCloseTimer)
      await cleanup.stop()
      await mailer.flush()
      await db.destroy()
    },
  }
}

async function loadBuild() {
  const entry = fileURLToPath(new URL('server/index.js', BUILD))
  if (!existsSync(entry)) throw new Error('The web application is not built yet: run `npm run build -w web`.')
  const build = (await import(entry)) as ServerBuild
  return { build, files: await loadStaticFiles(fileURLToPath(new URL('client', BUILD))) }
}

function toWebRequest(request: IncomingMessage, url: URL, body: Buffer | undefined, config: WebConfig): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set(CLIENT_IP_HEADER, clientIp(request, config.trustProxy))
  const init = { method: request.method ?? 'GET', headers, ...(body && { body: new Uint8Array(body) }) }
  return new Request(url, init)
}

function gzipResponse(response: Response): Response {
  const type = response.headers.get('content-type') ?? ''
  if (response.body === null || !type.startsWith('text/')) return response
  const headers = new Headers(response.headers)
  headers.set('content-encoding', 'gzip')
  headers.append('vary', 'accept-encoding')
  headers.delete('content-length')
  return new Response(response.body.pipeThrough(new CompressionStream('gzip')), { status: response.status, headers })
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${text}\n`)
}

/** Cookies and passkeys belong to one origin, so there is one. */
function redirectToCanonicalHost(response: ServerResponse, url: URL): void {
  response.writeHead(307, { location: url.href }).end()
}
