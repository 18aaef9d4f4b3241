import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { AdmissionUnavailableError } from './admission/verdict.ts'
import type { ActiveKey } from './admission/active-key.ts'
import { FailedLookupLimitError } from './admission/key-resolver.ts'
import {
  MAX_CONCURRENT_PER_KEY,
  MAX_QUEUED_PER_KEY,
  OverloadedError,
  ConcurrencyLimitError,
} from './admission/key-concurrency-limiter.ts'
import { isDatabaseUnavailable } from '@brickmark/core/db/database'
import { disconnectStalledClients } from '@brickmark/core/runtime/stalled-clients'
import { toOriginForm } from '@brickmark/core/runtime/request-target'
import { securityTxt } from '@brickmark/core/runtime/security-txt'
import {
  ApiError,
  badRequest,
  INTERNAL_ERROR_MESSAGE,
  SERVICE_UNAVAILABLE,
  SERVICE_UNAVAILABLE_MAYBE_CHARGED,
} from './errors.ts'
import { allowPlayground, redirectToDocs } from './docs-site.ts'
import { commonHeaders } from './envelope.ts'
import { handleClientError, rejectUnsupportedRequests, SERVER_LIMITS } from './http-limits.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { extensionRoutes, fileRoutes } from './routes/extensions/index.ts'
import { EXTENSIONS_PREFIX } from './routes/extensions/prefix.ts'
import { V1_PREFIX, routes } from './routes/index.ts'
import { startTimings, type RequestTimings } from './request-tracer.ts'
import {
  authenticate,
  createHandler,
  recordCompletion,
  requirePlan,
  sendError,
  handleRequestError,
  type ApiContext,
} from './request-handler.ts'
import { toPathRegExp, unknownPathMessage } from './unknown-path-message.ts'

type Api = { prefix: string; endpoints: AnyEndpoint[]; label: (path: string) => string }

const V1_API: Api = { prefix: V1_PREFIX, endpoints: routes, label: (path) => path }
const EXTENSIONS_API: Api = {
  prefix: EXTENSIONS_PREFIX,
  endpoints: [...extensionRoutes, ...fileRoutes],
  label: (path) => `/extensions/v1${path}`,
}

function apiOf(url: string): Api | undefined {
  return [V1_API, EXTENSIONS_API].find(({ prefix }) => url.startsWith(prefix))
}

export type AppOptions = {
  apiContext: ApiContext
  log: Logger
  publicUrl: string | undefined
  /** Origin of the docs, if they have another than the API. */
  docsUrl: string | undefined
  securityContact: string | undefined
  /** Number of our own proxies, each of which adds an entry to X-Forwarded-For; clients can send the others. */
  trustedProxies: number
  /** Why the process isn't ready, or undefined if it is. */
  notReadyReason: () => string | undefined
  /** Whether a catalog is loaded, even if it is stale. */
  isLoaded: () => boolean
  isFresh: () => boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of the caller, once it is authenticated. */
    key: ActiveKey | undefined
    /** The error that was sent as the response, if any. */
    apiError: ApiError | undefined
    /** Undefined for requests rejected before any hook ran. */
    timings: RequestTimings | undefined
  }
}

/** Builds the Fastify app: /api/v1, its extensions and the health checks. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const responders = createResponders(options)
  // Fastify's own logger stays off: it would create a child logger per request. Our log lines include the request id.
  const app = Fastify({
    ...SERVER_LIMITS,
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies > 0 && ((_address, hop) => hop < options.trustedProxies),
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => toOriginForm(url),
    // Keep serving requests on open connections while shutting down.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: handleClientError,
    frameworkErrors: (error, request, reply) => {
      void responders.respondUnroutable(error, request, reply)
    },
  })
  rejectUnsupportedRequests(app.server)
  disconnectStalledClients(app.server)
  app.decorateRequest('key', undefined)
  app.decorateRequest('apiError', undefined)
  app.decorateRequest('timings', undefined)
  app.setErrorHandler(responders.respondWithError)
  app.setNotFoundHandler(responders.respondNotFound)
  for (const api of [V1_API, EXTENSIONS_API])
    await app.register(async (scope) => registerEndpoints(scope, api, options, responders), { prefix: api.prefix })
  registerHealthChecks(app, options)
  if (options.docsUrl !== undefined) redirectToDocs(app, options.docsUrl)
  return app
}

type Responders = ReturnType<typeof createResponders>

/** The responses that aren't a handler's own, and the authentication that precedes them. */
function createResponders(options: AppOptions) {
  function respondWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const responding = handleRequestError(options.apiContext, toApiError(error, request, options), reply)
    if (responding === undefined) recordCompletion(options.apiContext, request, reply, endpointLabel(request))
    else void finishResponse(responding, request, reply)
  }

  async function finishResponse(
    responding: Promise<void>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    try {
      await responding
    } catch (verdict) {
      // Admission overrides the original error: the key was revoked, or admission is unavailable.
      sendError(reply, toApiError(verdict, request, options))
    }
    recordCompletion(options.apiContext, request, reply, endpointLabel(request))
  }

  /**
   * Handles paths that cannot be decoded. No hook runs for them, so this authenticates first: without a key they get a
   * 401 like any other path.
   */
  async function respondUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      if (apiOf(request.url)) request.key = await identify(request)
    } catch (apiError) {
      return sendError(reply, toApiError(apiError, request, options))
    }
    respondWithError(error, request, reply)
  }

  function respondNotFound(request: FastifyRequest, reply: FastifyReply): void {
    respondWithError(routeNotFound(request), request, reply)
  }

  /** Authenticates the request. Responds 503 until the catalog is loaded; a 404 would be wrong, and billed. */
  function identify(request: FastifyRequest): ActiveKey | Promise<ActiveKey> {
    if (!options.isLoaded()) throw SERVICE_UNAVAILABLE
    return authenticate(options.apiContext, request)
  }

  return { respondWithError, respondUnroutable, respondNotFound, identify }
}

function registerEndpoints(
  scope: FastifyInstance,
  { endpoints, label }: Api,
  { apiContext, docsUrl }: AppOptions,
  responders: Responders,
): void {
  const { respondWithError, respondNotFound, identify } = responders
  // Uses the callback form because cached keys resolve without a promise.
  scope.addHook('onRequest', (request, reply, done) => {
    if (allowPlayground(docsUrl, request, reply)) return
    request.timings = startTimings()
    const enter = (key: ActiveKey) => {
      request.key = key
      // Reject unknown paths before parsing anything else: they get a 404 even if the query or body is invalid.
      if (request.is404) return done(routeNotFound(request))
      // Reject keys without API access before the body is parsed.
      if (!key.lacksPlan) return done()
      requirePlan(apiContext, request, done)
    }
    let key: ActiveKey | Promise<ActiveKey>
    try {
      // Node would answer without our error format.
      if (request.headers.host === undefined && request.raw.httpVersion === '1.1') badRequest('Missing `Host` header.')
      key = identify(request)
    } catch (apiError) {
      return done(apiError as Error)
    }
    if (key instanceof Promise) key.then(enter, done)
    else enter(key)
  })
  // Without its own handler, the hook above wouldn't run for unknown paths, and clients without a key could find out
  // which paths exist.
  scope.setNotFoundHandler(respondNotFound)
  for (const endpoint of endpoints) {
    scope.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: createHandler(apiContext, endpoint, label(endpoint.path), respondWithError),
    })
  }
}

function registerHealthChecks(app: FastifyInstance, options: AppOptions): void {
  const { notReadyReason, isFresh, securityContact, publicUrl } = options
  // Applies to the routes below; responses under /api/v1 set these headers when they are sent.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id))
    done()
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  if (securityContact !== undefined) {
    app.get('/.well-known/security.txt', async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(securityTxt(securityContact, publicUrl)),
    )
  }
  app.get('/readyz', async (_request, reply) => {
    const reason = notReadyReason()
    if (reason !== undefined) return reply.code(503).send({ status: 'not ready', reason })
    return { status: 'ready', catalog: isFresh() ? 'fresh' : 'stale' }
  })
}

function routeNotFound(request: FastifyRequest): ApiError {
  const [path = ''] = request.url.split('?')
  const allow = allowedMethods(path)
  const message = unknownPathMessage(request.method, path, apiOf(path) ?? V1_API, allow)
  return new ApiError('NotFound', message, allow === undefined ? {} : { headers: { allow } })
}

/** Returns the route template for the metrics label. Unknown paths share one label to bound cardinality. */
function endpointLabel(request: FastifyRequest): string {
  const { url } = request.routeOptions
  const api = url === undefined ? undefined : apiOf(url)
  if (url === undefined || api === undefined) return 'unknown'
  return api.label(url.slice(api.prefix.length).replaceAll(/:(\w+)/g, '{$1}'))
}

const TOO_MANY_CONCURRENT_REQUESTS = new ApiError(
  'InternalError',
  `Too many concurrent requests for this API key. Up to ${MAX_CONCURRENT_PER_KEY} run at once and ${MAX_QUEUED_PER_KEY} more can queue. This request did not count toward your quota.`,
  { status: 503, headers: { 'retry-after': '1' } },
)

/** Returns the methods that a path supports, or undefined if the path doesn't exist. */
function allowedMethods(path: string): string | undefined {
  const api = apiOf(path)
  if (api === undefined) return undefined
  const matching = api.endpoints.filter(({ path: template }) =>
    toPathRegExp(template).test(path.slice(api.prefix.length)),
  )
  return matching.length === 0 ? undefined : matching.map((endpoint) => endpoint.method).join(', ')
}

/** Returns why the request was shed, or undefined if it failed for another reason. */
function shedReason(
  error: unknown,
): 'key_concurrency' | 'overload' | 'admission' | 'key_lookup' | 'database' | undefined {
  if (error instanceof ConcurrencyLimitError) return 'key_concurrency'
  if (error instanceof OverloadedError) return 'overload'
  if (error instanceof AdmissionUnavailableError) return 'admission'
  if (error instanceof FailedLookupLimitError) return 'key_lookup'
  return isDatabaseUnavailable(error) ? 'database' : undefined
}

/** Maps any thrown value to an ApiError. Unexpected errors are logged and returned as a generic 500. */
function toApiError(error: unknown, request: FastifyRequest, { log, apiContext: { metrics } }: AppOptions): ApiError {
  if (error instanceof ApiError) return error
  const reason = shedReason(error)
  if (reason !== undefined) {
    metrics.recordShed(reason)
    if (reason === 'key_concurrency') return TOO_MANY_CONCURRENT_REQUESTS
    return error instanceof AdmissionUnavailableError && error.maybeCharged
      ? SERVICE_UNAVAILABLE_MAYBE_CHARGED
      : SERVICE_UNAVAILABLE
  }
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string }
  if (statusCode !== undefined && statusCode < 500) {
    // The unread rest of the body would be parsed as the next request.
    return new ApiError('BadRequest', badRequestMessage(code, message), { headers: { connection: 'close' } })
  }
  log.error({ err: error, requestId: request.id }, 'request failed')
  return new ApiError('InternalError', INTERNAL_ERROR_MESSAGE)
}

function badRequestMessage(code: string | undefined, message: string | undefined): string {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'Request body exceeds 64 KB.'
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'Content-Type must be `application/json`.'
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return 'Request body is empty.'
  if (code === 'FST_ERR_BAD_URL') return 'The path is not properly percent-encoded.'
  return code?.startsWith('FST_')
    ? 'Invalid request.'
    : `Request body is not valid JSON: ${message ?? ''}`.slice(0, 200)
}
