import Fastify, { type FastifyReply } from 'fastify'
import { charge, type ChargeRequest } from '@brickmark/core/account/admission-commands'
import type { KeyIdentity } from '@brickmark/core/account/api-key'
import { openPool } from '@brickmark/core/db/database'
import {
  responseKey,
  port,
  loadKeys,
  loadResponses,
  responseBody,
  responseHeaders,
  ROUTES,
  type BatchBody,
} from './recorded-responses.ts'

/**
 * The least that a server must do to charge exactly: looks up the key by its header, charges with our SQL in batches (two
 * in flight, like ours) and sends the same headers and the recorded data. No catalog, validation, limits, metrics or
 * errors.
 */
const pool = openPool(process.env['DATABASE_URL']!, { size: 3 })
const keys = new Map(loadKeys().map((key) => [`Bearer ${key.key}`, key]))
const data = new Map(Object.entries(loadResponses()).map(([name, recorded]) => [name, recorded.data]))

type Waiting = { key: KeyIdentity; cost: number; data: string; reply: FastifyReply }
let waiting: Waiting[] = []
let inFlight = 0
let scheduled = false

function schedule(): void {
  if (scheduled || inFlight === 2 || waiting.length === 0) return
  scheduled = true
  setImmediate(() => {
    scheduled = false
    const batch = waiting
    waiting = []
    void chargeBatch(batch)
  })
}

async function chargeBatch(batch: Waiting[]): Promise<void> {
  inFlight++
  const groups = new Map<number, ChargeRequest>()
  for (const { key, cost } of batch) {
    const group = groups.get(key.keyId)
    if (group) group.count++
    else groups.set(key.keyId, { key, cost, count: 1 })
  }
  const client = await pool.connect()
  const results = await charge(client, [...groups.values()])
  client.release()
  inFlight--
  schedule()
  const byKey = new Map([...groups.keys()].map((keyId, index) => [keyId, results[index]!]))
  for (const { key, data, reply } of batch) {
    const { limit, used, reset } = byKey.get(key.keyId)!
    const quota = { limit, remaining: limit - used, reset }
    const { id } = reply.request
    reply.headers(responseHeaders(id, quota)).send(responseBody(data, id, quota))
  }
}

const app = Fastify()
for (const route of ROUTES) {
  app.route<BatchBody>({
    ...route,
    handler(request, reply) {
      const key = keys.get(request.headers.authorization ?? '')
      if (key === undefined) {
        reply.code(401).send()
        return
      }
      waiting.push({ key, cost: request.body?.sets.length ?? 1, data: data.get(responseKey(request))!, reply })
      schedule()
    },
  })
}
app.get('/readyz', async () => 'ready')
await app.listen({ port })
