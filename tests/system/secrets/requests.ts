import { operations } from '../../support/openapi-contract.ts'
import type { ClientRequest } from '../../support/http-client.ts'
import type { Canary, Secrets } from './canaries.ts'

/** A request with a secret in it. */
export type SecretRequest = {
  ask: ClientRequest
  /** What it carries in its address or body: an answer with data may say what was asked for. */
  allowedEchoes: Canary[]
}

type Operation = { method: string; path: string; parameters: string[] }
type Placement = (operation: Operation, secret: string) => ClientRequest
/** The same as somebody whose key is in force. */
type AsCaller = (ask: ClientRequest) => ClientRequest

const OPERATIONS: Operation[] = operations.map(({ method, path, operation }) => ({
  method,
  path,
  parameters: parametersOf(operation),
}))
const LARGE = 70_000
/** Names under which people send what is secret. */
const SECRET_NAMES = ['api_key', 'token', 'password', 'session_id', 'client_secret', 'Authorization']
const HEADERS = [
  'x-api-key',
  'cookie',
  'user-agent',
  'referer',
  'x-forwarded-for',
  'x-request-id',
  'proxy-authorization',
]

function parametersOf(operation: object): string[] {
  const { parameters = [] } = operation as { parameters?: { name: string; in: string }[] }
  return parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name)
}

/** Every endpoint with every secret in every place where somebody might put it. */
export function requestsWithSecrets(secrets: Secrets, set: string): SecretRequest[] {
  const { activeKeys, keys, others } = secrets
  let turn = 0
  const from: AsCaller = (ask) => {
    const { text } = activeKeys[turn++ % activeKeys.length]!
    return { ...ask, headers: { ...ask.headers, authorization: `Bearer ${text}` } }
  }
  return OPERATIONS.flatMap((operation) => [
    ...[...keys, ...others].flatMap((secret) => asAuthorization(operation, secret, set)),
    ...keys.flatMap((key) => keyInEveryPosition(operation, key, from, set)),
    ...others.flatMap((secret) => secretUnderKnownName(operation, secret, from, set)),
    { ask: baseRequest(operation, set, {}), allowedEchoes: [] },
  ])
}

/** In the one header where a key belongs, in right and wrong ways. */
function asAuthorization(operation: Operation, { text }: Canary, set: string): SecretRequest[] {
  const basic = Buffer.from(`${text}:`).toString('base64')
  const ways = [`Bearer ${text}`, `bearer ${text} ${text}`, text, `Token ${text}`, `Basic ${basic}`]
  return ways.map((authorization) => ({ ask: baseRequest(operation, set, { authorization }), allowedEchoes: [] }))
}

/** A key is recognised wherever it is. */
function keyInEveryPosition(operation: Operation, key: Canary, from: AsCaller, set: string): SecretRequest[] {
  const inAddress: Placement[] = [
    ...[...SECRET_NAMES, ...operation.parameters].map((name) => withQuery(name)),
    (operation, secret) => ({ ...baseRequest(operation, set, {}), target: `${targetOf(operation, set)}?${secret}=1` }),
    (operation, secret) => ({ ...baseRequest(operation, set, {}), target: `${targetOf(operation, set)}/${secret}` }),
    (operation, secret) => ({ ...baseRequest(operation, set, {}), target: `${targetOf(operation, set)}/%zz${secret}` }),
    (operation, secret) => baseRequest(operation, secret, {}),
    (operation, secret) => baseRequest(operation, secret.toUpperCase(), {}),
  ]
  const inBody: Placement[] = [
    withBody((secret) => JSON.stringify({ sets: [secret] })),
    withBody((secret) => JSON.stringify({ [secret]: 1 })),
    withBody((secret) => JSON.stringify({ sets: secret })),
    withBody((secret) => secret),
    withBody((secret) => `{"sets": ["${secret}", }`),
    withBody((secret) => JSON.stringify({ sets: [secret.padEnd(LARGE, 'x')] })),
  ]
  return [
    ...inHeaders(operation, key, from, set),
    ...[...inAddress, ...inBody].map((index) => ({ ask: from(index(operation, key.text)), allowedEchoes: [key] })),
  ]
}

/** Another secret only where its name says what it is. */
function secretUnderKnownName(operation: Operation, secret: Canary, from: AsCaller, set: string): SecretRequest[] {
  const places = SECRET_NAMES.flatMap((name) => [
    withQuery(name),
    withBody((text) => JSON.stringify({ sets: [set], [name]: text })),
  ])
  const session = { ask: baseRequest(operation, set, { cookie: secret.text }), allowedEchoes: [] }
  return [session, ...places.map((index) => ({ ask: from(index(operation, secret.text)), allowedEchoes: [secret] }))]
}

function inHeaders(operation: Operation, { text }: Canary, from: AsCaller, set: string): SecretRequest[] {
  return HEADERS.flatMap((name) => [
    { ask: baseRequest(operation, set, { [name]: text }), allowedEchoes: [] },
    { ask: from(baseRequest(operation, set, { [name]: `x ${text}` })), allowedEchoes: [] },
  ])
}

function withQuery(name: string): Placement {
  return (operation, secret) => ({
    ...baseRequest(operation, '1', {}),
    target: `${targetOf(operation, '1')}?${name}=${encodeURIComponent(secret)}`,
  })
}

function withBody(bodyOf: (secret: string) => string): Placement {
  return (operation, secret) => ({
    method: 'POST',
    target: targetOf(operation, '1'),
    headers: { 'content-type': 'application/json' },
    body: bodyOf(secret),
  })
}

/** An operation as it should be asked for, but for what the headers say. */
function baseRequest(operation: Operation, number: string, headers: Record<string, string>): ClientRequest {
  const target = targetOf(operation, number)
  if (operation.method === 'GET') return { method: 'GET', target, headers }
  const body = JSON.stringify({ sets: [number.slice(0, 60)] })
  return { method: operation.method, target, headers: { ...headers, 'content-type': 'application/json' }, body }
}

function targetOf({ path }: Operation, number: string): string {
  return `/api/v1${path.replace('{number}', number)}`
}

/** What else the process answers to: with a key in the address, where one goes by mistake. */
export function docsRequestsWith({ text }: Canary): ClientRequest[] {
  const paths = [
    '/',
    '/docs/',
    '/docs/reference',
    '/openapi.json',
    '/llms.txt',
    '/healthz',
    '/readyz',
    '/metrics',
    '/favicon.svg',
  ]
  const searches = [`/docs/search?q=${text}`, `/docs/${text}`, `/${text}`, `/docs/%zz${text}`]
  return [...paths.map((path) => `${path}?api_key=${text}`), ...searches].map((target) => ({
    method: 'GET',
    target,
    headers: { authorization: `Bearer ${text}`, cookie: `a=${text}` },
  }))
}
