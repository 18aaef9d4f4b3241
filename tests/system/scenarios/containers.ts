import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { Compose } from './containers/compose.ts'
import { generateSecrets, startDatabase } from './containers/database.ts'
import { buildImages, inspectImage, createBaseImages, type Image } from './containers/images.ts'
import { containerMutants } from './containers/mutants.ts'
import { playPod } from './containers/pods.ts'
import { Podman } from './containers/podman.ts'
import { inspectProcess, stopContainer, waitUntilOk, type StopResult, type Process } from './containers/process.ts'
import { REPOSITORY } from '../../support/paths.ts'
import { exactly, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'

const STOP_WITHIN_S = 10

/**
 * Runs the images of deploy/container as compose.yaml and the manifests define. Needs root on Debian 12; not part of
 * CI.
 */
export const containers = {
  name: 'containers',
  summary: 'builds the images of deploy/ on a substitute base image and runs them read-only and unprivileged',
  options: {},
  mutantOptions: {},
  mutants: containerMutants,
  run,
} satisfies Scenario

type RunState = {
  processes: Process[]
  ends: StopResult[]
  readyMs: Record<string, number>
  /** Steps that must succeed, by name. */
  checks: Record<string, boolean>
}

let opened: Promise<Podman> | undefined

async function run({ root, log, onTeardown }: ScenarioContext): Promise<ScenarioResult> {
  const deploy = join(root, 'deploy')
  const dockerfile = join(deploy, 'container/Dockerfile')
  // Once for all mutants: building the substitute base images takes a minute, and unchanged layers are reused.
  opened ??= prepare(dockerfile, log)
  const podman = await opened
  log('building the images')
  const buildSeconds = await buildImages(podman, REPOSITORY, dockerfile)
  const images = {
    service: await inspectImage(podman, 'service', dockerfile),
    web: await inspectImage(podman, 'web', dockerfile),
  }
  const secrets = await generateSecrets(deploy)
  const databasePort = await startDatabase(deploy, secrets, onTeardown)
  const state: RunState = { processes: [], ends: [], readyMs: {}, checks: {} }
  onTeardown(() => podman.removeContainers())
  log('running the services of compose.yaml')
  await recordFailures(state, async () => {
    await runCompose(podman, await Compose.read(podman, deploy, secrets, databasePort), state)
    log('playing the pods of deploy/kubernetes')
    await runPods(podman, deploy, { secrets, databasePort }, state)
  })
  return report(images, buildSeconds, state)
}

async function prepare(dockerfile: string, log: (text: string) => void): Promise<Podman> {
  const podman = await Podman.open(log)
  log('building substitute base images')
  await createBaseImages(podman, REPOSITORY, dockerfile)
  return podman
}

/** Records an error that aborts `work` as a failed step, named after its message. */
async function recordFailures(state: RunState, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    state.checks[(error as Error).message] = false
  }
}

async function runCompose(podman: Podman, compose: Compose, state: RunState): Promise<void> {
  const ports = await allocatePorts()
  const origin = `http://127.0.0.1:${ports.PORT}`
  await compose.start('api', ports)
  await waitUntilOk(`${origin}/healthz`)
  state.checks['API isn’t ready before the migration'] = (await fetch(`${origin}/readyz`)).status === 503
  state.checks['migrate'] = (await compose.run('migrate')).code === 0
  state.readyMs['API after the migration'] = await waitUntilOk(`${origin}/readyz`)
  const demo = await compose.run('demo')
  const [email = '', password = '', key = ''] = demo.stdout.split('\n')[0]!.split(' ')
  state.checks['demo'] = demo.code === 0 && key.startsWith('bmk_live_')
  state.checks['demo data isn’t generated twice'] = (await compose.run('demo')).stdout.startsWith(
    'Sample data is already loaded.',
  )
  state.checks['API accepts a demo key'] = await acceptsKey(origin, key)
  state.checks['health check in the service image'] = (await podman.tryRun(['healthcheck', 'run', 'api'])).code === 0
  state.ends.push(await stopContainer(podman, 'api'))

  const started = performance.now()
  await compose.start('api', ports)
  await waitUntilOk(`${origin}/readyz`)
  state.readyMs['API with demo data'] = Math.round(performance.now() - started)
  await compose.start('worker', await allocatePorts())
  state.checks['worker'] = await waitForLog(podman, 'worker', 'worker started')
  const webPorts = await allocatePorts()
  const webOrigin = `http://localhost:${webPorts.PORT}`
  const webStarted = performance.now()
  await compose.start('web', { ...webPorts, PUBLIC_URL: webOrigin })
  await waitUntilOk(`${webOrigin}/healthz`)
  state.readyMs['web'] = Math.round(performance.now() - webStarted)
  state.checks['a demo user can sign in'] = await canSignIn(webOrigin, email, password)
  state.checks['health check in the web image'] = (await podman.tryRun(['healthcheck', 'run', 'web'])).code === 0
  await inspectAndStop(podman, ['api', 'worker', 'web'], state)
}

async function runPods(
  podman: Podman,
  deploy: string,
  { secrets, databasePort }: { secrets: Record<string, string>; databasePort: number },
  state: RunState,
): Promise<void> {
  const database = (user: string, password = '') => ({
    DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${databasePort}/brickmark`,
  })
  const peppers = { API_KEY_PEPPERS: secrets['API_KEY_PEPPERS']! }
  const play = (name: string, variables: Record<string, string>, listen: Record<string, string>) =>
    playPod(podman, deploy, name, { variables, listen })

  const migrate = await play('migrate', database('brickmark', secrets['OWNER_DB_PASSWORD']), {})
  state.checks['pod migrate'] = (await podman.run(['wait', migrate])) === '0'
  const [ports, workerPorts, webPorts] = [await allocatePorts(), await allocatePorts(), await allocatePorts()]
  const api = await play('api', { ...database('brickmark_api', secrets['API_DB_PASSWORD']), ...peppers }, ports)
  await waitUntilOk(`http://127.0.0.1:${ports.PORT}/readyz`)
  const worker = await play('worker', database('brickmark_worker', secrets['WORKER_DB_PASSWORD']), workerPorts)
  state.checks['pod worker'] = await waitForLog(podman, worker, 'worker started')
  const webOrigin = `http://localhost:${webPorts.PORT}`
  const variables = {
    ...database('brickmark_web', secrets['WEB_DB_PASSWORD']),
    ...peppers,
    WEB_SECRET: secrets['WEB_SECRET']!,
    PUBLIC_URL: webOrigin,
    API_URL: 'https://api.example.com/api/v1',
    MAIL_URL: 'smtp://127.0.0.1:25',
  }
  const web = await play('web', variables, webPorts)
  await waitUntilOk(`${webOrigin}/healthz`)
  await inspectAndStop(podman, [api, worker, web], state)
}

async function inspectAndStop(podman: Podman, names: string[], state: RunState): Promise<void> {
  for (const name of names) state.processes.push(await inspectProcess(podman, name))
  for (const name of names.toReversed()) state.ends.push(await stopContainer(podman, name))
}

/** Containers share the host's network, so each listener needs a free port. */
async function allocatePorts(): Promise<{ PORT: string; METRICS_PORT: string; HOST: string }> {
  return { PORT: String(await freePort()), METRICS_PORT: String(await freePort()), HOST: '127.0.0.1' }
}

/** True once the API serves a market that was generated while it was running. */
async function acceptsKey(origin: string, key: string): Promise<boolean> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const headers = { authorization: `Bearer ${key}` }
    if ((await fetch(`${origin}/api/v1/set/90000-1`, { headers })).status === 200) return true
    await sleep(200)
  }
  return false
}

async function waitForLog(podman: Podman, name: string, word: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await podman.run(['logs', name])).includes(word)) return true
    await sleep(200)
  }
  return false
}

async function canSignIn(origin: string, email: string, password: string): Promise<boolean> {
  const response = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ email, password, to: '/' }),
  })
  return response.status === 302 && response.headers.getSetCookie().length > 0
}

function report(images: Record<'service' | 'web', Image>, buildSeconds: number, state: RunState): ScenarioResult {
  const unwanted = Object.values(images).flatMap((image) => image.unwanted)
  const failed = Object.keys(state.checks).filter((name) => state.checks[name] !== true)
  const badEnds = state.ends.filter(({ code, seconds }) => code !== 0 || seconds > STOP_WITHIN_S)
  const count = (flag: keyof Process) => state.processes.filter((process) => process[flag] === true).length
  return {
    checks: [
      none('forbidden files in the images', unwanted.length),
      none('failed steps', failed.length),
      exactly('inspected processes', 6, state.processes.length),
      none('processes running as root', count('root')),
      none('processes with capabilities', count('hasCapabilities')),
      none('processes that can gain privileges', count('canGainPrivileges')),
      none('processes without a seccomp filter', count('withoutSeccomp')),
      none('processes with a writable root', count('writable')),
      none('containers that didn’t exit with 0 in time', badEnds.length),
      atMost('API ready, s after podman run', 30, (state.readyMs['API with demo data'] ?? Infinity) / 1000),
    ],
    measurements: {
      'service image, MB above its base': images.service.megabytesAboveBase,
      'web image, MB above its base': images.web.megabytesAboveBase,
      'size with the substitute base, MB': [images.service.megabytes, images.web.megabytes],
      'build of the images, s': Math.round(buildSeconds),
      'time to ready, ms': state.readyMs,
      'memory, MB': Object.fromEntries(state.processes.map(({ name, megabytes }) => [name, megabytes])),
      'time to stop, s': Object.fromEntries(state.ends.map(({ name, seconds }) => [name, seconds])),
    },
    failures: [
      ...failed.map((name) => `failed: ${name}`),
      ...unwanted.slice(0, 20).map((path) => `forbidden file in an image: ${path}`),
      ...badEnds.map(({ name, code, seconds }) => `${name} exited with ${code} after ${seconds} s`),
    ],
  }
}
