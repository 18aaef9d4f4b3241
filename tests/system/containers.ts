import { join } from 'node:path'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { Compose } from './containers/compose.ts'
import { inventSecrets, startDatabase } from './containers/database.ts'
import { buildImages, lookInto, makeStandIns, type Image } from './containers/images.ts'
import { containerPlants } from './containers/mutants.ts'
import { playPod } from './containers/pods.ts'
import { Podman } from './containers/podman.ts'
import { lookAt, stopContainer, untilOk, type End, type Process } from './containers/process.ts'
import { REPOSITORY } from '../support/paths.ts'
import { exactly, none, within, type Proof, type ProofContext, type ProofResult } from './scenario.ts'

const STOP_WITHIN_S = 10

/** The images of deploy/container, run as compose.yaml and the manifests say. Needs root on Debian 12; not part of CI. */
export const containers: Proof = {
  name: 'containers',
  covers: ['images'],
  summary: 'builds the images of deploy/ on a stand-in for their base and runs them read-only, without root and rights',
  options: {},
  smallLoad: {},
  plants: containerPlants,
  run,
}

type Seen = {
  processes: Process[]
  ends: End[]
  readyMs: Record<string, number>
  /** What must succeed, by name, and whether it did. */
  checks: Record<string, boolean>
}

let opened: Promise<Podman> | undefined

async function run({ root, say, stopAtEnd }: ProofContext): Promise<ProofResult> {
  const deploy = join(root, 'deploy')
  const dockerfile = join(deploy, 'container/Dockerfile')
  // Once for all plants: the stand-ins take a minute, and layers that are the same are not built again.
  opened ??= prepare(dockerfile, say)
  const podman = await opened
  say('building')
  const buildSeconds = await buildImages(podman, REPOSITORY, dockerfile)
  const images = {
    service: await lookInto(podman, 'service', dockerfile),
    web: await lookInto(podman, 'web', dockerfile),
  }
  const secrets = await inventSecrets(deploy)
  const databasePort = await startDatabase(deploy, secrets, stopAtEnd)
  const seen: Seen = { processes: [], ends: [], readyMs: {}, checks: {} }
  stopAtEnd(() => podman.removeContainers())
  say('running what compose.yaml says')
  await noting(seen, async () => {
    await runCompose(podman, await Compose.read(podman, deploy, secrets, databasePort), seen)
    say('playing the pods of deploy/kubernetes')
    await runPods(podman, deploy, { secrets, databasePort }, seen)
  })
  return report(images, buildSeconds, seen)
}

async function prepare(dockerfile: string, say: (text: string) => void): Promise<Podman> {
  const podman = await Podman.open(say)
  say('making stand-ins for the base images')
  await makeStandIns(podman, REPOSITORY, dockerfile)
  return podman
}

/** What cannot go on is a failure like any other, and says so. */
async function noting(seen: Seen, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    seen.checks[(error as Error).message] = false
  }
}

async function runCompose(podman: Podman, compose: Compose, seen: Seen): Promise<void> {
  const ports = await somePorts()
  const origin = `http://127.0.0.1:${ports.PORT}`
  await compose.start('api', ports)
  await untilOk(`${origin}/healthz`)
  seen.checks['not ready before the migration'] = (await fetch(`${origin}/readyz`)).status === 503
  seen.checks['migrate'] = (await compose.run('migrate')).code === 0
  seen.readyMs['api after the migration'] = await untilOk(`${origin}/readyz`)
  const filled = await compose.run('demo')
  const [email = '', password = '', key = ''] = filled.stdout.split('\n')[0]!.split(' ')
  seen.checks['demo'] = filled.code === 0 && key.startsWith('bmk_live_')
  seen.checks['demo a second time'] = (await compose.run('demo')).stdout.startsWith('There is a market already')
  seen.checks['a key of the demo'] = await answersKey(origin, key)
  seen.checks['health check of the service image'] = (await podman.try(['healthcheck', 'run', 'api'])).code === 0
  seen.ends.push(await stopContainer(podman, 'api'))

  const started = performance.now()
  await compose.start('api', ports)
  await untilOk(`${origin}/readyz`)
  seen.readyMs['api with the demo'] = Math.round(performance.now() - started)
  await compose.start('worker', await somePorts())
  seen.checks['worker'] = await says(podman, 'worker', 'working')
  const webPorts = await somePorts()
  const webOrigin = `http://localhost:${webPorts.PORT}`
  const webStarted = performance.now()
  await compose.start('web', { ...webPorts, PUBLIC_URL: webOrigin })
  await untilOk(`${webOrigin}/healthz`)
  seen.readyMs['web'] = Math.round(performance.now() - webStarted)
  seen.checks['somebody of the demo signs in'] = await signsIn(webOrigin, email, password)
  seen.checks['health check of the web image'] = (await podman.try(['healthcheck', 'run', 'web'])).code === 0
  await lookAndStop(podman, ['api', 'worker', 'web'], seen)
}

async function runPods(
  podman: Podman,
  deploy: string,
  { secrets, databasePort }: { secrets: Record<string, string>; databasePort: number },
  seen: Seen,
): Promise<void> {
  const database = (user: string, password = '') => ({
    DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${databasePort}/brickmark`,
  })
  const peppers = { API_KEY_PEPPERS: secrets['API_KEY_PEPPERS']! }
  const play = (name: string, variables: Record<string, string>, listen: Record<string, string>) =>
    playPod(podman, deploy, name, { variables, listen })

  const migrate = await play('migrate', database('brickmark', secrets['OWNER_DB_PASSWORD']), {})
  seen.checks['pod migrate'] = (await podman.do(['wait', migrate])) === '0'
  const [ports, workerPorts, webPorts] = [await somePorts(), await somePorts(), await somePorts()]
  const api = await play('api', { ...database('brickmark_api', secrets['API_DB_PASSWORD']), ...peppers }, ports)
  await untilOk(`http://127.0.0.1:${ports.PORT}/readyz`)
  const worker = await play('worker', database('brickmark_worker', secrets['WORKER_DB_PASSWORD']), workerPorts)
  seen.checks['pod worker'] = await says(podman, worker, 'working')
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
  await untilOk(`${webOrigin}/healthz`)
  await lookAndStop(podman, [api, worker, web], seen)
}

async function lookAndStop(podman: Podman, names: string[], seen: Seen): Promise<void> {
  for (const name of names) seen.processes.push(await lookAt(podman, name))
  for (const name of names.toReversed()) seen.ends.push(await stopContainer(podman, name))
}

/** On the machine's network: what listens must not meet what listens already. */
async function somePorts(): Promise<{ PORT: string; METRICS_PORT: string; HOST: string }> {
  return { PORT: String(await freePort()), METRICS_PORT: String(await freePort()), HOST: '127.0.0.1' }
}

/** Whether the api has heard of the market: it was running while the market was made. */
async function answersKey(origin: string, key: string): Promise<boolean> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const headers = { authorization: `Bearer ${key}` }
    if ((await fetch(`${origin}/api/v1/set/90000-1`, { headers })).status === 200) return true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return false
}

async function says(podman: Podman, name: string, word: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await podman.do(['logs', name])).includes(word)) return true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return false
}

async function signsIn(origin: string, email: string, password: string): Promise<boolean> {
  const answer = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ email, password, to: '/' }),
  })
  return answer.status === 302 && answer.headers.getSetCookie().length > 0
}

function report(images: { service: Image; web: Image }, buildSeconds: number, seen: Seen): ProofResult {
  const unwanted = Object.values(images).flatMap((image) => image.unwanted)
  const failed = Object.keys(seen.checks).filter((name) => seen.checks[name] !== true)
  const badEnds = seen.ends.filter(({ code, seconds }) => code !== 0 || seconds > STOP_WITHIN_S)
  const count = (flag: keyof Process) => seen.processes.filter((process) => process[flag] === true).length
  return {
    goals: [
      none('files that must not be in an image', unwanted.length),
      none('steps that failed', failed.length),
      exactly('processes looked at', 6, seen.processes.length),
      none('of them root', count('root')),
      none('with a capability', count('capable')),
      none('that may gain rights', count('mayGainRights')),
      none('without a filter of system calls', count('unfiltered')),
      none('whose root can be written to', count('writable')),
      none('that did not stop with 0 in time', badEnds.length),
      within('api ready, seconds after podman run', 30, (seen.readyMs['api with the demo'] ?? Infinity) / 1000),
    ],
    figures: {
      'service image, MB above its base': images.service.ownMegabytes,
      'web image, MB above its base': images.web.ownMegabytes,
      'with the stand-in, MB': [images.service.megabytes, images.web.megabytes],
      'both built, s': Math.round(buildSeconds),
      'ready, ms': seen.readyMs,
      'memory, MB': Object.fromEntries(seen.processes.map(({ name, megabytes }) => [name, megabytes])),
      'stopped, s': Object.fromEntries(seen.ends.map(({ name, seconds }) => [name, seconds])),
    },
    failures: [
      ...failed.map((name) => `failed: ${name}`),
      ...unwanted.slice(0, 20).map((path) => `in an image: ${path}`),
      ...badEnds.map(({ name, code, seconds }) => `${name} ended with ${code} after ${seconds} s`),
    ],
  }
}
