import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { WEB_NODE_FLAGS } from '@brickmark/web/node-flags'
import { registerCleanup } from '../../support/cleanup.ts'
import { PEPPER } from '../../support/fixtures.ts'
import { REPOSITORY } from '../../support/paths.ts'

/** A web process started by a scenario. */
export type WebNode = {
  origin: string
  pid: number
  log(): string
  /** Sends SIGKILL. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const BUILD = 'apps/web/build'

/**
 * Builds the web application unless that has been done, and copies it to `root`. A link wouldn't do: Node would find
 * `@brickmark/core` from where the files are, so that pages and the process around them would each have their own.
 */
async function buildWeb(root: string): Promise<void> {
  if (!existsSync(join(REPOSITORY, BUILD, 'server/index.js'))) {
    await promisify(execFile)('npm', ['run', '--silent', 'build', '--workspace', 'apps/web'], { cwd: REPOSITORY })
  }
  if (root !== REPOSITORY) await cp(join(REPOSITORY, BUILD), join(root, BUILD), { recursive: true })
}

/** Starts the web application of the code in `root` and waits until it serves pages. */
export async function startWebNode(root: string, env: Record<string, string>): Promise<WebNode> {
  await buildWeb(root)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const child = spawn(process.execPath, [...WEB_NODE_FLAGS, join(root, 'apps/web/host/main.ts')], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      API_KEY_PEPPERS: PEPPER,
      PUBLIC_URL: origin,
      API_URL: 'http://localhost:1/api/v1',
      PORT: String(port),
      SIGN_INS_PER_MINUTE: '1000',
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(child, 'exit')
  const terminate = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await exited
  }
  const stop = registerCleanup(() => terminate('SIGTERM'), child.pid)
  while (!output.includes('serving')) {
    if (child.exitCode !== null) throw new Error(`The web application didn’t start: ${output}`)
    await sleep(20)
  }
  return {
    origin,
    pid: child.pid!,
    log: () => output,
    async kill() {
      await terminate('SIGKILL')
      await stop()
    },
    stop,
  }
}
