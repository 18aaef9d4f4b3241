import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Admission, Verdict } from './admission/admission-controller.ts'
import type { KeyIdentity } from '@brickmark/core/account/api-key'
import type { KeyDirectory } from './admission/key-resolver.ts'
import type { KeyTurns } from './admission/key-concurrency-limiter.ts'
import type { RequestNotes } from './admission/usage-recorder.ts'
import { hasItsShare, type Database } from '@brickmark/core/db/database'
import { inTime } from '@brickmark/core/db/with-timeout'
import { isStandbyFailure } from '@brickmark/core/db/standby'
import type { Quota } from '@brickmark/core/account/quota'
import { ApiError } from './errors.ts'
import type { AnyEndpoint, Sources } from './endpoint.ts'
import {
  CONTENT_HEADERS,
  ENVELOPE_START,
  envelopeEnd,
  errorBody,
  helpHeader,
  namingHeaders,
  quotaHeaders,
} from './envelope.ts'
import { explain } from './validation-message.ts'
import { explainMissingKey, explainQuota, INVALID_KEY } from './auth-messages.ts'
import type { ApiMetrics } from './metrics.ts'
import type { Pressure } from './event-loop-monitor.ts'
import { startedNow, type Traces } from './request-tracer.ts'
import { Written } from './schemas/preserialized-json.ts'

/** Nobody is kept waiting for 2 s, whatever a turn, a connection and an answer of the database may take together. */
const READ_MS = 1500

/** What answering a request needs. */
export type Service = Sources & {
  keys: KeyDirectory
  admission: Admission
  notes: RequestNotes
  turns: KeyTurns
  pressure: Pressure
  metrics: ApiMetrics
  traces: Traces | undefined
  /** `db` may be a standby; this never is. */
  primary: Database
  /** Told the data of every 200 before it is sent: the tests hold it to its shape. */
  inspect?: (endpoint: AnyEndpoint, data: unknown) => void
}

/**
 * Who asks: 401 unless the header carries a key that exists. Whether it may act is for admission to say. A key that this
 * process has seen before is answered at once.
 */
export function authenticate(service: Service, request: FastifyRequest): KeyIdentity | Promise<KeyIdentity> {
  const [scheme, key, ...rest] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer') throw new ApiError('MissingApiKey', explainMissingKey(request.headers))
  const identity = key === undefined || rest.length > 0 ? undefined : service.keys.identify(key, request)
  if (identity instanceof Promise) return identity.then((found) => found ?? invalidKey())
  return identity ?? invalidKey()
}

/**
 * Whether a request can be refused before anything is done for it: private data comes from the database, and the account has
 * its share of the connections. Under a flood this is most of what a process does.
 */
export function isCrowdedOut({ db, primary }: Service, { tag }: AnyEndpoint, { accountId }: KeyIdentity): boolean {
  return tag === 'Portfolio' && hasItsShare(db, accountId) && hasItsShare(primary, accountId)
}

/** One request from validation to answer: validate → read → charge → send. Nothing is ever refunded. */
export async function serve(
  service: Service,
  endpoint: AnyEndpoint,
  identity: KeyIdentity,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const askedAt = beganAt(request)
  const turn = service.turns.enter(identity.keyId, service.pressure.high)
  if (turn) await turn
  try {
    const { params, query, body } = parse(endpoint, request)
    const input = { params, query, body, accountId: identity.accountId, now: new Date() }
    const price = typeof endpoint.price === 'number' ? endpoint.price : endpoint.price(service, input)
    const reading = read(service, endpoint, input)
    // What the catalog answers is there already: waiting a turn for it would cost as much as finding it.
    const answer = reading instanceof Promise ? await inTime(reading, READ_MS - (Date.now() - askedAt)) : reading
    if (service.traces) request.steps!.readAt = performance.now()
    const quota = granted(await service.admission.admit(identity, price, askedAt), price)
    if (service.traces) request.steps!.chargedAt = performance.now()
    if (answer instanceof ApiError) {
      sendError(reply, answer, quota)
      noteEnd(service, request, reply, endpoint.path)
      return reply
    }
    const written = answer.data instanceof Written ? answer.data : new Written(JSON.stringify(answer.data))
    service.inspect?.(endpoint, JSON.parse(written.text))
    noteEnd(service, request, reply, endpoint.path)
    return sendData(reply, written, quota)
  } finally {
    service.turns.leave(identity.keyId)
  }
}

/**
 * The 200. Fastify's reply would go over every header twice and measure the whole body, which takes a tenth of the time of an
 * answer that is in memory; node is told directly, here and for errors, and how long the body is follows from the data.
 */
function sendData(reply: FastifyReply, { parts }: Written, quota: Quota): FastifyReply {
  const { id } = reply.request
  const end = envelopeEnd(id, quota)
  const around = ENVELOPE_START.length + end.length
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), around)
  const body =
    parts.length === 1 ? ENVELOPE_START + parts[0] + end : inOneBuffer([ENVELOPE_START, ...parts, end], bytes)
  const headers = { ...CONTENT_HEADERS, 'content-length': bytes, ...namingHeaders(id), ...quotaHeaders(quota) }
  reply.hijack().raw.writeHead(200, headers).end(body)
  return reply
}

/** Texts that follow each other, outside of V8's heap: as one text, large answers made it collect garbage all the time. */
function inOneBuffer(parts: string[], bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const part of parts) at += buffer.write(part, at)
  return buffer
}

/** The first, should there be several. */
function traceparentIn({ traceparent }: FastifyRequest['headers']): string | undefined {
  return Array.isArray(traceparent) ? traceparent[0] : traceparent
}

/** Remembers how a request ended. Called where it is answered: a hook after the answer costs two listeners a request. */
export function noteEnd(
  { notes, metrics, traces }: Service,
  request: FastifyRequest,
  { statusCode: status }: FastifyReply,
  endpoint: string,
): void {
  const { identity, id: requestId, method, url, refusal: error, headers, steps = startedNow() } = request
  metrics.answered(endpoint, status, steps.startedAt)
  traces?.record({ ...steps, endpoint, method, status, requestId, traceparent: traceparentIn(headers) })
  if (identity) notes.note(identity, { requestId, method, url, status, error, client: headers['user-agent'] })
}

/**
 * Answers a request that failed before it was charged. A bad request still asks admission, at price 0, because a
 * revoked key must learn of that and nothing else.
 */
export async function serveError(
  service: Service,
  identity: KeyIdentity | undefined,
  error: ApiError,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const undecided = error.code === 'BadRequest' || error.code === 'NotFound'
  if (identity === undefined || !undecided) return sendError(reply, error)
  return sendError(reply, error, granted(await service.admission.admit(identity, 0, beganAt(reply.request)), 0))
}

/** On the clock of admission: a key that had to be looked up has cost time already. */
function beganAt({ steps = startedNow() }: FastifyRequest): number {
  return Date.now() - (performance.now() - steps.startedAt)
}

export function sendError(reply: FastifyReply, error: ApiError, quota?: Quota): FastifyReply {
  reply.request.refusal = error
  const body = errorBody(error.code, error.message)
  // None that were set on the way: a revoked key must not be told from one that never was.
  const headers: OutgoingHttpHeaders = {
    ...CONTENT_HEADERS,
    'content-length': Buffer.byteLength(body),
    ...namingHeaders(reply.request.id),
    ...helpHeader(error.code),
    ...(quota && quotaHeaders(quota)),
    ...(error.status === 401 && { 'www-authenticate': 'Bearer' }),
    ...error.headers,
  }
  reply.hijack().raw.writeHead(error.status, headers).end(body)
  return reply
}

type Input = Parameters<AnyEndpoint['handle']>[1]
type Answer = { data: unknown } | ApiError

/** The data, or the NotFound that is an answer too and costs its price. */
function read(service: Service, endpoint: AnyEndpoint, input: Input): Answer | Promise<Answer> {
  const { catalog, db, primary } = service
  const instead = (error: unknown) => {
    if (error instanceof ApiError && error.code === 'NotFound') return error
    if (db !== primary && isStandbyFailure(error)) return read({ ...service, db: primary }, endpoint, input)
    throw error
  }
  try {
    const data: unknown = endpoint.handle({ catalog, db }, input)
    return data instanceof Promise ? data.then((data: unknown) => ({ data }), instead) : { data }
  } catch (error) {
    return instead(error)
  }
}

function parse(endpoint: AnyEndpoint, request: FastifyRequest) {
  refuseBadEncoding(request.url)
  return {
    params: parsePart('Path', endpoint.params, request.params),
    query: parsePart('Query', endpoint.query, request.query),
    body: endpoint.body && parsePart('Body', endpoint.body, request.body),
  }
}

function parsePart(part: 'Path' | 'Query' | 'Body', schema: z.ZodObject, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ApiError('BadRequest', explain(part, result.error, value, Object.keys(schema.shape)))
}

/** What the query parser would quietly leave as it is. */
function refuseBadEncoding(url: string): void {
  const start = url.indexOf('?')
  if (start === -1) return
  try {
    decodeURIComponent(url.slice(start + 1))
  } catch {
    throw new ApiError('BadRequest', 'The query is not percent-encoded properly.')
  }
}

/** The quota of a verdict that lets the request pass; any other verdict is the answer. */
function granted(verdict: Verdict, price: number): Quota {
  if (verdict.kind === 'admitted') return verdict.quota
  if (verdict.kind === 'invalid_key') return invalidKey()
  if (verdict.kind === 'no_plan') {
    throw new ApiError('TierRequired', 'The API is part of the Reseller plan, which this account does not have.', {
      headers: quotaHeaders(verdict.quota),
    })
  }
  const { quota, retryAfter } = verdict
  throw new ApiError('QuotaExceeded', explainQuota(quota, price, retryAfter), {
    headers: { ...quotaHeaders(quota), 'retry-after': String(retryAfter) },
  })
}

/** Unknown, expired and revoked keys answer alike, so that nothing can be learnt by trying. */
function invalidKey(): never {
  throw new ApiError('InvalidApiKey', INVALID_KEY)
}
