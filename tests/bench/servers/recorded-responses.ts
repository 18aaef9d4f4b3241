import { readFileSync } from 'node:fs'
import type { FastifyRequest } from 'fastify'
import { ENVELOPE_PREFIX, envelopeSuffix } from '@brickmark/api/envelope'
import type { Quota } from '@brickmark/core/account/quota'

/** Recorded response of our API to each request of the benchmark: the full body, and its data as JSON text. */
export type RecordedResponses = Record<string, { body: string; data: string }>

/** The benchmarked routes. */
export const ROUTES = [
  { method: 'GET', url: '/api/v1/set/:number' },
  { method: 'GET', url: '/api/v1/set/:number/history' },
  { method: 'GET', url: '/api/v1/catalog/sets/search' },
  { method: 'POST', url: '/api/v1/catalog/batch' },
]

export type BatchBody = { Body: { sets: string[] } }

/** Key of a recorded batch; the batches of the benchmark differ in their first number. */
export function batchKey(body: BatchBody['Body']): string {
  return `batch ${body.sets[0]}`
}

export function responseKey(request: FastifyRequest<BatchBody>): string {
  return request.method === 'POST' ? batchKey(request.body) : request.url
}

export function loadResponses(): RecordedResponses {
  return JSON.parse(readFileSync(process.env['RESPONSES']!, 'utf8')) as RecordedResponses
}

/** The headers of our API, so that all servers send the same; as one literal, the fastest way to pass them to Fastify. */
export function responseHeaders(requestId: string, { limit, remaining, reset }: Quota): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    'x-api-version': '1',
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': reset,
  }
}

/** The body of our API around the given data. */
export function responseBody(data: string, requestId: string, quota: Quota): string {
  return ENVELOPE_PREFIX + data + envelopeSuffix(requestId, quota)
}

/** The keys that requests are sent with. */
export function loadKeys(): { key: string; accountId: number; keyId: number }[] {
  return JSON.parse(readFileSync(process.env['KEYS']!, 'utf8')) as ReturnType<typeof loadKeys>
}

export const port = Number(process.env['PORT'])
