import { setTimeout as sleep } from 'node:timers/promises'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { API_NODE_FLAGS } from '@brickmark/api/node-flags'

/** An API process started for a system test. */
export type ApiNode = {
  origin: string
  port: number
  pid: number | undefined
  /** All output so far. */
  log(): string
  isRunning(): boolean
  /** Resolves when it is ready; rejects with its log if it exits instead. */
  waitUntilReady(): Promise<void>
  /** Sends SIGTERM; resolves to false if it had to be killed. */
  stop(): Promise<boolean>
  /** Sends SIGKILL. */
  kill(): Promise<unknown>
}

type NodeOptions = { port?: number; flags?: string[] }

/** Starts the API from `root` as in production, by default on a free port. */
export async function startApiNode(
  root: string,
  env: Record<string, string>,
  { port: fixedPort, flags = API_NODE_FLAGS }: NodeOptions = {},
): Promise<ApiNode> {
  const port = fixedPort ?? (await freePort())
  const child = spawn(process.execPath, [...flags, join(root, 'apps/api/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Own process group, so that Ctrl-C reaches the system test first, which stops it in order.
    detached: true,
    env: { PATH: process.env['PATH'], PORT: String(port), LOG_LEVEL: 'debug', DRAIN_MS: '0', ...env },
  })
  const logLines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => logLines.push(chunk.toString()))
  const origin = `http://127.0.0.1:${port}`
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    origin,
    port,
    pid: child.pid,
    log: () => logLines.join(''),
    isRunning,
    async waitUntilReady() {
      for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
        if (!isRunning()) throw new Error(`The api process exited: ${logLines.join('')}`)
        const response = await fetch(`${origin}/readyz`).catch(() => undefined)
        await response?.text()
        if (response?.ok) return
        await sleep(50)
      }
      throw new Error(`The api process was not ready within 30 s: ${logLines.join('')}`)
    },
    stop: () => terminate(child, 'SIGTERM'),
    kill: () => terminate(child, 'SIGKILL'),
  }
}

/** Returns how many nodes serve a catalog that may be behind the database. */
export async function countStaleNodes(nodes: ApiNode[]): Promise<number> {
  const responses = await Promise.all(nodes.map((node) => fetch(`${node.origin}/readyz`)))
  const bodies = await Promise.all(responses.map((response) => response.json() as Promise<{ catalog?: string }>))
  return bodies.filter((body) => body.catalog !== 'fresh').length
}

const STOP_TIMEOUT_MS = 5000

async function terminate(child: ChildProcess, signal: NodeJS.Signals): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true
  const exited = once(child, 'exit')
  child.kill(signal)
  const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await exited
  clearTimeout(killTimer)
  return child.signalCode === null
}
