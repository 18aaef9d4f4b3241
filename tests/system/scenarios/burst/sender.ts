import { once } from 'node:events'
import { RawConnectionPool, type StatusResult } from '../../harness/raw-connections.ts'

/** Where to send how many requests, all at once. */
export type BurstOrder = { port: number; path: string; key: string; requests: number }

export type BurstResult = { ms: number; results: StatusResult[] }

// A process of its own: sending a thousand requests must not delay the clock of the other keys' requests. The first
// message opens the connections, the second one sends the requests.
const [{ port, path, key, requests }] = (await once(process, 'message')) as [BurstOrder]
const connections = await RawConnectionPool.open(port, requests)
process.send!('ready')
await once(process, 'message')
const started = performance.now()
const headers = { authorization: `Bearer ${key}` }
const results = await Promise.all(Array.from({ length: requests }, () => connections.get(path, headers)))
process.send!({ ms: performance.now() - started, results } satisfies BurstResult)
connections.close()
process.disconnect()
