import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { registerCleanup } from '../../../support/cleanup.ts'

/** A worker process started by a scenario. */
export type WorkerNode = {
  pid: number
  log(): string
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Sends SIGTERM, and SIGKILL if the worker doesn't exit in time. */
  stop(): Promise<void>
}

const STOP_TIMEOUT_MS = 10_000

/** Starts the worker of the code in `root` as in production and waits until it is working. */
export async function startWorkerNode(
  root: string,
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<WorkerNode> {
  const child = spawn(process.execPath, [join(root, 'apps/worker/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'debug', DATABASE_URL: databaseUrl, ...env },
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  const exited = once(child, 'exit')
  const terminate = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exited
    clearTimeout(timer)
  }
  const stop = registerCleanup(() => terminate('SIGTERM'), child.pid)
  for (const deadline = Date.now() + 30_000; !output.join('').includes('"worker started"');) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The worker didn’t start: ${output.join('')}`)
    await sleep(20)
  }
  return {
    pid: child.pid!,
    log: () => output.join(''),
    async kill() {
      await terminate('SIGKILL')
      await stop()
    },
    stop,
  }
}
