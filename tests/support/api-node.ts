import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { API_NODE_FLAGS } from '@brickmark/api/node-flags'

/** One api process that was started for a proof. */
export type ApiNode = {
  origin: string
  port: number
  pid: number | undefined
  /** Everything it has written so far. */
  log(): string
  isRunning(): boolean
  /** Resolves when it serves; throws its log when it ended instead. */
  waitUntilReady(): Promise<void>
  /** SIGTERM; false when it had to be killed in the end. */
  stop(): Promise<boolean>
  /** SIGKILL. */
  kill(): Promise<unknown>
}

/** Starts the api of the service in `root`, as it runs in production, on a free port unless one is given. */
export async function startApiNode(root: string, env: Record<string, string>, fixedPort?: number): Promise<ApiNode> {
  const port = fixedPort ?? (await freePort())
  const child = spawn(process.execPath, [...API_NODE_FLAGS, join(root, 'apps/api/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: Ctrl-C reaches the proof first, which stops it in order.
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
        if (!isRunning()) throw new Error(`An api process ended: ${logLines.join('')}`)
        const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
        await answer?.text()
        if (answer?.ok) return
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`An api process was not ready within 30 s: ${logLines.join('')}`)
    },
    stop: () => terminate(child, 'SIGTERM'),
    kill: () => terminate(child, 'SIGKILL'),
  }
}

/** How many of them serve a catalog that may be behind the database. */
export async function countStaleNodes(nodes: ApiNode[]): Promise<number> {
  const answers = await Promise.all(nodes.map((node) => fetch(`${node.origin}/readyz`)))
  const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<{ catalog?: string }>))
  return bodies.filter((body) => body.catalog !== 'fresh').length
}

const STOP_TIMEOUT_MS = 5000

async function terminate(child: ChildProcess, signal: NodeJS.Signals): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true
  const gone = once(child, 'exit')
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await gone
  clearTimeout(late)
  return child.signalCode === null
}
