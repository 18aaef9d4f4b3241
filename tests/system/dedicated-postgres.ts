import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startPostgres, type LocalPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import { registerCleanup } from '../support/cleanup.ts'

// Recovery then begins with one sync of the file system, not with one of every file: 0.8 s instead of 5 to 18 s on a busy disk.
const SETTINGS = { max_connections: '200', recovery_init_sync_method: 'syncfs' }
const START_TIMEOUT_MS = 20_000

/** A PostgreSQL of the proof's own, which keeps what it commits. The proof may kill it and start it again. */
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
    const directory = await mkdtemp(join(tmpdir(), 'brickmark-prove-'))
    // A server that was just stopped may still be tidying up.
    registerCleanup(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
    const server = new DedicatedPostgres(directory, await freePort())
    await server.start()
    return server
  }

  /** On the same port with the same data. `env` may give it another clock. */
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
        // Sessions of a killed server hold its memory until they notice.
        if (Date.now() > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }

  /** In order: what was committed is flushed. */
  async stop(): Promise<void> {
    await this.#stop()
    this.#running = undefined
  }

  /** Everything it has written to its log since it was ready. */
  log(): string {
    return this.#logLines.join('')
  }

  /** SIGSTOP, of the server and all its sessions: connections stay open, and nobody answers. */
  async pause(): Promise<void> {
    const { pid } = this.#running!.process
    // The one that makes sessions first: then none is added.
    this.#sigstop([pid!])
    this.#sigstop(await childrenOf(pid!))
  }

  /** SIGCONT. */
  resume(): void {
    for (const pid of this.#paused.splice(0)) signalQuietly(pid, 'SIGCONT')
  }

  #sigstop(pids: number[]): void {
    this.#paused.push(...pids)
    for (const pid of pids) signalQuietly(pid, 'SIGSTOP')
  }

  /** One that stands still would never end. */
  #end(running: LocalPostgres): Promise<void> {
    this.resume()
    return running.stop()
  }

  /** SIGKILL: what was only in its memory is lost. */
  async kill(): Promise<void> {
    const child = this.#running?.process
    if (child === undefined) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    await this.stop()
  }
}

/** Sessions put themselves into groups of their own, so they must be looked for. */
async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(pids.map(async (pid) => [Number(pid), await parentOf(pid)] as const))
  return parents.flatMap(([pid, of]) => (of === parent ? [pid] : []))
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
    // It is gone already.
  }
}
