import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

/** Timestamps of a request on the `performance` clock; undefined for phases that weren't reached. */
export type RequestTimings = { startedAt: number; readAt: number | undefined; chargedAt: number | undefined }

export function startTimings(): RequestTimings {
  return { startedAt: performance.now(), readAt: undefined, chargedAt: undefined }
}

type TracedRequest = RequestTimings & {
  endpoint: string
  method: string
  status: number
  requestId: string
  traceparent: string | undefined
}

/** OTLP endpoint, and the ratio of traces to sample. */
type TracerConfig = { endpoint: string; sampleRatio: number }

/**
 * Exports requests to an OpenTelemetry collector after they have ended: one span for the request, with child spans for
 * the read and the charge. Spans are built from recorded timestamps, so no trace context has to be propagated while a
 * request runs.
 */
export class RequestTracer {
  readonly #provider: TracerProvider
  readonly #tracer: Tracer

  constructor({ endpoint, sampleRatio }: TracerConfig) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'brickmark-api' }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    })
    this.#tracer = this.#provider.getTracer('brickmark')
  }

  record({ endpoint, method, status, requestId, traceparent, startedAt, readAt, chargedAt }: TracedRequest): void {
    const endedAt = performance.now()
    const requestSpan = this.#tracer.startSpan(
      `${method} ${endpoint}`,
      {
        kind: SpanKind.SERVER,
        startTime: toDate(startedAt),
        attributes: {
          'http.request.method': method,
          'http.route': endpoint,
          'http.response.status_code': status,
          'brickmark.request_id': requestId,
        },
      },
      extractParentContext(traceparent),
    )
    const parent = trace.setSpan(ROOT_CONTEXT, requestSpan)
    if (readAt !== undefined) this.#recordChildSpan('read', startedAt, readAt, parent)
    if (readAt !== undefined && chargedAt !== undefined) this.#recordChildSpan('charge', readAt, chargedAt, parent)
    if (status >= 500) requestSpan.setStatus({ code: SpanStatusCode.ERROR })
    requestSpan.end(toDate(endedAt))
  }

  #recordChildSpan(name: string, from: number, until: number, parentContext: Context): void {
    this.#tracer.startSpan(name, { startTime: toDate(from) }, parentContext).end(toDate(until))
  }

  /** Flushes the remaining spans. */
  async stop(): Promise<void> {
    await this.#provider.shutdown()
  }
}

function toDate(timestamp: number): Date {
  return new Date(performance.timeOrigin + timestamp)
}

/**
 * Returns the caller's trace context from the W3C `traceparent` header; without a valid one, the request starts its own
 * trace.
 */
function extractParentContext(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
