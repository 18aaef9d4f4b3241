import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, unprivileged, type LocalPostgres } from '../../../src/db/local-postgres.ts'
import type { ProofContext } from '../proof.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const NOBODY = 65_534

export type OpsResult = { ok: boolean; output: string; seconds: number }

/** A Debian PostgreSQL with a place for its backups, and the operator's commands of the service under proof. */
export class Site {
  readonly folder: string
  readonly server: LocalPostgres
  readonly #context: Pick<ProofContext, 'root' | 'stopAtEnd'>

  private constructor(folder: string, server: LocalPostgres, context: Pick<ProofContext, 'root' | 'stopAtEnd'>) {
    this.folder = folder
    this.server = server
    this.#context = context
  }

  static async open(context: Pick<ProofContext, 'root' | 'stopAtEnd'>): Promise<Site> {
    const folder = await mkdtemp(join(tmpdir(), 'brickmark-restore-'))
    context.stopAtEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
    if (process.getuid?.() === 0) await chown(folder, NOBODY, NOBODY)
    const server = await startPostgres(join(folder, 'server'), { bin: BIN, settings: { max_connections: '100' } })
    context.stopAtEnd(() => server.stop(), server.process.pid)
    return new Site(folder, server, context)
  }

  get store(): string {
    return join(this.folder, 'store')
  }

  /** Runs an ops command to its end. */
  ops(...args: string[]): Promise<OpsResult> {
    const started = performance.now()
    const [command, all] = this.#command(args)
    return new Promise((resolve) => {
      execFile(command, all, { env: this.#env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
        resolve({ ok: error === null, output: stdout + stderr, seconds: (performance.now() - started) / 1000 }),
      )
    })
  }

  /** `ops archive`, until the function returned is called. */
  startArchiving(): () => Promise<void> {
    const [command, all] = this.#command(['archive', this.store])
    const child = spawn(command, all, { env: this.#env, stdio: 'ignore', detached: true })
    const stop = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    }
    this.#context.stopAtEnd(stop, child.pid)
    return stop
  }

  /** The server dies with its disk. */
  async lose(): Promise<void> {
    const gone = once(this.server.process, 'exit')
    this.server.process.kill('SIGKILL')
    await gone
    await rm(join(this.folder, 'server'), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  /** Starts what was restored into `name`. */
  async start(name: string): Promise<LocalPostgres> {
    const server = await startPostgres(join(this.folder, name), { bin: BIN })
    this.#context.stopAtEnd(() => server.stop(), server.process.pid)
    return server
  }

  #command(args: string[]): [string, string[]] {
    return unprivileged(process.execPath, [join(this.#context.root, 'src/bin/ops.ts'), ...args])
  }

  get #env(): Record<string, string | undefined> {
    return { PATH: process.env['PATH'], DATABASE_URL: this.server.url }
  }
}
