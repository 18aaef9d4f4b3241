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

/** When what was done, on the clock of `performance`; what was not reached is undefined. */
export type Steps = { startedAt: number; readAt: number | undefined; chargedAt: number | undefined }

export function startedNow(): Steps {
  return { startedAt: performance.now(), readAt: undefined, chargedAt: undefined }
}

type TracedRequest = Steps & {
  endpoint: string
  method: string
  status: number
  requestId: string
  traceparent: string | undefined
}

/** Where traces are sent, and which share of them. */
type TracesConfig = { endpoint: string; share: number }

/**
 * Tells an OpenTelemetry collector about requests, once each has ended: the whole, the read and the charge. Spans are made
 * from the times that were noted, so nothing needs to be carried along while a request is answered.
 */
export class Traces {
  readonly #provider: TracerProvider
  readonly #tracer: Tracer

  constructor({ endpoint, share }: TracesConfig) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'brickmark-api' }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    })
    this.#tracer = this.#provider.getTracer('brickmark')
  }

  record({ endpoint, method, status, requestId, traceparent, startedAt, readAt, chargedAt }: TracedRequest): void {
    const endedAt = performance.now()
    const whole = this.#tracer.startSpan(
      `${method} ${endpoint}`,
      {
        kind: SpanKind.SERVER,
        startTime: clock(startedAt),
        attributes: {
          'http.request.method': method,
          'http.route': endpoint,
          'http.response.status_code': status,
          'brickmark.request_id': requestId,
        },
      },
      callersContext(traceparent),
    )
    const within = trace.setSpan(ROOT_CONTEXT, whole)
    if (readAt !== undefined) this.#step('read', startedAt, readAt, within)
    if (readAt !== undefined && chargedAt !== undefined) this.#step('charge', readAt, chargedAt, within)
    if (status >= 500) whole.setStatus({ code: SpanStatusCode.ERROR })
    whole.end(clock(endedAt))
  }

  #step(name: string, from: number, until: number, within: Context): void {
    this.#tracer.startSpan(name, { startTime: clock(from) }, within).end(clock(until))
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    await this.#provider.shutdown()
  }
}

function clock(at: number): Date {
  return new Date(performance.timeOrigin + at)
}

/** The trace that the caller's request belongs to, by the W3C's header; a trace of its own when there is none. */
function callersContext(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
