import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerCleanup } from '../../../support/cleanup.ts'

const PACKAGES = ['podman', 'runc', 'debootstrap', 'netavark', 'aardvark-dns', 'catatonit']
const PROGRAMS = ['/usr/bin/podman', '/usr/sbin/runc', '/usr/sbin/debootstrap', '/usr/bin/catatonit']

// Containers share the host's network, which needs no kernel features that a nested container may lack. crun, podman's
// default runtime, fails where cgroups v1 and v2 are both mounted.
const SETTINGS = `
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
netns = "host"
log_driver = "k8s-file"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`

export type CommandResult = { code: number; stdout: string; stderr: string }

/**
 * Podman with its images and containers in a temporary folder, so that removing the folder leaves nothing behind. A
 * folder named by CONTAINERS_FOLDER is kept and saves the next run most of its time.
 */
export class Podman {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async open(log: (text: string) => void): Promise<Podman> {
    installMissing(log)
    const persistentDir = process.env['CONTAINERS_FOLDER']
    const folder = persistentDir ?? (await mkdtemp(join(tmpdir(), 'brickmark-containers-')))
    const podman = new Podman(folder)
    registerCleanup(() => (persistentDir === undefined ? podman.#remove() : podman.removeContainers()))
    await mkdir(join(folder, 'tmp'), { recursive: true })
    await writeFile(join(folder, 'containers.conf'), SETTINGS)
    return podman
  }

  /** Runs a command and returns its result, whatever its exit code. Kills it after `seconds`. */
  tryRun(args: string[], seconds = 60): Promise<CommandResult> {
    const storage = ['--root', join(this.folder, 'storage'), '--runroot', join(this.folder, 'run')]
    const env = {
      ...process.env,
      CONTAINERS_CONF: join(this.folder, 'containers.conf'),
      TMPDIR: join(this.folder, 'tmp'),
    }
    const options = { env, timeout: seconds * 1000, maxBuffer: 1e8, killSignal: 'SIGKILL' as const }
    return new Promise((resolve) => {
      execFile('podman', [...storage, ...args], options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout: stdout.trim(), stderr: stderr.trim() })
      })
    })
  }

  /** Runs a command that must succeed and returns its output. */
  async run(args: string[], seconds = 60): Promise<string> {
    const { code, stdout, stderr } = await this.tryRun(args, seconds)
    if (code === 0) return stdout
    const output = `${stderr}\n${stdout}`.split('\n').slice(-30).join('\n')
    throw new Error(`podman ${args.slice(0, 3).join(' ')} … exited with ${code}:\n${output}`)
  }

  async removeContainers(): Promise<void> {
    await this.tryRun(['pod', 'rm', '--all', '--force', '--time', '1'])
    await this.tryRun(['rm', '--all', '--force', '--time', '1'])
  }

  async #remove(): Promise<void> {
    await this.removeContainers()
    await this.tryRun(['image', 'umount', '--all', '--force'])
    // Podman's own way to undo its mounts; only then can the folder be removed.
    await this.tryRun(['system', 'reset', '--force'], 120)
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

function installMissing(log: (text: string) => void): void {
  if (PROGRAMS.every((program) => existsSync(program))) return
  log(`installing ${PACKAGES.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES], { stdio: 'ignore', env })
}
