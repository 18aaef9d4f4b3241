import { setTimeout as sleep } from 'node:timers/promises'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { chown, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import type { ScenarioContext } from '../../harness/scenario.ts'

const PACKAGES = ['postgresql-15', 'patroni', 'python3-etcd', 'etcd-server']
const PROGRAMS = ['/usr/lib/postgresql/15/bin/postgres', '/usr/bin/patroni', '/usr/bin/etcd']
const PASSWORD = 'system-test'

/** A PostgreSQL server and its Patroni, standing in for one machine. */
export type PatroniNode = { name: string; port: number; restPort: number; data: string; env: Record<string, string> }

/** Two machines and one etcd on loopback, configured from the files in deploy/ha. */
export class Cluster {
  readonly machines: PatroniNode[] = []
  readonly #folder: string
  readonly #running = new Map<string, ChildProcess>()

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Resolves when the first machine is the primary and the second its synchronous standby. */
  static async start(
    deploy: string,
    { log, onTeardown }: Pick<ScenarioContext, 'log' | 'onTeardown'>,
  ): Promise<Cluster> {
    installPackages(log)
    const folder = await mkdtemp(join(tmpdir(), 'brickmark-ha-'))
    onTeardown(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
    const { uid, gid } = postgresUser()
    // The user postgres may be unable to read the checkout.
    await cp(join(deploy, 'patroni.yml'), join(folder, 'patroni.yml'))
    await chown(folder, uid, gid)
    const cluster = new Cluster(folder)
    onTeardown(() => cluster.#stop())
    const etcd = await cluster.#startEtcd(join(deploy, 'etcd.env.example'))
    for (const name of ['n1', 'n2']) cluster.machines.push(await cluster.#machine(name, etcd))
    await cluster.startMachine(cluster.machines[0]!)
    await cluster.until('the first machine becomes primary', () => cluster.hasRole(cluster.machines[0]!, 'primary'))
    await cluster.startMachine(cluster.machines[1]!)
    await cluster.until('the second machine becomes its synchronous standby', () =>
      cluster.hasRole(cluster.machines[1]!, 'sync'),
    )
    return cluster
  }

  /** Connection URL that lists every machine, as the service receives it. */
  get url(): string {
    return `postgres://postgres:${PASSWORD}@${this.machines.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`
  }

  urlOf({ port }: PatroniNode): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`
  }

  async startMachine({ name, env }: PatroniNode): Promise<void> {
    await this.#spawn(name, '/usr/bin/patroni', [join(this.#folder, 'patroni.yml')], env)
  }

  /** Queries a machine's Patroni for its role: `primary`, `replica`, or `sync` for the synchronous standby. */
  async hasRole({ restPort }: PatroniNode, role: 'primary' | 'replica' | 'sync'): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${restPort}/${role}`, { signal: AbortSignal.timeout(1000) }).catch(
      () => undefined,
    )
    await response?.text().catch(() => {})
    return response?.status === 200
  }

  async until(condition: string, holds: () => Promise<boolean>, seconds = 90): Promise<void> {
    for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline;) {
      if (await holds().catch(() => false)) return
      await sleep(100)
    }
    throw new Error(`Timed out after ${seconds} s waiting until ${condition}.\n${await this.#tailLogs()}`)
  }

  /**
   * Simulates a power loss. Patroni is suspended first, then replication to the standby, because on a single computer
   * the kernel would still deliver what a dead machine couldn't send. Shortly afterwards, everything on the machine is
   * killed. Returns the time of the kill.
   */
  async kill(node: PatroniNode): Promise<number> {
    const patroni = this.#running.get(node.name)!
    patroni.kill('SIGSTOP')
    const postmaster = Number((await readFile(join(node.data, 'postmaster.pid'), 'utf8')).split('\n')[0])
    await pauseReplication(this.urlOf(node))
    await sleep(PARTITION_MS)
    for (const pid of [postmaster, ...childrenOf(postmaster)]) killQuietly(pid)
    const killedAt = performance.now()
    const exited = once(patroni, 'exit')
    patroni.kill('SIGKILL')
    await exited
    this.#running.delete(node.name)
    return killedAt
  }

  async #machine(name: string, etcd: string): Promise<PatroniNode> {
    const [port, restPort] = [await freePort(), await freePort()]
    const data = join(this.#folder, name)
    const env = {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: data,
      PATRONI_POSTGRESQL_PGPASS: `${data}.pgpass`,
      PATRONI_ETCD_HOSTS: etcd,
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
      PATRONI_REWIND_USERNAME: 'rewinder',
      PATRONI_REWIND_PASSWORD: PASSWORD,
    }
    return { name, port, restPort, data, env }
  }

  /** One etcd member is enough for a test; settings that don't depend on the machine come from the example. */
  async #startEtcd(example: string): Promise<string> {
    const [client, peer] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
    const env = {
      ...settingsIn(await readFile(example, 'utf8')),
      ETCD_DATA_DIR: join(this.#folder, 'etcd'),
      ETCD_LISTEN_CLIENT_URLS: `http://${client}`,
      ETCD_ADVERTISE_CLIENT_URLS: `http://${client}`,
      ETCD_LISTEN_PEER_URLS: `http://${peer}`,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${peer}`,
      ETCD_INITIAL_CLUSTER: `e1=http://${peer}`,
    }
    await this.#spawn('etcd', '/usr/bin/etcd', [], env)
    await this.until('etcd responds', async () => (await fetch(`http://${client}/health`)).ok)
    return client
  }

  async #spawn(name: string, command: string, args: string[], env: Record<string, string>): Promise<void> {
    const log = openSync(join(this.#folder, `${name}.log`), 'a')
    const asPostgres = ['--reuid=postgres', '--regid=postgres', '--init-groups', command, ...args]
    await mkdir('/var/run/postgresql', { recursive: true, mode: 0o777 })
    const child = spawn('setpriv', asPostgres, {
      stdio: ['ignore', log, log],
      detached: true,
      cwd: this.#folder,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    })
    this.#running.set(name, child)
  }

  /** Stops the standby first, so that the primary doesn't look for another one; etcd last. */
  async #stop(): Promise<void> {
    for (const [name, child] of [...this.#running].toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await exited
      clearTimeout(timer)
      this.#running.delete(name)
    }
  }

  async #tailLogs(): Promise<string> {
    const logs = await Promise.all(
      [...this.#running.keys()].map((name) => readFile(join(this.#folder, `${name}.log`), 'utf8').catch(() => '')),
    )
    return logs.map((log) => log.split('\n').slice(-12).join('\n')).join('\n--\n')
  }
}

const PARTITION_MS = 100

function installPackages(log: (text: string) => void): void {
  if (PROGRAMS.every((program) => existsSync(program))) return
  log(`installing ${PACKAGES.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES], { stdio: 'ignore', env })
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Suspends the WAL senders that feed the standby. */
async function pauseReplication(url: string): Promise<void> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_replication')
  await client.end()
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
}

function childrenOf(pid: number): number[] {
  const output = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).trim()
  return output === '' ? [] : output.split(/\s+/).map(Number)
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already exited.
  }
}

function settingsIn(file: string): Record<string, string> {
  const lines = file.split('\n').filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
