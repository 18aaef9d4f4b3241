import { setTimeout as sleep } from 'node:timers/promises'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { API_NODE_FLAGS } from '@brickmark/api/node-flags'
import { WEB_NODE_FLAGS } from '@brickmark/web/node-flags'
import { endWithProcess } from '../local-postgres/end-with-process.ts'
import type { DemoCredentials } from './seed.ts'

const REPOSITORY = new URL('../../', import.meta.url)
const path = (relative: string) => fileURLToPath(new URL(relative, REPOSITORY))

/** Builds the docs and the web app, unless that has been done. */
export async function buildApps(): Promise<void> {
  if (!existsSync(path('apps/docs/dist/index.html'))) await build('apps/docs')
  if (!existsSync(path('apps/web/build/server/index.js'))) await build('apps/web')
}

type SpawnOptions = {
  /** Restarts the process when a file that it imports changes. */
  watch: boolean
}

/** Starts the API as a separate process. */
export function spawnApi(
  databaseUrl: string,
  pepper: string,
  port: number,
  docsUrl: string,
  { watch }: SpawnOptions,
): ChildProcess {
  return spawnNode(
    'apps/api/main.ts',
    {
      DATABASE_URL: asRole(databaseUrl, 'brickmark_api'),
      API_KEY_PEPPERS: pepper,
      PORT: String(port),
      DOCS_URL: docsUrl,
      LOG_LEVEL: 'warn',
      DRAIN_MS: '0',
    },
    watch ? WATCH : API_NODE_FLAGS,
  )
}

/** Starts the docs as a separate process: the built site, or with `watch`, Astro's development server. */
export function spawnDocs(port: number, apiUrl: string, webUrl: string, { watch }: SpawnOptions): ChildProcess {
  if (watch) {
    const options = ['--root', path('apps/docs'), '--host', '127.0.0.1', '--port', String(port)]
    return spawnDetached(path('node_modules/.bin/astro'), ['dev', ...options], { ASTRO_TELEMETRY_DISABLED: '1' })
  }
  return spawnNode('apps/docs/server/main.ts', { API_URL: apiUrl, WEB_URL: webUrl, PORT: String(port) })
}

/** Starts the web app as a separate process; with `watch`, pages are built when they are requested. */
export function spawnWeb(
  databaseUrl: string,
  { pepper, web_secret, accounts }: DemoCredentials,
  port: number,
  publicUrl: string,
  apiUrl: string,
  mailDir: string,
  { watch }: SpawnOptions,
): ChildProcess {
  return spawnNode(
    watch ? 'apps/web/host/dev.ts' : 'apps/web/host/main.ts',
    {
      DATABASE_URL: asRole(databaseUrl, 'brickmark_web'),
      API_KEY_PEPPERS: pepper,
      WEB_SECRET: web_secret,
      WEBHOOK_KEY: web_secret,
      PUBLIC_URL: publicUrl,
      API_URL: apiUrl,
      MAIL_URL: pathToFileURL(mailDir).href,
      PUBLIC_PAGES: 'values',
      CONTACT_EMAIL: accounts.find(({ operator }) => operator)?.email ?? '',
      PORT: String(port),
    },
    // Not restarted: Vite reloads pages, and `node --watch` would take the temporary files of Vite for changes. The condition
    // makes both use the same build of React Router.
    watch ? ['--conditions=development'] : WEB_NODE_FLAGS,
  )
}

/** Starts a worker as a separate process. It may send webhooks to this machine. */
export function spawnWorker(
  databaseUrl: string,
  { web_secret }: DemoCredentials,
  { watch }: SpawnOptions,
): ChildProcess {
  return spawnNode(
    'apps/worker/main.ts',
    {
      DATABASE_URL: asRole(databaseUrl, 'brickmark_worker'),
      LOG_LEVEL: 'warn',
      WEBHOOK_KEY: web_secret,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8 ::1/128',
    },
    watch ? WATCH : [],
  )
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

export async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error('A process failed to start. See its output above.')
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await sleep(50)
  }
  throw new Error(`${url} did not become ready within 30 s.`)
}

async function build(workspace: string): Promise<void> {
  await promisify(execFile)('npm', ['run', '--silent', 'build', '--workspace', workspace], { cwd: path('.') })
}

const WATCH = ['--watch', '--watch-preserve-output', '--no-warnings']

function spawnNode(program: string, env: Record<string, string>, flags: string[] = []): ChildProcess {
  return spawnDetached(process.execPath, [...flags, path(program)], env)
}

function spawnDetached(command: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, args, {
    cwd: path('.'),
    stdio: ['ignore', 'ignore', 'inherit'],
    // A separate process group, so that Ctrl-C only reaches the parent, which stops its children in order.
    detached: true,
    env: { ...process.env, ...env },
  })
  endWithProcess(child)
  return child
}

/** Returns the same connection URL, but restricted to the privileges of one role. */
function asRole(databaseUrl: string, role: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', `-c role=${role}`)
  return url.href
}
