import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, asUnprivileged, type LocalPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import type { ScenarioContext } from '../scenario.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const NOBODY = 65_534

export type OpsResult = { ok: boolean; output: string; seconds: number }

/** As on Debian, the configuration of a cluster is outside its data directory and therefore not part of a backup. */
function configDir(folder: string): string {
  return join(folder, 'etc')
}

function configPaths(folder: string): Record<string, string> {
  return { config_file: join(configDir(folder), 'postgresql.conf'), hba_file: join(configDir(folder), 'pg_hba.conf') }
}

async function moveConfig(data: string, etc: string): Promise<void> {
  await mkdir(etc)
  for (const file of ['postgresql.conf', 'pg_hba.conf', 'pg_ident.conf'])
    await rename(join(data, file), join(etc, file))
}

/** A Debian PostgreSQL with a backup store, and the ops commands of the code under test. */
export class BackupHost {
  readonly folder: string
  readonly server: LocalPostgres
  readonly #context: Pick<ScenarioContext, 'root' | 'onTeardown'>

  private constructor(folder: string, server: LocalPostgres, context: Pick<ScenarioContext, 'root' | 'onTeardown'>) {
    this.folder = folder
    this.server = server
    this.#context = context
  }

  static async open(context: Pick<ScenarioContext, 'root' | 'onTeardown'>): Promise<BackupHost> {
    const folder = await mkdtemp(join(tmpdir(), 'brickmark-restore-'))
    context.onTeardown(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
    if (process.getuid?.() === 0) await chown(folder, NOBODY, NOBODY)
    const first = await startPostgres(join(folder, 'server'), { binDir: BIN })
    await first.stop()
    await moveConfig(join(folder, 'server/data'), configDir(folder))
    const settings = { ...configPaths(folder), max_connections: '100' }
    const server = await startPostgres(join(folder, 'server'), { binDir: BIN, settings })
    context.onTeardown(() => server.stop(), server.process.pid)
    return new BackupHost(folder, server, context)
  }

  get store(): string {
    return join(this.folder, 'store')
  }

  /** Runs an ops command to completion. */
  ops(...args: string[]): Promise<OpsResult> {
    const started = performance.now()
    const [command, commandArgs] = this.#command(args)
    return new Promise((resolve) => {
      execFile(command, commandArgs, { env: this.#env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
        resolve({ ok: error === null, output: stdout + stderr, seconds: (performance.now() - started) / 1000 }),
      )
    })
  }

  /** Runs `ops archive` until the returned function is called. */
  startArchiving(): () => Promise<void> {
    const [command, commandArgs] = this.#command(['archive', this.store])
    const child = spawn(command, commandArgs, { env: this.#env, stdio: 'ignore', detached: true })
    const stop = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    }
    this.#context.onTeardown(stop, child.pid)
    return stop
  }

  /** Kills the server and deletes its disk. */
  async destroyServer(): Promise<void> {
    const exited = once(this.server.process, 'exit')
    this.server.process.kill('SIGKILL')
    await exited
    await rm(join(this.folder, 'server'), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  /** Starts the server restored into `name`. */
  async start(name: string): Promise<LocalPostgres> {
    const server = await startPostgres(join(this.folder, name), { binDir: BIN, settings: configPaths(this.folder) })
    this.#context.onTeardown(() => server.stop(), server.process.pid)
    return server
  }

  #command(args: string[]): [string, string[]] {
    return asUnprivileged(process.execPath, [join(this.#context.root, 'apps/ops/main.ts'), ...args])
  }

  get #env(): Record<string, string | undefined> {
    return { PATH: process.env['PATH'], DATABASE_URL: this.server.url }
  }
}
