import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildKey } from '@brickmark/core/account/api-key'
import { extensionRoutes, fileRoutes } from '@brickmark/api/routes/extensions/index'
import { EXTENSIONS_PREFIX } from '@brickmark/api/routes/extensions/prefix'
import { V1_PREFIX, routes } from '@brickmark/api/routes/index'
import { listPaths } from '../../../support/web-paths.ts'
import { Client, type ClientRequest, type ClientResult } from '../../../support/http-client.ts'

/** Where the processes listen, and what the attackers have: a key without a plan, one that has run out, a free account. */
export type Target = {
  ports: { api: number; web: number; docs: number }
  webHost: string
  freeKey: string
  spentKey: string
  freeCookie: string
  sets: string[]
}

/** What an attack saw: responses by status, the longest body, how many connections were open at its end, and how long it took. */
export type AttackReport = { statuses: Record<string, number>; longestBody: number; leftOpen: number; seconds: number }

export type Attack = { name: string; run(target: Target, seconds: number): Promise<AttackReport> }

/** Networks that attackers send from, each with as many addresses as they like. */
export const NETWORKS = 20
export const CONNECTIONS = 40
/** Node looks for headers that are late every 30 s; clients that read nothing are disconnected after 20 s. */
const CLOSED_AFTER_MS = 45_000

const network = (index: number) => (index % NETWORKS).toString(16)
const anyAddress = (index: number) => `2001:db8:${network(index)}:1:${randomBytes(2).toString('hex')}::1`
const from = (index: number) => ({ 'x-forwarded-for': anyAddress(index) })
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends requests at a rate, each the next of an endless list. */
function flood(
  name: string,
  process: keyof Target['ports'],
  rate: number,
  request: (index: number, target: Target) => ClientRequest,
): Attack {
  return {
    name,
    async run(target, seconds) {
      const client = new Client(target.ports[process], 20, { timeoutMs: 30_000 })
      const report: AttackReport = { statuses: {}, longestBody: 0, leftOpen: 0, seconds }
      const started = performance.now()
      const pending: Promise<void>[] = []
      for (let index = 0; index < rate * seconds; index++) {
        await sleep(Math.max(0, started + (index / rate) * 1000 - performance.now()))
        pending.push(count(client.request(request(index, target)), report))
      }
      await Promise.all(pending)
      client.close()
      return { ...report, seconds: (performance.now() - started) / 1000 }
    },
  }
}

async function count(result: Promise<ClientResult>, report: AttackReport): Promise<void> {
  const { response, error } = await result
  const status = String(response?.status ?? error)
  report.statuses[status] = (report.statuses[status] ?? 0) + 1
  report.longestBody = Math.max(report.longestBody, response?.text.length ?? 0)
}

/** Opens connections that take or give nothing, keeps them busy with single bytes, and counts those that are left. */
function hold(name: string, process: keyof Target['ports'], head: string, drip: string): Attack {
  return {
    name,
    async run({ ports }, seconds) {
      const sockets = Array.from({ length: CONNECTIONS }, () => connect(ports[process], '127.0.0.1'))
      for (const socket of sockets) socket.on('error', () => {}).pause()
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      for (const socket of sockets) socket.write(head)
      const until = performance.now() + Math.max(seconds * 1000, CLOSED_AFTER_MS)
      while (performance.now() < until) {
        await sleep(1000)
        for (const socket of sockets) if (!socket.destroyed) socket.write(drip)
      }
      const leftOpen = sockets.filter((socket: Socket) => !socket.destroyed).length
      for (const socket of sockets) socket.destroy()
      return { statuses: { connections: sockets.length }, longestBody: 0, leftOpen, seconds }
    },
  }
}

const manyFields = JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, 1])))
const longEmail = `${Array.from({ length: 8000 }, (_, index) => `word${index}`)
  .join('.')
  .slice(0, 50_000)}@example.com`
const WEB_PATHS = listPaths()
const PARAMETERS = ['%00', 'x'.repeat(3000), '%zz', '90001-1', '1', '1e309']

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)]!

/** Each web route in turn, with parameters and a query that no page links to. */
function webPath(index: number): string {
  const parameter = pick(PARAMETERS)
  const path = WEB_PATHS[index % WEB_PATHS.length]!.replaceAll(/:\w+|\*/g, parameter)
  return `${path}?from=${parameter}&page=${parameter}&sort=${parameter}&q=${parameter}`
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const post = (target: string, headers: Record<string, string>, body: string): ClientRequest => ({
  method: 'POST',
  target,
  headers,
  body,
})
const get = (target: string, headers: Record<string, string>): ClientRequest => ({ method: 'GET', target, headers })

const ENDPOINTS = [
  ...routes.map(({ method, path }) => ({ method, path: V1_PREFIX + path })),
  ...[...extensionRoutes, ...fileRoutes].map(({ method, path }) => ({ method, path: EXTENSIONS_PREFIX + path })),
]

/** Everything that costs more to answer than to ask, each at a rate that two cores can send. */
export const attacks: Attack[] = [
  hold(
    'readers of the docs who never read',
    'docs',
    'GET /docs/reference/scalar.js HTTP/1.1\r\nHost: docs\r\n\r\n',
    '\r\n',
  ),
  hold('headers that never end, to the API', 'api', 'GET /api/v1/catalog/themes HTTP/1.1\r\nx-a: ', 'a'),
  hold('headers that never end, to the web app', 'web', 'GET / HTTP/1.1\r\nx-a: ', 'a'),
  flood('downloads without compression', 'docs', 5, () =>
    get('/docs/reference/scalar.js', { 'accept-encoding': 'identity' }),
  ),
  flood('guessed keys', 'api', 150, (index) =>
    get('/api/v1/catalog/themes', { ...bearer(buildKey(randomBytes(20))), ...from(index) }),
  ),
  flood('bodies without a plan', 'api', 20, (index, { freeKey }) => ({
    ...post('/api/v1/catalog/batch', { ...bearer(freeKey), ...json }, manyFields),
    withholdsBody: index % 2 === 0,
  })),
  flood('bodies of a key that has run out', 'api', 20, (index, { spentKey }) =>
    post(
      '/api/v1/catalog/batch',
      { ...bearer(spentKey), ...json },
      [manyFields, String.raw`{"\u0000":1}`, String.raw`{"\ud800":1}`, '[]'][index % 4]!,
    ),
  ),
  flood('free reads of a key that has run out', 'api', 40, (_index, { spentKey }) =>
    get('/api/extensions/v1/usage', bearer(spentKey)),
  ),
  flood('every endpoint, too large, malformed or without a key', 'api', 30, (index, { freeKey }) => {
    const { path, method } = ENDPOINTS[index % ENDPOINTS.length]!
    const target = path.replace(/\{\w+\}/g, ['%00', 'x'.repeat(9000), '%zz', '90001-1'][index % 4]!)
    const headers = index % 3 === 0 ? from(index) : { ...bearer(freeKey), ...json }
    return method === 'POST' ? post(target, headers, 'x'.repeat(index % 2 === 0 ? 70_000 : 100)) : get(target, headers)
  }),
  flood('link previews', 'web', 20, (index, { sets, webHost }) =>
    get(`/pictures/sets/${sets[index % sets.length]}/preview.png`, { host: webHost, ...from(index % 2) }),
  ),
  flood('pictures', 'web', 20, (index, { sets, webHost }) =>
    get(`/pictures/sets/${sets[index % sets.length]}`, { host: webHost, ...from(index) }),
  ),
  flood('badges', 'web', 20, (index, { sets, webHost }) =>
    get(`/badges/sets/${sets[index % sets.length]}.svg`, { host: webHost, ...from(index) }),
  ),
  flood('pages of a free account', 'web', 20, (index, { sets, webHost, freeCookie }) =>
    get(`/set/${sets[index % sets.length]}`, { host: webHost, cookie: freeCookie }),
  ),
  flood('every page, for visitors', 'web', 4, (index, { webHost }) =>
    get(webPath(index), { host: webHost, ...from(index) }),
  ),
  flood('sign-ups with an enormous address', 'web', 2, (index, { webHost }) =>
    post(
      '/sign-up',
      { host: webHost, origin: `http://${webHost}`, ...form, ...from(index) },
      new URLSearchParams({ name: 'A', email: longEmail, password: 'correct horse battery staple' }).toString(),
    ),
  ),
  flood('guessed passwords', 'web', 0.5, (index, { webHost }) =>
    post(
      '/sign-in',
      { host: webHost, origin: `http://${webHost}`, ...form, ...from(index) },
      new URLSearchParams({ email: `person${index}@example.com`, password: 'guess' }).toString(),
    ),
  ),
  flood('every form, too large or malformed', 'web', 8, (index, { webHost, freeCookie }) => {
    const headers = { host: webHost, origin: `http://${webHost}`, ...from(index) }
    const type = pick(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json'])
    const path = webPath(index)
    // The session must last until the end.
    const session = path.startsWith('/sign-out') ? {} : pick([{}, { cookie: freeCookie }])
    const body = 'x'.repeat(pick([100, 70_000, 2_000_000]))
    return post(path, { ...headers, ...session, 'content-type': type }, body)
  }),
]
