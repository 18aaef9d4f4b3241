import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import serveStatic from '@fastify/static'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router'
import { findAnnouncement } from '@brickmark/core/account/announcement-queries'
import { isDatabaseUnavailable, openDatabase, openPool } from '@brickmark/core/db/database'
import { findDealCandidates } from '@brickmark/core/portfolio/deal-queries'
import { shareRead } from '@brickmark/core/runtime/share-read'
import { schemaMismatch } from '@brickmark/core/db/migration-queries'
import { describeUnsafeRole } from '@brickmark/core/db/role-queries'
import { startMetricsServer } from '@brickmark/core/runtime/metrics-server'
import { disconnectStalledClients } from '@brickmark/core/runtime/stalled-clients'
import { toOriginForm } from '@brickmark/core/runtime/request-target'
import { securityTxt } from '@brickmark/core/runtime/security-txt'
import { announceSetup } from './announce-setup.ts'
import { createAuth } from './auth.ts'
import type { WebConfig } from './config.ts'
import { UploadReader } from './import/upload-reader.ts'
import { LegalPages } from './legal-pages.ts'
import { log } from './log.ts'
import { registerBounceHook } from './bounce-hook.ts'
import { registerBadges } from './badges.ts'
import { registerCrawlerFiles } from './crawlers.ts'
import { Mailer } from './mailer.ts'
import { WebMetrics } from './metrics.ts'
import { PasswordStrength } from './password-strength.ts'
import { registerPictures } from './pictures.ts'
import { PreviewPictures } from './preview-pictures.ts'
import { registerPushWorker } from './push/push-worker.ts'
import { createRateLimits } from './rate-limits.ts'
import { BodyTooLargeError, bodyTooLargeMessage, isReadableBody, readBody, TooManyBodiesError } from './request-body.ts'
import { CLIENT_IP_HEADER, helmetOptions, isSameOriginRequest, permissionsPolicy } from './security.ts'
import type { Services } from './services.ts'
import { startSessionCleanup } from './session-cleanup.ts'

const BUILD = new URL('../build/', import.meta.url)
const SHUTDOWN_TIMEOUT_MS = 10_000
const YEAR_MS = 31_536_000_000
const METHODS = new Set(['GET', 'HEAD', 'POST'])
const HOUR_MS = 3_600_000

export type RunningWeb = { port: number; stop(): Promise<void> }

/** What the built application exports for its server, besides the routes. */
type EntryModule = {
  createRequestContext: (services: Services, response: { nonce: string; requestId: string }) => RouterContextProvider
}

/** Where pages and their scripts come from: the build, or in development, Vite. */
export type Pages = {
  register(app: FastifyInstance): Promise<void>
  load(): Promise<ServerBuild>
  /** Whether Vite adds scripts and styles that the content security policy forbids. */
  isDevelopment: boolean
}

/** Reading all offers takes the database about as long as a page of them takes to rank. */
const DEALS_KEPT_MS = 10_000

const ANNOUNCEMENT_KEPT_MS = 3000

/** However often it is asked, readiness costs the database one query a second. */
const READINESS_KEPT_MS = 1000
const UNREACHABLE_MS = 10_000

/** Starts the web application: headers, the origin check, body limits and static files, then React Router. */
export async function startWeb(config: WebConfig, pages: Pages = BUILT_PAGES): Promise<RunningWeb> {
  const pool = openPool(config.databaseUrl, {
    pipelined: true,
    onError: (error) => log.warn({ err: error }, 'lost an idle database connection'),
  })
  const db = openDatabase(pool)
  const startupError = (await schemaMismatch(pool)) ?? (await describeUnsafeRole(db, 'brickmark_web'))
  if (startupError !== undefined) throw new Error(`Can’t start the web app: ${startupError}`)
  const metrics = new WebMetrics()
  metrics.registerGauges(db)
  const mailer = new Mailer(db, config, metrics)
  const rateLimits = createRateLimits(pool, config)
  const uploadReader = new UploadReader()
  const previews = new PreviewPictures(config.previewFolder)
  const passwordStrength = new PasswordStrength()
  const services: Services = {
    db,
    auth: createAuth(db, config, { mailer, rateLimits, passwordStrength }),
    config,
    mailer,
    rateLimits,
    uploadReader,
    previews,
    legalPages: await LegalPages.load(config.legalPages),
    // Pages that don't need the database must work without it.
    announcement: shareRead(() => findAnnouncement(db, new Date()).catch(() => undefined), ANNOUNCEMENT_KEPT_MS),
    dealCandidates: shareRead(() => findDealCandidates(db, new Date()), DEALS_KEPT_MS),
  }
  const cleanup = startSessionCleanup(db)
  const app = await buildApp(pages, services, watchReadiness(pool))
  app.addHook('onResponse', async (request, reply) => {
    metrics.recordRequest(request.method, reply.statusCode, reply.elapsedTime / 1000)
  })
  const metricsServer =
    config.metricsPort === undefined
      ? undefined
      : await startMetricsServer(metrics.registry, { component: 'web', host: config.host, port: config.metricsPort })
  await app.listen({ port: config.port, host: config.host })
  await announceSetup(db, config)
  return {
    port: (app.server.address() as AddressInfo).port,
    async stop() {
      const forceClose = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS)
      await app.close()
      clearTimeout(forceClose)
      await metricsServer?.stop()
      await cleanup.stop()
      await uploadReader.close()
      await previews.close()
      await passwordStrength.close()
      await mailer.stop()
      await db.destroy()
    },
  }
}

/**
 * Returns a function that says why this process isn't ready, or undefined if it is. A single failed query isn't a reason: under
 * load, it would take every process out of service at once. The database counts as lost after ten seconds without an answer.
 */
function watchReadiness(pool: Pool): () => Promise<string | undefined> {
  let reachedAt = Date.now()
  return shareRead(async () => {
    try {
      const mismatch = await schemaMismatch(pool)
      reachedAt = Date.now()
      return mismatch
    } catch (error) {
      log.warn({ err: error }, 'readiness check failed')
      return Date.now() - reachedAt < UNREACHABLE_MS ? undefined : 'the database cannot be reached'
    }
  }, READINESS_KEPT_MS)
}

async function buildApp(
  pages: Pages,
  services: Services,
  findProblem: () => Promise<string | undefined>,
): Promise<FastifyInstance> {
  const { config } = services
  const app = fastify({
    genReqId: () => randomUUID(),
    // Each of our own proxies adds an entry to X-Forwarded-For; clients can send the others.
    trustProxy: config.trustedProxies > 0 && ((_address, hop) => hop < config.trustedProxies),
    forceCloseConnections: 'idle',
    requestTimeout: 30_000,
    http: { maxHeaderSize: 16_384, headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
    // Paths are matched by React Router.
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => toOriginForm(url),
  })
  disconnectStalledClients(app.server)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('x-request-id', request.id)
    reply.header('permissions-policy', permissionsPolicy(request.url))
  })
  await app.register(helmet, helmetOptions(config, pages.isDevelopment))
  await app.register(compress, { encodings: ['gzip'], zlibOptions: { level: 6 } })
  await pages.register(app)
  registerPictures(app, services)
  registerBadges(app, services)
  registerPushWorker(app, config)
  registerCrawlerFiles(app, services)
  app.get('/healthz', async (_request, reply) => sendText(reply, 200, 'ok'))
  app.get('/readyz', async (_request, reply) => {
    const problem = await findProblem()
    return problem === undefined ? sendText(reply, 200, 'ready') : sendText(reply, 503, `not ready: ${problem}`)
  })
  if (config.securityContact !== undefined) {
    const text = () => securityTxt(config.securityContact!, config.publicUrl)
    app.get('/.well-known/security.txt', async (_request, reply) => sendText(reply, 200, text().trimEnd()))
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) => readBody(request.raw, payload))
  registerBounceHook(app, services)
  const build = pages.isDevelopment ? () => pages.load() : await pages.load()
  const handle = createRequestHandler(build, pages.isDevelopment ? 'development' : 'production')
  app.all('*', { onRequest: checkOrigin(config) }, async (request, reply) => {
    if (!METHODS.has(request.method))
      return sendText(reply.header('allow', [...METHODS].join(', ')), 405, 'Pages support GET and POST.')
    if (request.method === 'POST') {
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
      if (!(await isReadableBody(request.url, request.headers['content-type'], body)))
        return sendText(reply, 400, 'We couldn’t read this request. Go back, reload the page and try again.')
    }
    const { createRequestContext } = (await pages.load()).entry.module as unknown as EntryModule
    const context = createRequestContext(services, { nonce: reply.cspNonce.script, requestId: request.id })
    return reply.send(await handle(toWebRequest(request, config), context))
  })
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof BodyTooLargeError) return sendText(reply, 413, bodyTooLargeMessage(request.url))
    if (error instanceof TooManyBodiesError || isDatabaseUnavailable(error))
      return sendText(reply.header('retry-after', '5'), 503, 'We’re busy right now. Try again in a moment.')
    if (error.statusCode !== undefined && error.statusCode < 500) return sendText(reply, 400, 'Invalid URL.')
    log.error({ err: error, requestId: request.id }, 'request failed')
    return sendText(
      reply,
      500,
      `Something went wrong. If it keeps happening, contact support with request ID ${request.id}.`,
    )
  })
  return app
}

/** Rejects forms of other sites, and redirects to the one host that cookies and passkeys belong to. */
function checkOrigin({ publicUrl }: WebConfig) {
  const { host } = new URL(publicUrl)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> => {
    // Mail clients unsubscribe without opening a page; the link is signed. No other path may look like it: /unsubscribe/../keys
    // is /keys.
    if (!isSameOriginRequest(request.raw, publicUrl) && !/^\/unsubscribe\/[\w-]+$/.test(request.url))
      return sendText(reply, 403, 'This request came from another site and was blocked.')
    if (request.headers.host !== host) return reply.redirect(canonicalUrl(publicUrl, request.url), 307)
    return undefined
  }
}

/** Joins as text: resolved against our origin, a target like //elsewhere would name another host. */
function canonicalUrl(publicUrl: string, target: string): string {
  return publicUrl + target
}

/** File names under /assets/ contain a hash of their content, so they never change. */
async function registerStaticFiles(app: FastifyInstance): Promise<void> {
  const client = fileURLToPath(new URL('client/', BUILD))
  const options = { wildcard: false, index: false } as const
  await app.register(serveStatic, {
    ...options,
    root: `${client}assets`,
    prefix: '/assets/',
    immutable: true,
    maxAge: YEAR_MS,
  })
  await app.register(serveStatic, {
    ...options,
    root: client,
    decorateReply: false,
    globIgnore: ['assets/**'],
    maxAge: HOUR_MS,
  })
}

const BUILT_PAGES: Pages = {
  register: registerStaticFiles,
  async load() {
    const entry = fileURLToPath(new URL('server/index.js', BUILD))
    if (!existsSync(entry)) throw new Error('The web app hasn’t been built. Run `npm run build -w apps/web`.')
    return (await import(entry)) as ServerBuild
  },
  isDevelopment: false,
}

function toWebRequest(request: FastifyRequest, config: WebConfig): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set(CLIENT_IP_HEADER, request.ip)
  if (request.method === 'POST' && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded')
  const body = request.body as Buffer<ArrayBuffer> | undefined
  return new Request(canonicalUrl(config.publicUrl, request.url), {
    method: request.method,
    headers,
    ...(body && { body }),
  })
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('connection', 'close').type('text/plain; charset=utf-8').send(`${text}\n`)
}
