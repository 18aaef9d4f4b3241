import { setTimeout as sleep } from 'node:timers/promises'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startPostgres, type LocalPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import { registerCleanup } from '../../support/cleanup.ts'

// Recovery then starts with a single sync of the file system instead of one per file: 0.8 s instead of 5 to 18 s on a
// busy disk.
const SETTINGS = { max_connections: '200', recovery_init_sync_method: 'syncfs' }
const START_TIMEOUT_MS = 20_000

/** A durable PostgreSQL server owned by one scenario, which may kill and restart it. */
export class DedicatedPostgres {
  readonly url: string
  readonly #directory: string
  readonly #port: number
  readonly #logLines: string[] = []
  #running: LocalPostgres | undefined
  #stop = async () => {}
  #paused: number[] = []

  private constructor(directory: string, port: number) {
    this.#directory = directory
    this.#port = port
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`
  }

  static async create(): Promise<DedicatedPostgres> {
    const directory = await mkdtemp(join(tmpdir(), 'brickmark-system-test-'))
    // A server that was just stopped may still be removing files.
    registerCleanup(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
    const server = new DedicatedPostgres(directory, await freePort())
    await server.start()
    return server
  }

  /** Starts the server on the same port with the same data. `env` may set a different clock. */
  async start(env: Record<string, string> = {}): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS
    while (this.#running === undefined) {
      try {
        const options = { port: this.#port, settings: SETTINGS, env }
        const running = await startPostgres(this.#directory, options)
        this.#running = running
        this.#stop = registerCleanup(() => this.#end(running), running.process.pid)
        running.process.stderr?.on('data', (chunk: Buffer) => this.#logLines.push(chunk.toString()))
      } catch (error) {
        // Backends of a killed server keep its shared memory until they notice.
        if (Date.now() > deadline) throw error
        await sleep(50)
      }
    }
  }

  /** Stops the server cleanly, flushing committed data. */
  async stop(): Promise<void> {
    await this.#stop()
    this.#running = undefined
  }

  /** Returns everything the server has logged since it became ready. */
  log(): string {
    return this.#logLines.join('')
  }

  /** Sends SIGSTOP to the server and all its backends: connections stay open but nothing responds. */
  async pause(): Promise<void> {
    const { pid } = this.#running!.process
    // The postmaster first, so that it starts no further backends.
    this.#sigstop([pid!])
    this.#sigstop(await childrenOf(pid!))
  }

  /** Sends SIGCONT. */
  resume(): void {
    for (const pid of this.#paused.splice(0)) signalQuietly(pid, 'SIGCONT')
  }

  #sigstop(pids: number[]): void {
    this.#paused.push(...pids)
    for (const pid of pids) signalQuietly(pid, 'SIGSTOP')
  }

  /** A suspended server would never stop, so it is resumed first. */
  #end(runningPostgres: LocalPostgres): Promise<void> {
    this.resume()
    return runningPostgres.stop()
  }

  /** Sends SIGKILL: everything that was only in memory is lost. */
  async kill(): Promise<void> {
    const child = this.#running?.process
    if (child === undefined) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    await this.stop()
  }
}

/** Finds child processes by parent PID, because backends form their own process groups. */
async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(pids.map(async (pid) => [Number(pid), await parentOf(pid)] as const))
  return parents.flatMap(([pid, ppid]) => (ppid === parent ? [pid] : []))
}

async function parentOf(pid: string): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const found = /^PPid:\s+(\d+)/m.exec(status)
  return found ? Number(found[1]) : undefined
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Already exited.
  }
}
