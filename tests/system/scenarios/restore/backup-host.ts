import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  asUnprivileged,
  freePort,
  startPostgres,
  type LocalPostgres,
} from '@brickmark/tools/local-postgres/local-postgres'
import type { ScenarioContext } from '../../harness/scenario.ts'

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

/**
 * A Debian PostgreSQL that is backed up by pgBackRest with the configuration of deploy/backup, and the ops commands of the
 * code under test.
 */
export class BackupHost {
  readonly folder: string
  readonly postgres: LocalPostgres
  readonly #context: Pick<ScenarioContext, 'root' | 'onTeardown'>

  private constructor(folder: string, postgres: LocalPostgres, context: Pick<ScenarioContext, 'root' | 'onTeardown'>) {
    this.folder = folder
    this.postgres = postgres
    this.#context = context
  }

  static async open(context: Pick<ScenarioContext, 'root' | 'onTeardown'>): Promise<BackupHost> {
    const folder = await mkdtemp(join(tmpdir(), 'brickmark-restore-'))
    context.onTeardown(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
    if (process.getuid?.() === 0) await chown(folder, NOBODY, NOBODY)
    const first = await startPostgres(join(folder, 'server'), { binDir: BIN })
    await first.stop()
    await moveConfig(join(folder, 'server/data'), configDir(folder))
    const port = await freePort()
    await writeBackRestConfig(context.root, folder, port)
    const settings = {
      ...configPaths(folder),
      ...(await archiveSettings(context.root)),
      max_connections: '100',
      unix_socket_directories: folder,
    }
    const env = { PGBACKREST_CONFIG: backRestConfig(folder) }
    const server = await startPostgres(join(folder, 'server'), { binDir: BIN, settings, port, env })
    context.onTeardown(() => server.stop(), server.process.pid)
    const host = new BackupHost(folder, server, context)
    await host.pgbackrest('stanza-create')
    return host
  }

  get repository(): string {
    return join(this.folder, 'repository')
  }

  /** Runs pgBackRest to completion, or throws its output. */
  async pgbackrest(...args: string[]): Promise<OpsResult> {
    const result = await this.#run('pgbackrest', ['--stanza=brickmark', ...args])
    if (!result.ok) throw new Error(`pgbackrest ${args.join(' ')} failed: ${result.output}`)
    return result
  }

  /** Restores with the ops command of the code under test, from this repository or a copy of it. */
  restore(into: string, { time, repository }: { time?: string; repository?: string } = {}): Promise<OpsResult> {
    const args = ['restore', '--into', into, ...(time === undefined ? [] : ['--time', time])]
    const env = repository === undefined ? {} : { PGBACKREST_REPO1_PATH: repository }
    return this.#run(process.execPath, [join(this.#context.root, 'apps/ops/main.ts'), ...args], env)
  }

  /** Kills the server and deletes its disk. */
  async destroyServer(): Promise<void> {
    const exited = once(this.postgres.process, 'exit')
    this.postgres.process.kill('SIGKILL')
    await exited
    await rm(join(this.folder, 'server'), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  /** Starts the server restored into `name`; it is ready once the WAL is replayed. */
  async start(name: string): Promise<LocalPostgres> {
    const settings = { ...configPaths(this.folder), hot_standby: 'off' }
    const env = { PGBACKREST_CONFIG: backRestConfig(this.folder) }
    const server = await startPostgres(join(this.folder, name), { binDir: BIN, settings, env })
    this.#context.onTeardown(() => server.stop(), server.process.pid)
    return server
  }

  #run(command: string, args: string[], extraEnv: Record<string, string> = {}): Promise<OpsResult> {
    const started = performance.now()
    const env = { PATH: process.env['PATH'], PGBACKREST_CONFIG: backRestConfig(this.folder), ...extraEnv }
    return new Promise((resolve) => {
      execFile(...asUnprivileged(command, args), { env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
        resolve({ ok: error === null, output: stdout + stderr, seconds: (performance.now() - started) / 1000 }),
      )
    })
  }
}

function backRestConfig(folder: string): string {
  return join(folder, 'pgbackrest.conf')
}

/** The configuration of deploy/backup, with the paths of this test. */
async function writeBackRestConfig(root: string, folder: string, port: number): Promise<void> {
  const template = await readFile(join(root, 'deploy/backup/pgbackrest.conf'), 'utf8')
  const config = template
    .replace(/^repo1-path=.*$/m, `repo1-path=${join(folder, 'repository')}`)
    .replace(/^pg1-path=.*$/m, `pg1-path=${join(folder, 'server/data')}`)
    .replace('[brickmark]\n', `log-path=${folder}\nlock-path=${folder}\nspool-path=${folder}\n\n[brickmark]\n`)
  const connection = `pg1-port=${port}\npg1-socket-path=${folder}\npg1-user=postgres\n`
  await writeFile(backRestConfig(folder), config + connection)
}

async function archiveSettings(root: string): Promise<Record<string, string>> {
  const text = await readFile(join(root, 'deploy/backup/postgresql.conf'), 'utf8')
  return Object.fromEntries([...text.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name, value]) => [name!, value!]))
}
