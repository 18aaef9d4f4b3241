import { readFileSync } from 'node:fs'
import type { FastifyRequest } from 'fastify'

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
  return JSON.parse(readFileSync(process.env['ANSWERS']!, 'utf8')) as RecordedResponses
}

export const port = Number(process.env['PORT'])
