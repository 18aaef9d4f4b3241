import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { findContractViolations, type HttpResponse } from '@brickmark/tests/support/openapi-contract'
import type { TestAccount } from '@brickmark/tests/support/fixtures'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

/** What no HTTP client would send. The answer must be a documented one, in the usual form, and soon. */

const PATIENCE_MS = 2000

let api: TestApi
let caller: TestAccount

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
  caller = await api.createAccount()
})
afterAll(() => api.stop())

/** Sends bytes and reads until one whole answer is there; fails when none comes in time. */
function send(bytes: string | Buffer): Promise<HttpResponse> {
  const { hostname, port } = new URL(api.origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no answer in ${PATIENCE_MS} ms, only ${JSON.stringify(received.slice(0, 200))}`))
    }, PATIENCE_MS)
    const settle = () => {
      const answer = parseAnswer(received)
      if (!answer) return
      clearTimeout(late)
      socket.destroy()
      resolve(answer)
    }
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      received += chunk
      settle()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      reject(new Error(`closed after ${JSON.stringify(received.slice(0, 200))}`))
    })
    socket.write(bytes)
  })
}

function parseAnswer(text: string): HttpResponse | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = text.slice(end + 4)
  if (headers['transfer-encoding'] === 'chunked') {
    const whole = /^[0-9a-f]+\r\n(.*)\r\n0\r\n\r\n$/is.exec(body)
    return whole ? { status: Number(statusLine.split(' ')[1]), headers, text: whole[1] ?? '' } : undefined
  }
  if (Buffer.byteLength(body) < Number(headers['content-length'])) return undefined
  return { status: Number(statusLine.split(' ')[1]), headers, text: body }
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const withKey = () => `Authorization: Bearer ${caller.key}`
const get = (path: string, ...headers: string[]) => lines(`GET ${path} HTTP/1.1`, 'Host: x', ...headers)

/** The answer as its documented error, held to openapi.json and the header rules. */
async function refusal(bytes: string | Buffer, url = '/api/v1/nowhere'): Promise<[number, string]> {
  const answer = await send(bytes)
  expect(findContractViolations('GET', url, answer), answer.text.slice(0, 300)).toEqual([])
  const { error } = JSON.parse(answer.text) as { error: { code: string } }
  return [answer.status, error.code]
}

describe('400: what the parser below the framework rejects', () => {
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
    ['content-length that is no number', () => post(['Content-Length: ten'], '{"sets":["1"]}')],
    ['negative content-length', () => post(['Content-Length: -1'], '{"sets":["1"]}')],
    ['two content-lengths', () => post(['Content-Length: 14', 'Content-Length: 15'], '{"sets":["1"]}')],
    ['content-length and chunked', () => post(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['chunked twice', () => post(['Transfer-Encoding: chunked, chunked'], 'zz\r\n{}\r\n0\r\n\r\n')],
    ['an unknown transfer encoding', () => post(['Transfer-Encoding: xchunked'], '0\r\n\r\n')],
    ['chunks that are garbage', () => post(['Transfer-Encoding: chunked'], 'zz\r\n{"sets":["1"]}\r\n0\r\n\r\n')],
    ['a chunk with a wrong end', () => post(['Transfer-Encoding: chunked'], '5\r\n{"setsXX\r\n0\r\n\r\n')],
    ['a chunk size without end', () => post(['Transfer-Encoding: chunked'], `${'F'.repeat(40)}\r\n`)],
  ])('400: %s', async (_why, bytes) => {
    expect(await refusal(bytes())).toEqual([400, 'BadRequest'])
    expect(await api.creditsUsed(caller)).toBe(0)
  })
})

describe('what the framework rejects', () => {
  test.each<[number, string, string, () => string]>([
    [400, 'BadRequest', 'bad percent-encoding of a path', () => get('/api/v1/set/%ZZ', withKey())],
    [400, 'BadRequest', 'a path that is no UTF-8', () => get('/api/v1/set/%FF', withKey())],
    [400, 'BadRequest', 'half a percent-encoding', () => get('/api/v1/set/%', withKey())],
    [404, 'NotFound', 'a URL in absolute form', () => get('http://x/api/v1/nowhere', withKey())],
    [404, 'NotFound', 'OPTIONS of everything', () => lines('OPTIONS * HTTP/1.1', 'Host: x', withKey())],
    [404, 'NotFound', 'TRACE', () => lines('TRACE /api/v1/catalog/themes HTTP/1.1', 'Host: x', withKey())],
    [404, 'NotFound', 'a method of WebDAV', () => lines('PROPFIND /api/v1/set/1 HTTP/1.1', 'Host: x', withKey())],
    [401, 'MissingApiKey', 'a path climbing out', () => get('/api/v1/../../etc/passwd')],
    [401, 'MissingApiKey', 'no version in the request line', () => lines('GET /api/v1/catalog/themes')],
    [401, 'MissingApiKey', 'no Host and no key', () => lines('GET /api/v1/catalog/themes HTTP/1.1')],
    [401, 'InvalidApiKey', 'two keys', () => get('/api/v1/catalog/themes', 'Authorization: Bearer a, Bearer b')],
  ])('%i %s: %s', async (status, code, _why, bytes) => {
    expect(await refusal(bytes())).toEqual([status, code])
    expect(await api.creditsUsed(caller)).toBe(0)
  })
})

describe('what is unusual and allowed', () => {
  test.each<[string, () => string]>([
    ['no Host', () => lines('GET /api/v1/catalog/themes HTTP/1.1', withKey())],
    ['HTTP/1.0', () => lines('GET /api/v1/catalog/themes HTTP/1.0', withKey())],
    ['an upgrade nobody offers', () => get('/api/v1/catalog/themes', withKey(), 'Connection: Upgrade', 'Upgrade: h2c')],
    ['percent-encoded letters', () => get('/api/v1/catalog/%74hemes', withKey())],
    ['an empty query', () => get('/api/v1/catalog/themes?', withKey())],
  ])('200: %s', async (_why, bytes) => {
    const answer = await send(bytes())
    expect(findContractViolations('GET', '/api/v1/catalog/themes', answer)).toEqual([])
    expect(answer.status).toBe(200)
  })

  test('200: a body in chunks', async () => {
    const body = '8\r\n{"sets":\r\n6\r\n["1"]}\r\n0\r\n\r\n'
    const answer = await send(post(['Transfer-Encoding: chunked'], body))
    expect(findContractViolations('POST', '/api/v1/catalog/batch', answer)).toEqual([])
    expect(answer.status).toBe(200)
  })
})

test('400: a second request hidden behind the first is not served', async () => {
  const hidden = get('/api/v1/catalog/themes', withKey())
  const before = await api.creditsUsed(caller)
  const bytes = post(['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`)
  expect(await refusal(bytes)).toEqual([400, 'BadRequest'])
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await api.creditsUsed(caller)).toBe(before)
})

function post(headers: string[], body: string): string {
  const head = ['POST /api/v1/catalog/batch HTTP/1.1', 'Host: x', withKey(), 'Content-Type: application/json']
  return lines(...head, ...headers) + body
}

function manyHeaders(): string[] {
  return Array.from({ length: 1000 }, (_, at) => `X-Header-${at}: some value`)
}
