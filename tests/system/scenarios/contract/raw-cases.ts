import fc from 'fast-check'

/** Bytes that no well-behaved client sends, and the responses that are acceptable. */
export type RawCase = {
  name: string
  chunks: Buffer[]
  pauseMs: number
  thenDo: 'wait' | 'finish' | 'leave'
  /** Range of the number of responses, and their allowed statuses. */
  responses: [min: number, max: number]
  statuses: number[]
  head?: boolean
  post?: boolean
}

const CRLF = '\r\n'
/** Expects exactly one 400. */
const REJECTED = { responses: [1, 1] as [number, number], statuses: [400] }

/** Returns raw exchanges; `key` is a valid key and `number` an existing set. */
export function rawCases(key: string, number: string): fc.Arbitrary<RawCase> {
  const auth = `Authorization: Bearer ${key}`
  const get = (...headers: string[]) =>
    [`GET /api/v1/set/${number} HTTP/1.1`, 'Host: x', auth, ...headers, '', ''].join(CRLF)
  const post = (headers: string[], body: string) =>
    [
      `POST /api/v1/catalog/batch HTTP/1.1`,
      'Host: x',
      auth,
      'Content-Type: application/json',
      ...headers,
      '',
      body,
    ].join(CRLF)
  const close = 'Connection: close'
  const body = `{"sets":["${number}"]}`
  const size = `Content-Length: ${body.length}`

  const fixed: RawCase[] = [
    ...[
      'GET',
      'FOO BAR BAZ',
      'GET /api/v1/set/1 HTTP/9.9',
      'get /api/v1/set/1 HTTP/1.1',
      '\0\0\0',
      ':',
      'GET /a b HTTP/1.1',
    ].map((line) => raw(`request line ${JSON.stringify(line)}`, `${line}${CRLF}Host: x${CRLF}${CRLF}`, REJECTED)),
    raw('two spaces in the request line', get(close).replaceAll(' /', '  /'), expectOne(200, 400, 401, 404)),
    raw('no version', `GET /api/v1/set/${number}${CRLF}${CRLF}`, expectOne(400, 401)),
    raw('TLS hello', Buffer.from('1603010200010001fc0303', 'hex'), REJECTED),
    raw('HTTP/2 preface', `PRI * HTTP/2.0${CRLF}${CRLF}SM${CRLF}${CRLF}`, REJECTED),
    raw('no Host', [`GET /api/v1/set/${number} HTTP/1.1`, auth, close, '', ''].join(CRLF), expectOne(200, 400)),
    raw('HTTP/1.0', [`GET /api/v1/set/${number} HTTP/1.0`, auth, '', ''].join(CRLF), expectOne(200)),
    raw('two Hosts', get('Host: y', close), expectOne(200, 400)),
    raw('Expect: 100-continue', post([size, close, 'Expect: 100-continue'], body), { ...expectOne(200), post: true }),
    raw('Expect: something else', get('Expect: the-unexpected', close), REJECTED),
    raw('upgrade', get('Upgrade: websocket', 'Connection: Upgrade', close), expectOne(200, 400)),
    raw(
      'h2c upgrade',
      get('Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__', 'Connection: Upgrade, HTTP2-Settings, close'),
      expectOne(200, 400),
    ),
    raw('Content-Length and chunked', post([size, 'Transfer-Encoding: chunked', close], `0${CRLF}${CRLF}`), {
      ...REJECTED,
      post: true,
    }),
    raw('two Content-Lengths', post([size, 'Content-Length: 3', close], body), { ...REJECTED, post: true }),
    raw('negative Content-Length', post(['Content-Length: -5', close], body), { ...REJECTED, post: true }),
    raw('non-numeric Content-Length', post(['Content-Length: twenty', close], body), { ...REJECTED, post: true }),
    raw('hexadecimal Content-Length', post(['Content-Length: 0x14', close], body), { ...REJECTED, post: true }),
    raw('unknown Transfer-Encoding', post(['Transfer-Encoding: gzip', close], body), { ...expectOne(400), post: true }),
    raw(
      'chunked',
      post(['Transfer-Encoding: chunked', close], `${body.length.toString(16)}${CRLF}${body}${CRLF}0${CRLF}${CRLF}`),
      { ...expectOne(200), post: true },
    ),
    raw('invalid chunk size', post(['Transfer-Encoding: chunked', close], `zz${CRLF}${body}${CRLF}0${CRLF}${CRLF}`), {
      ...REJECTED,
      post: true,
    }),
    raw(
      'chunk extension',
      post(
        ['Transfer-Encoding: chunked', close],
        `${body.length.toString(16)};a=b${CRLF}${body}${CRLF}0${CRLF}${CRLF}`,
      ),
      { ...expectOne(200, 400), post: true },
    ),
    raw(
      'smuggled second request',
      post(['Content-Length: 0', 'Transfer-Encoding: chunked', close], `0${CRLF}${CRLF}${get(close)}`),
      { ...REJECTED, post: true },
    ),
    raw('bare line feeds', get(close).replaceAll(CRLF, '\n'), expectOne(200, 400)),
    raw('folded header', get(`X-A: a${CRLF} b`, close), expectOne(200, 400)),
    raw('space before the colon', get('X-A : b', close), expectOne(200, 400)),
    raw('NUL in a header', get('X-A: a\0b', close), REJECTED),
    raw('header without colon', get('nonsense', close), REJECTED),
    raw('20,000 bytes of headers', get(`X-A: ${'a'.repeat(20_000)}`, close), REJECTED),
    raw('3,000 headers', get(...Array.from({ length: 3000 }, (_, index) => `X-${index}: 1`), close), {
      ...expectOne(200, 400),
    }),
    raw('20,000 bytes of path', `GET /api/v1/set/${'a'.repeat(20_000)} HTTP/1.1${CRLF}Host: x${CRLF}${CRLF}`, REJECTED),
    raw('absolute form', get(close).replace('/api', 'http://x/api'), expectOne(200, 400, 401, 404)),
    raw('asterisk form', `OPTIONS * HTTP/1.1${CRLF}Host: x${CRLF}${close}${CRLF}${CRLF}`, expectOne(400, 401, 404)),
    raw('CONNECT', `CONNECT x:443 HTTP/1.1${CRLF}Host: x${CRLF}${CRLF}`, expectOne(400, 404)),
    raw('HEAD', get(close).replace('GET', 'HEAD'), { ...expectOne(404), head: true }),
    raw(
      'invalid UTF-8 in the path',
      Buffer.from(get(close).replace(number, '\xff\xfe'), 'latin1'),
      expectOne(400, 404),
    ),
    raw('fragment in the path', get(close).replace(number, `${number}#x`), expectOne(200, 400, 404)),
    raw(
      'truncated body',
      post(['Content-Length: 500', close], body),
      { responses: [0, 1], statuses: [400], post: true },
      'finish',
    ),
    raw('truncated headers', get(close).slice(0, -6), { responses: [0, 1], statuses: [400] }, 'finish'),
    raw('empty request', '', { responses: [0, 1], statuses: [400] }, 'finish'),
    raw('disconnects in the headers', get().slice(0, 40), { responses: [0, 1], statuses: [400] }, 'leave'),
    raw(
      'disconnects in the body',
      post(['Content-Length: 500'], body),
      { responses: [0, 1], statuses: [400], post: true },
      'leave',
    ),
    raw('disconnects before the response', get(), { responses: [0, 1], statuses: [200] }, 'leave'),
  ]
  const pipelined = fc.integer({ min: 2, max: 12 }).map((count) =>
    raw(`${count} requests in one write`, get().repeat(count - 1) + get(close), {
      responses: [count, count],
      statuses: [200],
    }),
  )
  const pipelinedThenBroken = fc.integer({ min: 1, max: 5 }).map((count) =>
    raw(`${count} requests and garbage in one write`, `${get().repeat(count)}rubbish${CRLF}${CRLF}`, {
      responses: [1, count + 1],
      statuses: [200, 400],
    }),
  )
  const slow = fc.tuple(fc.integer({ min: 2, max: 10 }), fc.integer({ min: 5, max: 60 })).map(([parts, pauseMs]) => {
    const bytes = Buffer.from(post([size, close], body))
    const step = Math.ceil(bytes.length / parts)
    const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
      bytes.subarray(index * step, (index + 1) * step),
    )
    return { ...raw(`${chunks.length} slow chunks`, '', { ...expectOne(200), post: true }), chunks, pauseMs }
  })
  const randomBytes = fc
    .uint8Array({ minLength: 1, maxLength: 300 })
    .map((bytes) =>
      raw(
        'random bytes',
        Buffer.concat([bytes, Buffer.from(`${CRLF}${CRLF}`)]),
        { responses: [0, 1], statuses: [400] },
        'finish',
      ),
    )
  const oddHeader = fc
    .tuple(
      fc.constantFrom(
        'X-A',
        'Cookie',
        'Accept',
        'Range',
        'If-None-Match',
        'Origin',
        'X-Forwarded-For',
        'Content-Encoding',
        'TE',
        'X-HTTP-Method-Override',
      ),
      fc.string({ maxLength: 40 }),
    )
    .map(([name, value]) =>
      raw(
        `header ${name}`,
        Buffer.from(get(`${name}: ${value.replaceAll(/[\r\n]/g, '')}`, close)),
        expectOne(200, 400),
      ),
    )
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...fixed) },
    { weight: 1, arbitrary: pipelined },
    { weight: 1, arbitrary: pipelinedThenBroken },
    { weight: 1, arbitrary: slow },
    { weight: 1, arbitrary: randomBytes },
    { weight: 2, arbitrary: oddHeader },
  )
}

type Expected = Pick<RawCase, 'responses' | 'statuses' | 'head' | 'post'>

function expectOne(...statuses: number[]): Expected {
  return { responses: [1, 1], statuses }
}

function raw(name: string, bytes: string | Buffer, expected: Expected, thenDo: RawCase['thenDo'] = 'wait'): RawCase {
  return { name, chunks: [typeof bytes === 'string' ? Buffer.from(bytes) : bytes], pauseMs: 0, thenDo, ...expected }
}
