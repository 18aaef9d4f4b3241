import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { registerCleanup } from '../../support/cleanup.ts'

/** One worker process that was started for a proof. */
export type WorkerNode = {
  log(): string
  /** SIGKILL. */
  kill(): Promise<void>
  /** SIGTERM, and SIGKILL to one that does not heed it. */
  stop(): Promise<void>
}

const PATIENCE_MS = 10_000

/** Starts the worker of the service in `root`, as it runs in production, and waits until it works. */
export async function startWorkerNode(root: string, databaseUrl: string): Promise<WorkerNode> {
  const child = spawn(process.execPath, [join(root, 'apps/worker/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'debug', DATABASE_URL: databaseUrl },
  })
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  const gone = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    await gone
    clearTimeout(late)
  }
  const stop = registerCleanup(() => end('SIGTERM'), child.pid)
  for (const deadline = Date.now() + 30_000; !written.join('').includes('"worker started"');) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`A worker did not begin: ${written.join('')}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    log: () => written.join(''),
    async kill() {
      await end('SIGKILL')
      await stop()
    },
    stop,
  }
}
