import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startApi, type ApiServer } from '../server.ts'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { findContractViolations } from '@brickmark/tests/support/openapi-contract'
import { asRole, createDatabase } from '@brickmark/tests/support/database'
import { PEPPER } from '@brickmark/tests/support/fixtures'
import { seedForRequests, validRequests } from '@brickmark/tests/support/valid-requests'

const PATIENT = { timeout: 10_000 }

let api: TestApi

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
})
afterAll(() => api.stop())

async function look(origin: string, path: string): Promise<[number, unknown]> {
  const response = await fetch(origin + path)
  return [response.status, await response.json()]
}

describe('health and readiness', () => {
  test('200: healthy, ready and fresh', async () => {
    expect(await look(api.origin, '/healthz')).toEqual([200, { status: 'ok' }])
    expect(await look(api.origin, '/readyz')).toEqual([200, { status: 'ready', catalog: 'fresh' }])
  })

  test('503: a process whose database lacks a migration is alive, not ready, and says why', async () => {
    const database = await createDatabase(inject('serverUrl'))
    const db = openDatabase(openPool(database.url, { size: 1 }))
    await sql`delete from public.migration where name = '0009-change-feed'`.execute(db)
    const behind = await start(asRole(database.url, 'brickmark_api'))
    const reason = 'missing migrations: 0009-change-feed'
    await expect.poll(() => look(behind.origin, '/readyz'), PATIENT).toEqual([503, { status: 'not ready', reason }])
    expect(await look(behind.origin, '/healthz')).toEqual([200, { status: 'ok' }])

    // It becomes ready by itself once somebody has migrated.
    await sql`insert into public.migration (name, run_on) values ('0009-change-feed', now())`.execute(db)
    await behind.ready
    expect(await look(behind.origin, '/readyz')).toEqual([200, { status: 'ready', catalog: 'fresh' }])
    await behind.stop()
    await db.destroy()
    await database.drop()
  })

  test('503: a process whose database cannot be reached is alive and not ready', async () => {
    const lost = await start('postgres://brickmark_api@127.0.0.1:1/brickmark')
    const reason = 'the database cannot be reached'
    await expect.poll(() => look(lost.origin, '/readyz'), PATIENT).toEqual([503, { status: 'not ready', reason }])
    expect(await look(lost.origin, '/healthz')).toEqual([200, { status: 'ok' }])
    void lost.ready.catch(() => {})
    await lost.stop()
  })

  test('a role that row-level security does not bind is refused', async () => {
    const unsafe = await start(api.databaseUrl)
    await expect(unsafe.ready).rejects.toThrow('row-level security')
    expect((await look(unsafe.origin, '/readyz'))[0]).toBe(503)
    await unsafe.stop()
  })
})

test('503: while the database cannot be reached, on every endpoint, with Retry-After; 200 again after', async () => {
  const way = await openWay(new URL(api.databaseUrl))
  const url = new URL(asRole(api.databaseUrl, 'brickmark_api'))
  url.port = String(way.port)
  const node = await start(url.href)
  await node.ready
  const { key } = await api.createAccount()
  const ask = async ({ method, path, body }: (typeof validRequests)[number]) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(node.baseUrl + path, { method, headers, ...(body !== undefined && { body }) })
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
    expect(findContractViolations(method, path, answer), `${method} ${path}`).toEqual([])
    return answer.status
  }
  const askAll = () => Promise.all(validRequests.map(ask))
  expect(await askAll()).toEqual(Array(validRequests.length).fill(200))
  await way.close()
  // The connections were idle, and their end is noticed before the next request.
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await askAll()).toEqual(Array(validRequests.length).fill(503))
  await expect.poll(() => look(node.origin, '/readyz'), PATIENT).toEqual([200, { status: 'ready', catalog: 'stale' }])
  await way.open()
  await expect.poll(askAll, PATIENT).toEqual(Array(validRequests.length).fill(200))
  await expect.poll(() => look(node.origin, '/readyz'), PATIENT).toEqual([200, { status: 'ready', catalog: 'fresh' }])
  await node.stop()
  await way.close()
})

/** A way to the database that can be closed, as when its server is gone, and opened again at the same port. */
async function openWay(to: URL) {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  const open = async (port: number) => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await open(0)
  return {
    port,
    open: () => open(port),
    async close() {
      const closed = once(server.close(), 'close')
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function start(databaseUrl: string): Promise<ApiServer> {
  const config = { databaseUrl, peppers: [PEPPER], host: '127.0.0.1', port: 0, publicUrl: undefined }
  return startApi(config, pino({ level: 'silent' }))
}
