import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, inject } from 'vitest'
import type { z } from 'zod'
import type { MetaSchema } from '@brickmark/api/envelope'
import { startApi } from '@brickmark/api/server'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { asRole, createDatabase } from './database.ts'
import { findContractViolations, type HttpResponse } from './openapi-contract.ts'
import { createTestAccount, PEPPER, type TestAccount } from './fixtures.ts'

export type TestResponse<D = unknown> = HttpResponse & {
  data: D
  meta: z.output<typeof MetaSchema>
  error: { code: string; message: string }
}

type RequestInitOptions = { headers?: Record<string, string>; body?: string }

export type TestApi = {
  origin: string
  metricsUrl: string
  /** Superuser connection for creating and inspecting rows. */
  db: Database
  databaseUrl: string
  createAccount(options?: { plan?: string; limit?: number }): Promise<TestAccount>
  /** The address of a path, which is relative to /api/v1 unless it starts with /api/. */
  url(path: string): string
  /** Sends a request to such a path; every response is validated against the OpenAPI document. */
  get<D>(path: string, key?: string | TestAccount, init?: RequestInitOptions): Promise<TestResponse<D>>
  post<D>(path: string, key: string | TestAccount | undefined, body: unknown): Promise<TestResponse<D>>
  /** Credits a key has used today. */
  creditsUsed(createAccount: TestAccount): Promise<number>
  stop(): Promise<void>
}

/**
 * Starts an API on a fresh database that `seed` has filled. Validates every 200 against its schema before it is
 * serialized.
 */
export async function startTestApi(
  seed: (db: Database) => Promise<void> = async () => {},
  { docsUrl }: { docsUrl?: string } = {},
): Promise<TestApi> {
  const database = await createDatabase(inject('serverUrl'))
  const db = openDatabase(
    openPool(database.url, { size: 3, pipelined: true, statementTimeoutMs: 60_000, connectTimeoutMs: 30_000 }),
  )
  await seed(db)
  const api = await startApi(
    {
      databaseUrl: asRole(database.url, 'brickmark_api'),
      peppers: [PEPPER],
      host: '127.0.0.1',
      port: 0,
      metricsPort: 0,
      publicUrl: undefined,
      docsUrl,
    },
    pino({ level: 'silent' }),
    (endpoint, data) => {
      const checked = endpoint.data.safeParse(data)
      expect(checked.error, `${endpoint.method} ${endpoint.path} before serialization`).toBeUndefined()
    },
  )
  await api.ready

  const url = (path: string) => (path.startsWith('/api/') ? api.origin : api.baseUrl) + path

  async function request<D>(
    method: string,
    path: string,
    key: string | TestAccount | undefined,
    init: RequestInitOptions,
  ) {
    const text = typeof key === 'object' ? key.key : key
    const response = await fetch(url(path), {
      ...init,
      method,
      headers: { ...(text === undefined ? {} : { authorization: `Bearer ${text}` }), ...init.headers },
    })
    const received = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
    expect(
      findContractViolations(method, url(path), received),
      `${method} ${path}: ${received.text.slice(0, 300)}`,
    ).toEqual([])
    return { ...received, ...(JSON.parse(received.text) as object) } as TestResponse<D>
  }

  return {
    origin: api.origin,
    metricsUrl: api.metricsUrl!,
    db,
    databaseUrl: database.url,
    url,
    createAccount: (options) => createTestAccount(db, options),
    get: (path, key, init = {}) => request('GET', path, key, init),
    post: (path, key, body) =>
      request('POST', path, key, {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    async creditsUsed({ accountId, keyId }) {
      const { rows } = await sql<{ used: number }>`
        select used from account.api_key_quota where account_id = ${accountId} and api_key_id = ${keyId}
           and day = (now() at time zone 'utc')::date`.execute(db)
      return rows[0]?.used ?? 0
    },
    async stop() {
      await api.stop()
      await db.destroy()
      await database.drop()
    },
  }
}
