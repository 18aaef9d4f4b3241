import Fastify, { type FastifyRequest } from 'fastify'
import { Redis } from 'ioredis'
import pg from 'pg'
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
 * A lean version of the usual stack: looks up the key in memory, reads the preserialized data by primary key with a
 * prepared statement (READ=postgres) or from memory (READ=memory), and charges the key with a Lua script in Redis. Key
 * and plan aren't re-checked, and charges don't survive the loss of Redis.
 */
const limit = 2_000_000_000
const redis = new Redis({ port: Number(process.env['REDIS_PORT']), enableAutoPipelining: true })
redis.defineCommand('charge', {
  numberOfKeys: 1,
  lua: `local used = redis.call('INCRBY', KEYS[1], ARGV[1])
        if used == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], 86400) end
        if used > tonumber(ARGV[2]) then
          redis.call('DECRBY', KEYS[1], ARGV[1])
          return -1
        end
        return tonumber(ARGV[2]) - used`,
})
const charge = (redis as unknown as { charge(key: string, price: number, limit: number): Promise<number> }).charge.bind(
  redis,
)

const keys = new Map(loadKeys().map(({ key, keyId }) => [`Bearer ${key}`, keyId]))
const read = process.env['READ'] === 'memory' ? fromMemory() : fromPostgres()

function fromMemory(): (request: FastifyRequest<BatchBody>) => string | Promise<string> {
  const data = new Map(Object.entries(loadResponses()).map(([name, { data }]) => [name, data]))
  return (request) => data.get(responseKey(request))!
}

function fromPostgres(): (request: FastifyRequest<BatchBody>) => Promise<string> {
  const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
  const one = { name: 'one', text: 'select data from bench.answer where name = $1' }
  const many = { name: 'many', text: 'select data from bench.answer where name = any($1)' }
  return async (request) => {
    if (request.method === 'GET') return (await pool.query({ ...one, values: [request.url] })).rows[0].data
    const names = request.body.sets.map((number) => `/api/v1/set/${number}`)
    const { rows } = await pool.query<{ data: string }>({ ...many, values: [names] })
    return `{"sets":[${rows.map((row) => row.data).join(',')}],"minifigs":[],"summary":{"requested":${names.length},"found":${rows.length}}}`
  }
}

const app = Fastify()
for (const route of ROUTES) {
  app.route<BatchBody>({
    ...route,
    async handler(request, reply) {
      const keyId = keys.get(request.headers.authorization ?? '')
      if (keyId === undefined) return reply.code(401).send()
      const data = await read(request)
      const today = Math.floor(Date.now() / 86_400_000)
      const remaining = await charge(`quota:${keyId}:${today}`, request.body?.sets.length ?? 1, limit)
      if (remaining < 0) return reply.code(429).send()
      const reset = new Date((today + 1) * 86_400_000).toISOString()
      const quota = { limit, remaining, reset }
      return reply.headers(responseHeaders(request.id, quota)).send(responseBody(data, request.id, quota))
    },
  })
}
app.get('/readyz', async () => 'ready')
await app.listen({ port })
