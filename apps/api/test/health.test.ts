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

const POLL = { timeout: 10_000 }

let api: TestApi

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
})
afterAll(() => api.stop())

async function fetchJson(origin: string, path: string): Promise<[number, unknown]> {
  const response = await fetch(origin + path)
  return [response.status, await response.json()]
}

describe('health and readiness', () => {
  test('200: reports healthy, ready and fresh', async () => {
    expect(await fetchJson(api.origin, '/healthz')).toEqual([200, { status: 'ok' }])
    expect((await fetch(`${api.origin}/.well-known/security.txt`)).status).toBe(404)
    expect(await fetchJson(api.origin, '/readyz')).toEqual([200, { status: 'ready', catalog: 'fresh' }])
  })

  test('503: /readyz names a missing migration while /healthz reports ok', async () => {
    const database = await createDatabase(inject('serverUrl'))
    const db = openDatabase(openPool(database.url, { size: 1 }))
    await sql`delete from public.migration where name = '0012-webhook'`.execute(db)
    const outdated = await start(asRole(database.url, 'brickmark_api'))
    const reason = 'missing migrations: 0012-webhook'
    await expect.poll(() => fetchJson(outdated.origin, '/readyz'), POLL).toEqual([503, { status: 'not ready', reason }])
    expect(await fetchJson(outdated.origin, '/healthz')).toEqual([200, { status: 'ok' }])

    // It becomes ready on its own after the migration.
    await sql`insert into public.migration (name, run_on) values ('0012-webhook', now())`.execute(db)
    await outdated.ready
    expect(await fetchJson(outdated.origin, '/readyz')).toEqual([200, { status: 'ready', catalog: 'fresh' }])
    await outdated.stop()
    await db.destroy()
    await database.drop()
  })

  test('503: /readyz reports an unreachable database while /healthz reports ok', async () => {
    const unreachable = await start('postgres://brickmark_api@127.0.0.1:1/brickmark')
    const reason = 'the database cannot be reached'
    await expect
      .poll(() => fetchJson(unreachable.origin, '/readyz'), POLL)
      .toEqual([503, { status: 'not ready', reason }])
    expect(await fetchJson(unreachable.origin, '/healthz')).toEqual([200, { status: 'ok' }])
    void unreachable.ready.catch(() => {})
    await unreachable.stop()
  })

  test('refuses to start with a role that bypasses row-level security', async () => {
    const unsafe = await start(api.databaseUrl)
    await expect(unsafe.ready).rejects.toThrow('row-level security')
    expect((await fetchJson(unsafe.origin, '/readyz'))[0]).toBe(503)
    await unsafe.stop()
  })
})

test('503: every endpoint sends Retry-After while the database is unreachable, then recovers', async () => {
  const proxy = await startProxy(new URL(api.databaseUrl))
  const url = new URL(asRole(api.databaseUrl, 'brickmark_api'))
  url.port = String(proxy.port)
  const node = await start(url.href)
  await node.ready
  const { key } = await api.createAccount()
  const send = async ({ method, path, body }: (typeof validRequests)[number]) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(node.baseUrl + path, { method, headers, ...(body !== undefined && { body }) })
    const result = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
    expect(findContractViolations(method, path, result), `${method} ${path}`).toEqual([])
    return result.status
  }
  const sendAll = () => Promise.all(validRequests.map(send))
  expect(await sendAll()).toEqual(Array(validRequests.length).fill(200))
  await proxy.close()
  await expect.poll(sendAll, POLL).toEqual(Array(validRequests.length).fill(503))
  await expect.poll(() => fetchJson(node.origin, '/readyz'), POLL).toEqual([200, { status: 'ready', catalog: 'stale' }])
  await proxy.open()
  await expect.poll(sendAll, POLL).toEqual(Array(validRequests.length).fill(200))
  await expect.poll(() => fetchJson(node.origin, '/readyz'), POLL).toEqual([200, { status: 'ready', catalog: 'fresh' }])
  await node.stop()
  await proxy.close()
})

/** Starts a TCP proxy to the database that can be closed, as if the server were down, and reopened on the same port. */
async function startProxy(target: URL) {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
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
