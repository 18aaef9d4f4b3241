import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { API_NODE_FLAGS } from '@brickmark/api/node-flags'
import { startApiNode } from '../support/api-node.ts'
import { PEPPER } from '../support/fixtures.ts'
import { REPOSITORY } from '../support/paths.ts'

/** A benchmarked server: its origin, and the PID its CPU time is attributed to. */
export type BenchServer = {
  name: string
  origin: string
  pid: number
  /** Bytes that the garbage collector has promoted to the old generation so far. */
  promotedBytes(): number
  stop(): Promise<void>
}

/** Makes V8 print a line per garbage collection, which includes `promoted=BYTES`. */
const TRACE_GC = '--trace-gc-nvp'

function sumPromotedBytes(log: string): number {
  return [...log.matchAll(/ promoted=(\d+)/g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
}

/** Starts our API as in production. */
export async function startApiUnderTest(databaseUrl: string, root = REPOSITORY): Promise<BenchServer> {
  const env = { LOG_LEVEL: 'info', DATABASE_URL: databaseUrl, API_KEY_PEPPERS: PEPPER }
  const node = await startApiNode(root, env, { flags: [...API_NODE_FLAGS, TRACE_GC] })
  const participant = {
    name: 'ours',
    origin: node.origin,
    pid: node.pid!,
    promotedBytes: () => sumPromotedBytes(node.log()),
    stop: async () => void (await node.stop()),
  }
  await waitUntilReady(participant, `${node.origin}/readyz`)
  return participant
}

/** Starts one of the servers in `servers/`, with the same heap limits as our API. */
export async function startBaseline(name: string, file: string, env: Record<string, string>): Promise<BenchServer> {
  const port = await freePort()
  const script = join(fileURLToPath(import.meta.url), '../servers', file)
  const child = spawn(process.execPath, [...API_NODE_FLAGS, TRACE_GC, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
  })
  const lines: string[] = []
  child.stdout.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
  const origin = `http://127.0.0.1:${port}`
  const stop = async () => {
    const gone = once(child, 'exit')
    child.kill()
    await gone
  }
  const promotedBytes = () => sumPromotedBytes(lines.join(''))
  const participant = { name, origin, pid: child.pid!, promotedBytes, stop }
  await waitUntilReady(participant, `${origin}/readyz`)
  return participant
}

/** Waits for a 200, and stops the server on timeout. On a busy machine, loading the full catalog may take minutes. */
async function waitUntilReady(server: BenchServer, url: string): Promise<void> {
  for (const deadline = Date.now() + 180_000; Date.now() < deadline; await sleep(100)) {
    const response = await fetch(url).catch(() => undefined)
    await response?.text()
    if (response?.ok) return
  }
  await server.stop()
  throw new Error(`${server.name} was not ready within 3 minutes`)
}
