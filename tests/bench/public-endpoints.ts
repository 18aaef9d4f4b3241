import { setTimeout as sleep } from 'node:timers/promises'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { runLoad, writeWrkScript, type Measurement, type Request } from './load-generator.ts'
import { startBaseline, type BenchServer } from './servers.ts'
import { withDebianRedis } from './redis.ts'
import { logProgress } from './report.ts'
import { batchKey, type RecordedResponses, type BatchBody } from './servers/recorded-responses.ts'
import type { BenchEnvironment } from './environment.ts'
import { workloads, type PublicWorkload } from './workload.ts'

export type RoundOptions = { rounds: number; seconds: number }

/** Measurements of one server, per round. */
type Series = { participant: string; measured: PublicMeasurement[] }

type PublicMeasurement = Measurement & { promoted_bytes: number }

export type PublicResult = { workload: PublicWorkload; connections: number; series: Series[] }

const CONNECTIONS = [64, 256]

/** Measures bare Fastify, the floor, both Redis stacks and our API on catalog endpoints, interleaved. */
export async function measurePublic(
  environment: BenchEnvironment,
  names: PublicWorkload[],
  rounds: RoundOptions,
): Promise<PublicResult[]> {
  const chosen = workloads(environment.setNumbers).filter(({ name }) => names.includes(name))
  const responses = await recordResponses(
    environment,
    chosen.flatMap(({ requests }) => requests),
  )
  const keys = environment.accounts.map(({ key }) => key)
  return withBaselines(environment, responses, async (participants, servers) => {
    const results: PublicResult[] = []
    for (const { name, requests } of chosen) {
      const script = await writeWrkScript(environment.directory, name, requests, keys)
      for (const connections of CONNECTIONS) {
        const series = await runInterleaved(participants, servers, { connections, script, ...rounds })
        results.push({ workload: name, connections, series })
        logProgress(`measured ${name} at ${connections} connections`)
      }
    }
    return results
  })
}

/** Runs the servers in the order A B C A B C …; round -1 is a warm-up. */
async function runInterleaved(
  participants: BenchServer[],
  servers: Record<string, number>,
  { connections, script, rounds, seconds }: RoundOptions & { connections: number; script: string },
): Promise<Series[]> {
  const series: Series[] = participants.map(({ name }) => ({ participant: name, measured: [] }))
  for (let round = -1; round < rounds; round++) {
    for (const [index, server] of participants.entries()) {
      const promotedBefore = server.promotedBytes()
      const measured = await runLoad(
        { origin: server.origin, connections, seconds: round < 0 ? 2 : seconds, script, isWarmUp: round < 0 },
        { node: server.pid, ...servers },
      )
      if (round < 0) continue
      const promoted_bytes = (server.promotedBytes() - promotedBefore) / measured.requests
      series[index]!.measured.push({ ...measured, promoted_bytes })
    }
  }
  return series
}

async function withBaselines<T>(
  { db, directory, apiUrl, accounts, postgresPid, apiServer }: BenchEnvironment,
  responses: RecordedResponses,
  work: (participants: BenchServer[], servers: Record<string, number>) => Promise<T>,
): Promise<T> {
  const responsesFile = join(directory, 'responses.json')
  await writeFile(responsesFile, JSON.stringify(responses))
  const keysFile = join(directory, 'keys.json')
  await writeFile(keysFile, JSON.stringify(accounts))
  await sql`create schema bench`.execute(db)
  await sql`create table bench.answer (name text primary key, data text not null)`.execute(db)
  await sql`insert into bench.answer select key, value ->> 'data' from json_each(${JSON.stringify(responses)}::json)`.execute(
    db,
  )
  await sql`grant usage on schema bench to brickmark_api`.execute(db)
  await sql`grant select on bench.answer to brickmark_api`.execute(db)
  await sql`vacuum analyze bench.answer`.execute(db)
  return withDebianRedis(async (port, redisPid) => {
    const env = {
      RESPONSES: responsesFile,
      KEYS: keysFile,
      REDIS_PORT: String(port),
      DATABASE_URL: apiUrl,
    }
    const baselines: BenchServer[] = []
    try {
      baselines.push(await startBaseline('bare', 'bare-fastify.ts', env))
      baselines.push(await startBaseline('floor', 'floor.ts', env))
      baselines.push(await startBaseline('usual', 'redis-stack.ts', { ...env, READ: 'postgres' }))
      baselines.push(await startBaseline('memory', 'redis-stack.ts', { ...env, READ: 'memory' }))
      return await work([...baselines, apiServer], { postgres: postgresPid, redis: redisPid })
    } finally {
      for (const rival of baselines) await rival.stop()
    }
  })
}

/** Records the response to every request once, so that the baselines serve the same bytes. */
async function recordResponses(
  { apiServer, accounts }: BenchEnvironment,
  requests: Request[],
): Promise<RecordedResponses> {
  const responses: RecordedResponses = {}
  const waiting = requests.values()
  const worker = async () => {
    for (const { method, path, body } of waiting) {
      const headers = {
        authorization: `Bearer ${accounts[0]!.key}`,
        ...(body && { 'content-type': 'application/json' }),
      }
      const text = await fetchOk(apiServer.origin + path, { method, headers, ...(body && { body }) })
      const name = body === undefined ? path : batchKey(JSON.parse(body) as BatchBody['Body'])
      responses[name] = { body: text, data: JSON.stringify((JSON.parse(text) as { data: unknown }).data) }
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return responses
}

const MAX_ATTEMPTS = 20

/** Returns the body of a 200. Retries 503s, which the API sometimes returns right after the data was loaded. */
async function fetchOk(url: string, options: RequestInit): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, options)
    const text = await response.text()
    if (response.status === 200) return text
    if (response.status !== 503 || attempt === MAX_ATTEMPTS) throw new Error(`${url}: ${text}`)
    await sleep(250)
  }
}
