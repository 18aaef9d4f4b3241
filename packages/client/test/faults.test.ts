import { afterAll, beforeAll, expect, test } from 'vitest'
import { faults, REQUEST_ID, startFaultServer, type Fault } from '@brickmark/tests/sdk-faults/server'
import * as sdk from '../src/index.ts'

/** The fault suite that every SDK passes. */

const ERROR_CLASSES: Record<string, unknown> = { ...sdk }

let server: Awaited<ReturnType<typeof startFaultServer>>
/** Where nothing listens any more. */
let closedUrl: string
let runs = 0

beforeAll(async () => {
  server = await startFaultServer()
  const closed = await startFaultServer()
  closed.stop()
  closedUrl = closed.url
})
afterAll(() => server.stop())

test.each(faults.map((fault, index) => [fault.name, fault, index] as const))(
  '%s',
  async (_name, { options, unreachable, responses, expect: expected }: Fault, index) => {
    const path = `/${index}/js-${++runs}`
    const attempts: sdk.ResponseEvent[] = []
    const brickmark = new sdk.Brickmark({
      apiKey: 'bmk_live_test',
      baseUrl: `${unreachable ? closedUrl : server.url}${path}/api/v1`,
      timeout: options?.timeoutMs,
      maxRetries: options?.maxRetries,
      retryMaybeCharged: options?.retryMaybeCharged,
      onResponse: (event) => attempts.push(event),
    })
    const startedAt = performance.now()
    const result = await brickmark.getSet('90341-1').catch((error: unknown) => error as sdk.BrickmarkError)
    const log = (await (await fetch(`${server.url}${path}/log`)).json()) as { headers: Record<string, string> }[]
    expect(log).toHaveLength(expected.requests)
    expect(attempts.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: expected.attempts ?? expected.requests }, (_, index) => index + 1),
    )
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(expected.minMs ?? 0)
    for (const { headers } of log) {
      expect(headers).toMatchObject({ authorization: 'Bearer bmk_live_test' })
      expect(headers['user-agent']).toMatch(/^brickmark-js\/\d+\.\d+\.\d+ node\/\S+ \w+$/)
    }
    if (expected.error === undefined) {
      expect(result).toMatchObject({ data: { title: expected.title }, meta: { requestId: REQUEST_ID } })
      expect(result).toHaveProperty('response.status', 200)
      return
    }
    const { class: name, ...details } = expected.error
    expect(result).toBeInstanceOf(ERROR_CLASSES[name])
    expect(result).toMatchObject(details)
    // Only the API's own errors say where they are explained.
    const isOurs = responses.at(-1)?.code !== undefined
    const { requestId, docsUrl } = result as sdk.BrickmarkError
    expect([requestId, docsUrl]).toEqual(
      isOurs ? [REQUEST_ID, `${server.url}/docs/errors#${details.code}`] : [undefined, undefined],
    )
  },
)
