import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startApi, type ApiServer } from '../server.ts'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { createTestAccount, PEPPER } from '@brickmark/tests/support/fixtures'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** Fake OTLP collector: the real one is an external service. It receives spans in the OTLP JSON format. */
const received: Span[] = []
const collector = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    received.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

let database: TestDatabase
let db: Database
let api: ApiServer

beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  await seedForRequests(db)
  const { port } = collector.address() as AddressInfo
  const config = { databaseUrl: asRole(database.url, 'brickmark_api'), peppers: [PEPPER], host: '127.0.0.1', port: 0 }
  const traces = { endpoint: `http://127.0.0.1:${port}`, sampleRatio: 1 }
  api = await startApi({ ...config, publicUrl: undefined, traces }, pino({ level: 'silent' }))
  await api.ready
})
afterAll(async () => {
  collector.close()
  await db.destroy()
  await database.drop()
})

test('exports spans for the request, the read and the charge, as part of the caller’s trace', async () => {
  const { key } = await createTestAccount(db)
  const traceparent = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01'
  const headers = { authorization: `Bearer ${key}`, traceparent }
  const response = await fetch(`${api.baseUrl}/brickfolio`, { headers })
  expect(response.status).toBe(200)
  await fetch(`${api.baseUrl}/set/90001-1`)
  await api.stop()

  const root = received.find(({ name }) => name === 'GET /brickfolio')
  expect(root).toMatchObject({ traceId: '0123456789abcdef0123456789abcdef', parentSpanId: '0123456789abcdef' })
  const id = root!.attributes.find(({ key: name }) => name === 'brickmark.request_id')
  expect(id?.value.stringValue).toBe(response.headers.get('x-request-id'))
  const children = received.filter(({ parentSpanId }) => parentSpanId === root!.spanId)
  expect(children.map(({ name }) => name).toSorted()).toEqual(['charge', 'read'])
  for (const child of children) {
    expect(BigInt(child.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root!.startTimeUnixNano))
    expect(BigInt(child.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root!.endTimeUnixNano))
  }
  const rejected = received.find(({ name }) => name === 'GET /set/{number}')
  expect(rejected?.attributes.find(({ key: name }) => name === 'http.response.status_code')?.value.intValue).toBe(401)
  expect(JSON.stringify(received)).not.toContain(key)
})
