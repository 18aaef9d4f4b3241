import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { load, writeScript, type Measured, type Request } from './load-generator.ts'
import { startServer, type Participant } from './servers.ts'
import { onDebianRedis } from './redis.ts'
import { say } from './report.ts'
import { batchName, type Answers, type BatchBody } from './servers/recorded-responses.ts'
import type { Stage } from './environment.ts'
import { workloads, type PublicName } from './workload.ts'

export type Rounds = { rounds: number; seconds: number }

/** What one participant did in each round. */
type Series = { participant: string; measured: Measured[] }

export type PublicResult = { workload: PublicName; connections: number; series: Series[] }

const CONNECTIONS = [64, 256]

/** Bare Fastify, both usual stacks and ours over shared data, in turn. */
export async function measurePublic(stage: Stage, names: PublicName[], rounds: Rounds): Promise<PublicResult[]> {
  const chosen = workloads(stage.setNumbers).filter(({ name }) => names.includes(name))
  const answers = await askOurs(
    stage,
    chosen.flatMap(({ requests }) => requests),
  )
  const keys = stage.accounts.map(({ key }) => key)
  return withRivals(stage, answers, async (participants, servers) => {
    const results: PublicResult[] = []
    for (const { name, requests } of chosen) {
      const script = await writeScript(stage.directory, name, requests, keys)
      for (const connections of CONNECTIONS) {
        const series = await race(participants, servers, { connections, script, ...rounds })
        results.push({ workload: name, connections, series })
        say(`${name} at ${connections} connections measured`)
      }
    }
    return results
  })
}

/** A B C D A B C D …; the first round only warms up. */
async function race(
  participants: Participant[],
  servers: Record<string, number>,
  { connections, script, rounds, seconds }: Rounds & { connections: number; script: string },
): Promise<Series[]> {
  const series: Series[] = participants.map(({ name }) => ({ participant: name, measured: [] }))
  for (let round = -1; round < rounds; round++) {
    for (const [place, { origin, pid }] of participants.entries()) {
      const measured = await load(
        { origin, connections, seconds: round < 0 ? 2 : seconds, script, warmingUp: round < 0 },
        { node: pid, ...servers },
      )
      if (round >= 0) series[place]!.measured.push(measured)
    }
  }
  return series
}

async function withRivals<T>(
  { db, directory, apiUrl, accounts, postgresPid, ours }: Stage,
  answers: Answers,
  work: (participants: Participant[], servers: Record<string, number>) => Promise<T>,
): Promise<T> {
  const file = join(directory, 'answers.json')
  await writeFile(file, JSON.stringify(answers))
  await sql`create schema bench`.execute(db)
  await sql`create table bench.answer (name text primary key, data text not null)`.execute(db)
  await sql`insert into bench.answer select key, value ->> 'data' from json_each(${JSON.stringify(answers)}::json)`.execute(
    db,
  )
  await sql`grant usage on schema bench to brickmark_api`.execute(db)
  await sql`grant select on bench.answer to brickmark_api`.execute(db)
  await sql`vacuum analyze bench.answer`.execute(db)
  return onDebianRedis(async (port, redisPid) => {
    const env = {
      ANSWERS: file,
      KEYS: accounts.map(({ key }) => key).join(','),
      REDIS_PORT: String(port),
      DATABASE_URL: apiUrl,
    }
    const rivals: Participant[] = []
    try {
      rivals.push(await startServer('bare', 'bare.ts', env))
      rivals.push(await startServer('usual', 'usual.ts', { ...env, READ: 'postgres' }))
      rivals.push(await startServer('memory', 'usual.ts', { ...env, READ: 'memory' }))
      return await work([...rivals, ours], { postgres: postgresPid, redis: redisPid })
    } finally {
      for (const rival of rivals) await rival.stop()
    }
  })
}

/** Asks our api once for everything, so that the others can serve the same bytes. */
async function askOurs({ ours, accounts }: Stage, requests: Request[]): Promise<Answers> {
  const answers: Answers = {}
  const waiting = requests.values()
  const lane = async () => {
    for (const { method, path, body } of waiting) {
      const headers = {
        authorization: `Bearer ${accounts[0]!.key}`,
        ...(body && { 'content-type': 'application/json' }),
      }
      const response = await fetch(ours.origin + path, { method, headers, ...(body && { body }) })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${text}`)
      const name = body === undefined ? path : batchName(JSON.parse(body) as BatchBody['Body'])
      answers[name] = { body: text, data: JSON.stringify((JSON.parse(text) as { data: unknown }).data) }
    }
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return answers
}
