import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ActiveKey } from './admission/active-key.ts'
import type { AdmissionController } from './admission/admission-controller.ts'
import { AdmissionUnavailableError, type AdmissionOutcome } from './admission/verdict.ts'
import type { KeyResolver } from './admission/key-resolver.ts'
import type { KeyConcurrencyLimiter } from './admission/key-concurrency-limiter.ts'
import type { UsageRecorder } from './admission/usage-recorder.ts'
import { exceedsFairShare, type Database } from '@brickmark/core/db/database'
import { withTimeout } from '@brickmark/core/db/with-timeout'
import { QUEUE_FULL } from '@brickmark/core/db/fair-queue'
import { isStandbyFailure } from '@brickmark/core/db/standby'
import type { Quota } from '@brickmark/core/account/quota'
import { ApiError } from './errors.ts'
import type { AnyEndpoint, HandlerContext } from './endpoint.ts'
import {
  JSON_HEADERS,
  ENVELOPE_PREFIX,
  envelopeSuffix,
  errorBody,
  helpLinkHeader,
  commonHeaders,
  okHeaders,
  quotaHeaders,
} from './envelope.ts'
import { FileSlice } from './file-slice.ts'
import { unknownNamesMessage, validationMessage, type Part } from './validation-message.ts'
import { missingKeyMessage, quotaExceededMessage, INVALID_KEY_MESSAGE } from './auth-messages.ts'
import type { ApiMetrics } from './metrics.ts'
import type { EventLoopMonitor } from './event-loop-monitor.ts'
import { startTimings, type RequestTracer } from './request-tracer.ts'
import { PreserializedJson } from './schemas/preserialized-json.ts'

/** Overall read deadline (queueing, connecting and querying), so that responses stay under 2 s. */
const READ_TIMEOUT_MS = 1500
/**
 * How long a request may wait behind others of its key. A catalog read takes microseconds, so a whole day's requests at once
 * are served; the limit is shorter than the timeouts of clients, so that they hear from us first. Reads of account data
 * compete for the database: when it can't keep up, a rejection that can be retried is better than a late response.
 */
const CATALOG_QUEUE_TIMEOUT_MS = 15_000
const ACCOUNT_QUEUE_TIMEOUT_MS = 1000

/** Dependencies of the request handlers. */
export type ApiContext = HandlerContext & {
  keys: KeyResolver
  admission: AdmissionController
  usage: UsageRecorder
  concurrency: KeyConcurrencyLimiter
  eventLoop: EventLoopMonitor
  metrics: ApiMetrics
  traces: RequestTracer | undefined
  /** Always the primary; `db` may be a standby. */
  primaryDatabase: Database
  /** Test hook: receives the data of every 200 before it is sent, to validate it against its schema. */
  onResponseData?: (endpoint: AnyEndpoint, data: unknown) => void
}

/**
 * Authenticates the request: 401 unless the header carries a known key. Revocation and quota are checked by admission.
 * Cached keys resolve synchronously.
 */
export function authenticate(apiContext: ApiContext, request: FastifyRequest): ActiveKey | Promise<ActiveKey> {
  const key = bearerToken(request.headers.authorization)
  if (key === undefined) throw new ApiError('MissingApiKey', missingKeyMessage(request.headers))
  const known = key === '' || key.includes(' ') ? undefined : apiContext.keys.resolve(key, request)
  if (known instanceof Promise) return known.then((found) => found ?? invalidKey())
  return known ?? invalidKey()
}

/** Returns what follows `Bearer` and any number of spaces; undefined for another scheme. */
function bearerToken(header = ''): string | undefined {
  const scheme = header.slice(0, 7)
  // Fast path: avoids a lower-cased copy.
  if (scheme !== 'Bearer ' && !/^bearer( |$)/i.test(header)) return undefined
  return header.slice(7).trimStart()
}

/**
 * Whether to reject a request before doing any work: its data comes from the database, and the account already has its
 * fair share of the connections. Under a flood, this is most of what a process does.
 */
function shouldShed(
  { db, primaryDatabase }: ApiContext,
  endpoint: AnyEndpoint,
  { accountId, inFlight }: ActiveKey,
): boolean {
  if (!endpoint.readsAccountData) return false
  return exceedsFairShare(db, accountId, inFlight) && exceedsFairShare(primaryDatabase, accountId, inFlight)
}

type RespondWithError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown

/**
 * Returns the handler of an endpoint: validate → read → charge → send. Nothing is ever refunded. `label` names the endpoint
 * in metrics. A request that reads the catalog runs without promises; they and what they keep alive would cost more than the
 * request.
 */
export function createHandler(
  apiContext: ApiContext,
  endpoint: AnyEndpoint,
  label: string,
  respondWithError: RespondWithError,
) {
  const { readsAccountData } = endpoint
  const maxWaitMs = readsAccountData ? ACCOUNT_QUEUE_TIMEOUT_MS : CATALOG_QUEUE_TIMEOUT_MS

  return function handle(request: FastifyRequest, reply: FastifyReply): void {
    const key = request.key!
    try {
      if (shouldShed(apiContext, endpoint, key)) throw QUEUE_FULL
      const slot = apiContext.concurrency.acquire(key, apiContext.eventLoop.isOverloaded, maxWaitMs)
      if (slot === undefined) return readAndCharge(request, reply, startedAtMs(request))
      slot.then(
        // For catalog reads, the time in the queue doesn't count: deadlines are for the work.
        () => readAndCharge(request, reply, readsAccountData ? startedAtMs(request) : Date.now()),
        (error: unknown) => respondWithError(error, request, reply),
      )
    } catch (error) {
      respondWithError(error, request, reply)
    }
  }

  function readAndCharge(request: FastifyRequest, reply: FastifyReply, startedAt: number): void {
    const key = request.key!
    try {
      const { params, query, body } = parse(endpoint, request)
      const { accountId, keyId } = key
      const input = { params, query, body, headers: request.headers, accountId, keyId, now: new Date() }
      const cost = typeof endpoint.cost === 'number' ? endpoint.cost : endpoint.cost(apiContext, input)
      if (readsAccountData && key.isExhausted && cost > 0) checkCreditsAndRead(request, reply, input, cost, startedAt)
      else read(request, reply, input, cost, startedAt)
    } catch (error) {
      fail(error, request, reply)
    }
  }

  /**
   * Checks the remaining credits before reading. Otherwise a key that has run out could make the database read any number of
   * rows for free. The check costs nothing, and notices a revoked key and a new day.
   */
  function checkCreditsAndRead(
    request: FastifyRequest,
    reply: FastifyReply,
    input: Input,
    cost: number,
    startedAt: number,
  ): void {
    apiContext.admission.submit(request.key!, 0, startedAt, (outcome) => {
      try {
        requireAdmitted(outcome, 0)
        if ('kind' in outcome && outcome.kind === 'admitted' && outcome.quota.remaining < cost)
          requireAdmitted({ ...outcome, kind: 'exhausted' }, cost)
        read(request, reply, input, cost, startedAt)
      } catch (error) {
        fail(error, request, reply)
      }
    })
  }

  function read(request: FastifyRequest, reply: FastifyReply, input: Input, cost: number, startedAt: number): void {
    const result = runHandler(apiContext, endpoint, input)
    // Catalog reads are synchronous.
    if (!(result instanceof Promise)) return charge(request, reply, serialize(result), cost, startedAt)
    withTimeout(result, READ_TIMEOUT_MS - (Date.now() - startedAt))
      .then((data) => charge(request, reply, serialize(data), data instanceof FileSlice ? data.cost : cost, startedAt))
      .catch((error: unknown) => fail(error, request, reply))
  }

  function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    apiContext.concurrency.release(request.key!)
    respondWithError(error, request, reply)
  }

  /** Charges the request, and responds with `result` if that succeeds. Never throws. */
  function charge(
    request: FastifyRequest,
    reply: FastifyReply,
    result: PreserializedJson | FileSlice | ApiError,
    cost: number,
    startedAt: number,
  ): void {
    if (apiContext.traces) request.timings!.readAt = performance.now()
    apiContext.admission.submit(request.key!, cost, startedAt, (outcome) => {
      if (apiContext.traces) request.timings!.chargedAt = performance.now()
      if (result instanceof FileSlice) {
        void sendFileIfAdmitted(request, reply, result, outcome)
        return
      }
      apiContext.concurrency.release(request.key!)
      try {
        const quota = requireAdmitted(outcome, cost)
        if (result instanceof ApiError) sendError(reply, result, quota)
        else sendOk(reply, result, quota)
        recordCompletion(apiContext, request, reply, label)
      } catch (error) {
        respondWithError(error, request, reply)
      }
    })
  }

  /** Keeps the slot until the file is sent: its chunks take more memory than the responses of a key that reads slowly. */
  async function sendFileIfAdmitted(
    request: FastifyRequest,
    reply: FastifyReply,
    file: FileSlice,
    outcome: AdmissionOutcome,
  ): Promise<void> {
    try {
      await sendFile(reply, file, requireAdmitted(outcome, file.cost))
      recordCompletion(apiContext, request, reply, label)
    } catch (error) {
      respondWithError(error, request, reply)
    } finally {
      apiContext.concurrency.release(request.key!)
    }
  }

  /** Runs before the charge, so that a request that fails with a 500 is free. */
  function serialize(data: unknown): PreserializedJson | FileSlice | ApiError {
    if (data instanceof ApiError || data instanceof FileSlice) return data
    const json = data instanceof PreserializedJson ? data : new PreserializedJson(JSON.stringify(data))
    apiContext.onResponseData?.(endpoint, JSON.parse(json.text))
    return json
  }
}

/**
 * Sends a 200. Fastify's reply would iterate over the headers twice and measure the whole body. So this and `sendError` write
 * to Node's response directly, with a content length computed from the data: 1.3 times as many requests per second.
 */
function sendOk(reply: FastifyReply, { chunks }: PreserializedJson, quota: Quota): void {
  const { id } = reply.request
  const suffix = envelopeSuffix(id, quota)
  let bytes = ENVELOPE_PREFIX.length + suffix.length
  for (const chunk of chunks) bytes += Buffer.byteLength(chunk)
  const response = reply.hijack().raw.writeHead(200, okHeaders(id, bytes, quota))
  if (chunks.length > 1) return void response.end(concatToBuffer([ENVELOPE_PREFIX, ...chunks, suffix], bytes))
  const body = ENVELOPE_PREFIX + chunks[0] + suffix
  // As many bytes as characters: all of it is ASCII, which is fastest to write as Latin-1.
  response.end(body, body.length === bytes ? 'latin1' : 'utf8')
}

/** Sends a file a chunk at a time. If it can't be read to its end, the connection is closed, so that clients notice. */
async function sendFile(reply: FastifyReply, file: FileSlice, quota: Quota): Promise<void> {
  const { raw } = reply.hijack()
  raw.writeHead(file.status, { ...commonHeaders(reply.request.id), ...quotaHeaders(quota), ...file.headers })
  try {
    await pipeline(Readable.from(file.chunks()), raw)
  } catch {
    // The client or the file is gone. As the headers have been sent, there is no way to send an error.
    raw.destroy()
  }
}

/** Concatenates strings outside V8's heap: as one string, large responses caused constant garbage collection. */
function concatToBuffer(parts: string[], bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes)
  let offset = 0
  for (const part of parts) offset += buffer.write(part, offset)
  return buffer
}

/** Returns the first header if there are several. */
function firstTraceparent({ traceparent }: FastifyRequest['headers']): string | undefined {
  return Array.isArray(traceparent) ? traceparent[0] : traceparent
}

/** Records metrics, trace and usage. Called inline because an onResponse hook would add two listeners per request. */
export function recordCompletion(
  { usage, metrics, traces }: ApiContext,
  request: FastifyRequest,
  { statusCode: status }: FastifyReply,
  endpoint: string,
): void {
  const { key, id: requestId, method, url, apiError: error, headers, timings = startTimings() } = request
  metrics.observeRequest(endpoint, status, timings.startedAt)
  traces?.record({ ...timings, endpoint, method, status, requestId, traceparent: firstTraceparent(headers) })
  if (key) usage.record(key, { requestId, endpoint, method, url, status, error, client: headers['user-agent'] })
}

/**
 * Responds to a request that failed before it was charged. A bad request still goes through admission, at cost 0,
 * because a revoked key must get a 401 and nothing else. Other errors, such as rejections under overload, need no promise.
 */
export function handleRequestError(apiContext: ApiContext, error: ApiError, reply: FastifyReply): void | Promise<void> {
  const { key } = reply.request
  const needsAdmission = error.code === 'BadRequest' || error.code === 'NotFound'
  if (key === undefined || !needsAdmission) return sendError(reply, error)
  return apiContext.admission
    .admit(key, 0, startedAtMs(reply.request))
    .then((verdict) => sendError(reply, error, requireAdmitted(verdict, 0)))
}

/** Passes an error on unless the key may use the API by now. Costs nothing. */
export function requirePlan({ admission }: ApiContext, request: FastifyRequest, done: (error?: Error) => void): void {
  admission.submit(request.key!, 0, startedAtMs(request), (outcome) => {
    try {
      requireAdmitted(outcome, 0)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}

/**
 * Returns when the request started, on the `Date.now()` clock of admission: a key lookup may have taken time already.
 */
function startedAtMs({ timings = startTimings() }: FastifyRequest): number {
  return Date.now() - (performance.now() - timings.startedAt)
}

export function sendError(reply: FastifyReply, error: ApiError, quota?: Quota): void {
  reply.request.apiError = error
  const body = (error.body ??= errorBody(error.code, error.message))
  // Ignore headers set earlier: a revoked key must be indistinguishable from an unknown one.
  const headers = {
    ...JSON_HEADERS,
    'content-length': Buffer.byteLength(body),
    ...commonHeaders(reply.request.id),
    ...helpLinkHeader(error.code),
    ...(quota && quotaHeaders(quota)),
    ...(error.status === 401 && { 'www-authenticate': 'Bearer' }),
    ...error.headers,
  }
  reply.hijack().raw.writeHead(error.status, headers).end(body)
}

type Input = Parameters<AnyEndpoint['handle']>[1]

/**
 * Returns the data, or the NotFound error, which is charged like data. Falls back to the primary if the standby fails.
 */
function runHandler(apiContext: ApiContext, endpoint: AnyEndpoint, input: Input): unknown {
  const { catalog, db, primaryDatabase } = apiContext
  const recover = (error: unknown): unknown => {
    if (error instanceof ApiError && error.code === 'NotFound') return error
    if (db !== primaryDatabase && isStandbyFailure(error))
      return runHandler({ ...apiContext, db: primaryDatabase }, endpoint, input)
    throw error
  }
  try {
    const data: unknown = endpoint.handle({ catalog, db }, input)
    return data instanceof Promise ? data.catch(recover) : data
  } catch (error) {
    return recover(error)
  }
}

function parse(endpoint: AnyEndpoint, request: FastifyRequest) {
  assertValidEncoding(request.url)
  return {
    params: parsePart('Path', endpoint.params, request.params),
    query: parsePart('Query', endpoint.query, request.query),
    body: endpoint.body && parsePart('Body', endpoint.body, request.body),
  }
}

/** The names that each schema allows; listing them for every request would take longer than comparing them. */
const allowedNames = new WeakMap<z.ZodObject, string[]>()

function namesOf(schema: z.ZodObject): string[] {
  const known = allowedNames.get(schema) ?? Object.keys(schema.shape)
  allowedNames.set(schema, known)
  return known
}

function parsePart(part: Part, schema: z.ZodObject, value: unknown): unknown {
  // First, because a parameter that seems to be missing may just be misspelled.
  const unknown = unknownNamesMessage(part, value, namesOf(schema))
  if (unknown !== undefined) throw new ApiError('BadRequest', unknown)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ApiError('BadRequest', validationMessage(part, result.error, value))
}

/** Rejects malformed percent-encoding, which the query parser would silently keep. */
function assertValidEncoding(url: string): void {
  const start = url.indexOf('?')
  if (start === -1) return
  try {
    decodeURIComponent(url.slice(start + 1))
  } catch {
    throw new ApiError('BadRequest', 'The query string is not properly percent-encoded.')
  }
}

/** Returns the quota of an admitted request; throws the matching ApiError for any other verdict. */
function requireAdmitted(outcome: AdmissionOutcome, cost: number): Quota {
  if (outcome instanceof AdmissionUnavailableError) throw outcome
  if (outcome.kind === 'admitted') return outcome.quota
  if (outcome.kind === 'invalid_key') return invalidKey()
  if (outcome.kind === 'no_plan') {
    throw new ApiError('TierRequired', 'API access requires the Reseller plan.', {
      headers: quotaHeaders(outcome.quota),
    })
  }
  const { quota, retryAfter } = outcome
  throw new ApiError('QuotaExceeded', quotaExceededMessage(quota, cost, retryAfter), {
    headers: { ...quotaHeaders(quota), 'retry-after': String(retryAfter) },
  })
}

/** Throws the same error for unknown, expired and revoked keys, so that probing reveals nothing. */
function invalidKey(): never {
  throw new ApiError('InvalidApiKey', INVALID_KEY_MESSAGE)
}
