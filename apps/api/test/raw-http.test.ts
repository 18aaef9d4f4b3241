import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { findContractViolations, type HttpResponse } from '@brickmark/tests/support/openapi-contract'
import type { TestAccount } from '@brickmark/tests/support/fixtures'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

/** Requests that no HTTP client would send. They must get a documented response in the standard format, and quickly. */

const RESPONSE_TIMEOUT_MS = 2000

let api: TestApi
let account: TestAccount

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
  account = await api.createAccount()
})
afterAll(() => api.stop())

/** Sends bytes and resolves with the first complete response; rejects if none arrives in time. */
function send(bytes: string | Buffer): Promise<HttpResponse> {
  const { hostname, port } = new URL(api.origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    const timeout = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no response within ${RESPONSE_TIMEOUT_MS} ms, only ${JSON.stringify(received.slice(0, 200))}`))
    }, RESPONSE_TIMEOUT_MS)
    const settle = () => {
      const response = parseResponse(received)
      if (!response) return
      clearTimeout(timeout)
      socket.destroy()
      resolve(response)
    }
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      received += chunk
      settle()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timeout)
      reject(new Error(`closed after ${JSON.stringify(received.slice(0, 200))}`))
    })
    socket.write(bytes)
  })
}

function parseResponse(text: string): HttpResponse | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = text.slice(end + 4)
  if (headers['transfer-encoding'] === 'chunked') {
    const match = /^[0-9a-f]+\r\n(.*)\r\n0\r\n\r\n$/is.exec(body)
    return match ? { status: Number(statusLine.split(' ')[1]), headers, text: match[1] ?? '' } : undefined
  }
  if (Buffer.byteLength(body) < Number(headers['content-length'])) return undefined
  return { status: Number(statusLine.split(' ')[1]), headers, text: body }
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const withKey = () => `Authorization: Bearer ${account.key}`
const get = (path: string, ...headers: string[]) => lines(`GET ${path} HTTP/1.1`, 'Host: x', ...headers)

/** Returns status and code of the error response, after validating it against openapi.json and the header rules. */
async function sendExpectingError(bytes: string | Buffer, url = '/api/v1/nowhere'): Promise<[number, string]> {
  const response = await send(bytes)
  expect(findContractViolations('GET', url, response), response.text.slice(0, 300)).toEqual([])
  const { error } = JSON.parse(response.text) as { error: { code: string } }
  return [response.status, error.code]
}

describe('rejected by the HTTP parser', () => {
  test.each<[string, () => string | Buffer]>([
    ['not HTTP at all', () => 'hello\r\n\r\n'],
    ['binary junk', () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x0d, 0x0a, 0x0d, 0x0a])],
    ['a version that does not exist', () => lines('GET /api/v1/catalog/themes HTTP/9.9', withKey())],
    ['a space in the path', () => lines('GET /api/v1/set/90001 1 HTTP/1.1', 'Host: x', withKey())],
    ['a method in lower case', () => lines('get /api/v1/catalog/themes HTTP/1.1', 'Host: x', withKey())],
    ['a method that does not exist', () => lines('FETCH /api/v1/catalog/themes HTTP/1.1', 'Host: x', withKey())],
    ['an HTTP/2 preface', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['CONNECT', () => lines('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443')],
    ['Expect: nonsense', () => get('/api/v1/catalog/themes', withKey(), 'Expect: nonsense')],
    ['a header over 16 KB', () => get('/api/v1/catalog/themes', withKey(), `X-Pad: ${'x'.repeat(17_000)}`)],
    ['many headers over 16 KB', () => get('/api/v1/catalog/themes', withKey(), ...manyHeaders())],
    ['a URL of 20 KB', () => get(`/api/v1/set/${'9'.repeat(20_000)}`, withKey())],
    ['a NUL in a header', () => get('/api/v1/catalog/themes', withKey(), 'X-Bad: a\0b')],
    ['a NUL in the path', () => get('/api/v1/set/9\x0001', withKey())],
    ['a header without a colon', () => get('/api/v1/catalog/themes', withKey(), 'nonsense')],
    ['a header name with a space', () => get('/api/v1/catalog/themes', withKey(), 'X Bad: 1')],
    ['a folded header', () => get('/api/v1/catalog/themes', withKey(), 'X-Folded: a', ' b')],
    ['a content-length that is not a number', () => post(['Content-Length: ten'], '{"sets":["1"]}')],
    ['negative content-length', () => post(['Content-Length: -1'], '{"sets":["1"]}')],
    ['two content-lengths', () => post(['Content-Length: 14', 'Content-Length: 15'], '{"sets":["1"]}')],
    ['content-length and chunked', () => post(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['chunked twice', () => post(['Transfer-Encoding: chunked, chunked'], 'zz\r\n{}\r\n0\r\n\r\n')],
    ['an unknown transfer encoding', () => post(['Transfer-Encoding: xchunked'], '0\r\n\r\n')],
    ['invalid chunks', () => post(['Transfer-Encoding: chunked'], 'zz\r\n{"sets":["1"]}\r\n0\r\n\r\n')],
    ['a chunk with a wrong terminator', () => post(['Transfer-Encoding: chunked'], '5\r\n{"setsXX\r\n0\r\n\r\n')],
    ['an oversized chunk size', () => post(['Transfer-Encoding: chunked'], `${'F'.repeat(40)}\r\n`)],
  ])('400: %s', async (_why, bytes) => {
    expect(await sendExpectingError(bytes())).toEqual([400, 'BadRequest'])
    expect(await api.creditsUsed(account)).toBe(0)
  })
})

describe('rejected by the framework', () => {
  test.each<[number, string, string, () => string]>([
    [400, 'BadRequest', 'bad percent-encoding of a path', () => get('/api/v1/set/%ZZ', withKey())],
    [400, 'BadRequest', 'a path that is not UTF-8', () => get('/api/v1/set/%FF', withKey())],
    [400, 'BadRequest', 'an incomplete percent-encoding', () => get('/api/v1/set/%', withKey())],
    [404, 'NotFound', 'a URL in absolute form', () => get('http://x/api/v1/nowhere', withKey())],
    [404, 'NotFound', 'OPTIONS *', () => lines('OPTIONS * HTTP/1.1', 'Host: x', withKey())],
    [404, 'NotFound', 'TRACE', () => lines('TRACE /api/v1/catalog/themes HTTP/1.1', 'Host: x', withKey())],
    [404, 'NotFound', 'a WebDAV method', () => lines('PROPFIND /api/v1/set/1 HTTP/1.1', 'Host: x', withKey())],
    [401, 'MissingApiKey', 'a path traversal', () => get('/api/v1/../../etc/passwd')],
    [401, 'MissingApiKey', 'no version in the request line', () => lines('GET /api/v1/catalog/themes')],
    [400, 'BadRequest', 'no Host', () => lines('GET /api/v1/catalog/themes HTTP/1.1', withKey())],
    [401, 'InvalidApiKey', 'two keys', () => get('/api/v1/catalog/themes', 'Authorization: Bearer a, Bearer b')],
  ])('%i %s: %s', async (status, code, _why, bytes) => {
    expect(await sendExpectingError(bytes())).toEqual([status, code])
    expect(await api.creditsUsed(account)).toBe(0)
  })
})

describe('unusual but allowed', () => {
  test.each<[string, () => string]>([
    ['two spaces after Bearer', () => get('/api/v1/catalog/themes', withKey().replace('Bearer ', 'Bearer  '))],
    ['HTTP/1.0', () => lines('GET /api/v1/catalog/themes HTTP/1.0', withKey())],
    ['an unsupported upgrade', () => get('/api/v1/catalog/themes', withKey(), 'Connection: Upgrade', 'Upgrade: h2c')],
    ['percent-encoded letters', () => get('/api/v1/catalog/%74hemes', withKey())],
    ['an empty query', () => get('/api/v1/catalog/themes?', withKey())],
  ])('200: %s', async (_why, bytes) => {
    const response = await send(bytes())
    expect(findContractViolations('GET', '/api/v1/catalog/themes', response)).toEqual([])
    expect(response.status).toBe(200)
  })

  test('200: accepts a chunked body', async () => {
    const body = '8\r\n{"sets":\r\n6\r\n["1"]}\r\n0\r\n\r\n'
    const response = await send(post(['Transfer-Encoding: chunked'], body))
    expect(findContractViolations('POST', '/api/v1/catalog/batch', response)).toEqual([])
    expect(response.status).toBe(200)
  })
})

test('400: does not serve a smuggled second request', async () => {
  const hidden = get('/api/v1/catalog/themes', withKey())
  const before = await api.creditsUsed(account)
  const bytes = post(['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`)
  expect(await sendExpectingError(bytes)).toEqual([400, 'BadRequest'])
  // A request that was smuggled in would be charged before this one.
  await api.get('/catalog/themes', account)
  expect(await api.creditsUsed(account)).toBe(before + 1)
})

function post(headers: string[], body: string): string {
  const head = ['POST /api/v1/catalog/batch HTTP/1.1', 'Host: x', withKey(), 'Content-Type: application/json']
  return lines(...head, ...headers) + body
}

function manyHeaders(): string[] {
  return Array.from({ length: 1000 }, (_, index) => `X-Header-${index}: some value`)
}
