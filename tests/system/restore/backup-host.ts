import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, unprivileged, type LocalPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import type { ProofContext } from '../scenario.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const NOBODY = 65_534

export type OpsResult = { ok: boolean; output: string; seconds: number }

/** As Debian has it: the settings of a cluster are not where its data is, so no backup has them. */
function etcIn(folder: string): string {
  return join(folder, 'etc')
}

function settingsIn(folder: string): Record<string, string> {
  return { config_file: join(etcIn(folder), 'postgresql.conf'), hba_file: join(etcIn(folder), 'pg_hba.conf') }
}

async function moveSettings(data: string, etc: string): Promise<void> {
  await mkdir(etc)
  for (const file of ['postgresql.conf', 'pg_hba.conf', 'pg_ident.conf'])
    await rename(join(data, file), join(etc, file))
}

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
    const first = await startPostgres(join(folder, 'server'), { bin: BIN })
    await first.stop()
    await moveSettings(join(folder, 'server/data'), etcIn(folder))
    const settings = { ...settingsIn(folder), max_connections: '100' }
    const server = await startPostgres(join(folder, 'server'), { bin: BIN, settings })
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
    const server = await startPostgres(join(this.folder, name), { bin: BIN, settings: settingsIn(this.folder) })
    this.#context.stopAtEnd(() => server.stop(), server.process.pid)
    return server
  }

  #command(args: string[]): [string, string[]] {
    return unprivileged(process.execPath, [join(this.#context.root, 'apps/ops/main.ts'), ...args])
  }

  get #env(): Record<string, string | undefined> {
    return { PATH: process.env['PATH'], DATABASE_URL: this.server.url }
  }
}
