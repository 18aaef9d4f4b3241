import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { asRole } from '@brickmark/tests/support/database'
import { PEPPER } from '@brickmark/tests/support/fixtures'
import { extensionRequests, seedForRequests, validRequests } from '@brickmark/tests/support/valid-requests'
import { startApi, type ApiServer } from '../server.ts'

let api: TestApi
/** An API on the same database, in which no response can be completed. */
let brokenServer: ApiServer

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
  const config = { peppers: [PEPPER], host: '127.0.0.1', port: 0, publicUrl: undefined }
  brokenServer = await startApi(
    { ...config, databaseUrl: asRole(api.databaseUrl, 'brickmark_api') },
    pino({ level: 'silent' }),
    () => {
      throw new Error('The data of the response is invalid.')
    },
  )
  await brokenServer.ready
})
afterAll(async () => {
  await brokenServer.stop()
  await api.stop()
})

const requests = [...validRequests, ...extensionRequests]

test.each(requests.map((request) => [`${request.method} ${request.path}`, request] as const))(
  '500: %s is free if its response cannot be completed',
  async (_name, { method, path, body }) => {
    const account = await api.createAccount()
    const response = await fetch(api.url(path).replace(api.origin, brokenServer.origin), {
      method,
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    })
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    expect([response.status, error.code]).toEqual([500, 'InternalError'])
    expect(error.message).toContain('did not count toward your quota')
    expect(await api.creditsUsed(account)).toBe(0)
  },
)
