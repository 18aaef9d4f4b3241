import { operations } from '../../../support/openapi-contract.ts'
import type { ClientRequest } from '../../../support/http-client.ts'
import type { Canary, Secrets } from './canaries.ts'

/** A request that carries a secret. */
export type SecretRequest = {
  request: ClientRequest
  /** Secrets in its URL or body, which a successful response may echo. */
  allowedEchoes: Canary[]
}

type Operation = { method: string; path: string; parameters: string[] }
type Placement = (operation: Operation, secret: string) => ClientRequest
/** Adds the credentials of an active key to a request. */
type AsCaller = (request: ClientRequest) => ClientRequest

const OPERATIONS: Operation[] = operations.map(({ method, path, operation }) => ({
  method,
  path,
  parameters: parametersOf(operation),
}))
const LARGE = 70_000
/** Parameter names under which clients send secrets. */
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

/** Returns requests to every endpoint with every secret in every position where a client might put it. */
export function requestsWithSecrets(secrets: Secrets, set: string): SecretRequest[] {
  const { activeKeys, keys, others } = secrets
  let next = 0
  const asCaller: AsCaller = (request) => {
    const { text } = activeKeys[next++ % activeKeys.length]!
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${text}` } }
  }
  return OPERATIONS.flatMap((operation) => [
    ...[...keys, ...others].flatMap((secret) => asAuthorization(operation, secret, set)),
    ...keys.flatMap((key) => keyInEveryPosition(operation, key, asCaller, set)),
    ...others.flatMap((secret) => secretUnderKnownName(operation, secret, asCaller, set)),
    { request: baseRequest(operation, set, {}), allowedEchoes: [] },
  ])
}

/** Puts the secret in the Authorization header, in valid and invalid forms. */
function asAuthorization(operation: Operation, { text }: Canary, set: string): SecretRequest[] {
  const basic = Buffer.from(`${text}:`).toString('base64')
  const headers = [`Bearer ${text}`, `bearer ${text} ${text}`, text, `Token ${text}`, `Basic ${basic}`]
  return headers.map((authorization) => ({
    request: baseRequest(operation, set, { authorization }),
    allowedEchoes: [],
  }))
}

/** Puts the key in every position; keys are recognized anywhere. */
function keyInEveryPosition(operation: Operation, key: Canary, asCaller: AsCaller, set: string): SecretRequest[] {
  const inUrl: Placement[] = [
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
    ...inHeaders(operation, key, asCaller, set),
    ...[...inUrl, ...inBody].map((place) => ({ request: asCaller(place(operation, key.text)), allowedEchoes: [key] })),
  ]
}

/** Puts another secret only where its name identifies it as a secret. */
function secretUnderKnownName(operation: Operation, canary: Canary, asCaller: AsCaller, set: string): SecretRequest[] {
  const placements = SECRET_NAMES.flatMap((name) => [
    withQuery(name),
    withBody((text) => JSON.stringify({ sets: [set], [name]: text })),
  ])
  const session = { request: baseRequest(operation, set, { cookie: canary.text }), allowedEchoes: [] }
  return [
    session,
    ...placements.map((place) => ({ request: asCaller(place(operation, canary.text)), allowedEchoes: [canary] })),
  ]
}

function inHeaders(operation: Operation, { text }: Canary, asCaller: AsCaller, set: string): SecretRequest[] {
  return HEADERS.flatMap((name) => [
    { request: baseRequest(operation, set, { [name]: text }), allowedEchoes: [] },
    { request: asCaller(baseRequest(operation, set, { [name]: `x ${text}` })), allowedEchoes: [] },
  ])
}

function withQuery(name: string): Placement {
  return (operation, secret) => ({
    ...baseRequest(operation, '1', {}),
    target: `${targetOf(operation, '1')}?${name}=${encodeURIComponent(secret)}`,
  })
}

function withBody(buildBody: (secret: string) => string): Placement {
  return (operation, secret) => ({
    method: 'POST',
    target: targetOf(operation, '1'),
    headers: { 'content-type': 'application/json' },
    body: buildBody(secret),
  })
}

/** Returns a valid request for an operation, apart from the headers given. */
function baseRequest(operation: Operation, number: string, headers: Record<string, string>): ClientRequest {
  const target = targetOf(operation, number)
  if (operation.method === 'GET') return { method: 'GET', target, headers }
  const body = JSON.stringify({ sets: [number.slice(0, 60)] })
  return { method: operation.method, target, headers: { ...headers, 'content-type': 'application/json' }, body }
}

function targetOf({ path }: Operation, number: string): string {
  return `/api/v1${path.replace('{number}', number)}`
}

/** Returns requests to everything else the process serves, with a key in the URL, where users may put it by mistake. */
export function docsRequestsWith({ text }: Canary): ClientRequest[] {
  const paths = [
    '/',
    '/docs/',
    '/docs/reference',
    '/openapi.json',
    '/llms.txt',
    '/llms-full.txt',
    '/docs/changelog.xml',
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
