import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Marked, type Tokens } from 'marked'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startDemoDocs, type DemoApi } from './demo.ts'
import type { RunningDocs } from '../server/server.ts'
import { differences } from './sample.ts'
import { findNodes } from '@brickmark/tests/support/nodes'

/** Follows the pages as this service shows them, in an empty folder, without anything of ours installed. */

let api: DemoApi
let docs: RunningDocs
let folder: string
let node: string
let started: number
const seconds = new Map<string, number>()

const nodesFolder = await mkdtemp(join(tmpdir(), 'nodes-'))
const nodes = await findNodes(nodesFolder)

beforeAll(async () => {
  ;({ api, docs } = await startDemoDocs())
})
afterAll(async () => {
  await docs.stop()
  await api.stop()
  await rm(nodesFolder, { recursive: true })
})
beforeEach(async () => {
  started = Date.now()
  folder = await mkdtemp(join(tmpdir(), 'install-'))
  node = process.execPath
})
afterEach(async ({ task }) => {
  seconds.set(
    `${node === process.execPath ? '' : `${node}, `}${task.name}`,
    Math.round((Date.now() - started) / 100) / 10,
  )
  await rm(folder, { recursive: true, force: true })
})
afterAll(() => {
  console.log(`from an empty folder, in seconds: ${JSON.stringify(Object.fromEntries(seconds))}`)
})

type Fence = { lang: string; text: string }

/** Returns the code of a page. */
async function readFences(page: string): Promise<Fence[]> {
  const response = await fetch(`${docs.origin}/docs/${page}.md`)
  expect(response.status).toBe(200)
  const tokens = new Marked().lexer(await response.text())
  return tokens
    .filter((token): token is Tokens.Code => token.type === 'code')
    .map(({ lang = '', text }) => ({ lang, text }))
}

function findFence(fences: Fence[], start: string): string {
  const fence = fences.find(({ text }) => text.startsWith(start))
  if (!fence) throw new Error(`Nothing on the page begins with ${start}`)
  return fence.text
}

/** Returns the first sample in a language, with the output that the page shows below it. */
function findSample(fences: Fence[], language: string): { text: string; output: string } {
  const index = fences.findIndex(({ lang }, index) => lang === language && fences[index + 1]?.lang === 'text output')
  return { text: fences[index]!.text, output: fences[index + 1]!.text }
}

/** Environment of a new user. Nothing is installed outside of the folder, and npm asks no registry for anything. */
function environment(): Record<string, string> {
  return {
    PATH: [join(folder, '.venv/bin'), join(folder, 'global/bin'), dirname(node), '/usr/bin', '/bin'].join(':'),
    HOME: folder,
    BRICKMARK_BASE_URL: `${api.origin}/api/v1`,
    npm_config_prefix: join(folder, 'global'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_offline: 'false',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
  }
}

async function run(command: string, args: string[], { key, input }: { key?: string; input?: string } = {}) {
  const env = { ...environment(), ...(key !== undefined && { BRICKMARK_API_KEY: key }) }
  const running = promisify(execFile)(command, args, { cwd: folder, env, timeout: 120_000 })
  running.child.stdin!.end(input)
  return (await running).stdout
}

const inShell = (script: string, options?: { key?: string; input?: string }) =>
  run('bash', ['-e', '-c', script], options)

async function expectOutput(sample: { text: string; output: string }, command: string, file: string): Promise<void> {
  const { key } = await api.createAccount()
  await writeFile(join(folder, file), file.endsWith('.mjs') ? stripTypeScriptTypes(sample.text) : sample.text)
  const printed = await run(command, [file], { key })
  expect(differences({ kind: 'text output', text: sample.output }, printed)).toEqual([])
}

test.each(['quickstart', 'sdk-python'])('%s: the Python SDK installs, and the first sample works', async (page) => {
  const fences = await readFences(page)
  await run('/usr/bin/python3', ['-m', 'venv', '.venv'])
  await inShell(findFence(fences, 'pip install'))
  await expectOutput(findSample(fences, 'python'), 'python', 'sample.py')
})

describe.each(nodes)('%s', (path) => {
  beforeEach(() => {
    node = path
  })

  test.each(['quickstart', 'sdk-typescript'])(
    '%s: the TypeScript SDK installs, and the first sample works',
    async (page) => {
      const fences = await readFences(page)
      await inShell(findFence(fences, 'npm install'))
      await expectOutput(findSample(fences, 'ts'), 'node', 'sample.mjs')
    },
  )

  test('cli: the command line installs, signs in and works', async () => {
    const fences = await readFences('cli')
    const { key } = await api.createAccount()
    await inShell(findFence(fences, 'npm install --global'), { input: `${key}\n` })
    expect(await inShell('brickmark status')).toContain(api.origin)
    expect(await inShell(findFence(fences, 'npx brickmark doctor'))).toContain('Driftwood Fish Stall')
  })

  test('mcp: the settings start a server that answers', async () => {
    const settings = findFence(await readFences('mcp'), '{')
    const { key } = await api.createAccount()
    const { command, args, env } = (JSON.parse(settings) as Settings).mcpServers.brickmark
    expect(env).toEqual({ BRICKMARK_API_KEY: 'bmk_live_...', BRICKMARK_BASE_URL: `${api.origin}/api/v1` })
    const server = spawn(command, args, {
      cwd: folder,
      env: { ...environment(), ...env, BRICKMARK_API_KEY: key },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface(server.stdout)
    const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const clientInfo = { name: 'test', version: '1' }
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
    await once(lines, 'line')
    send({ method: 'notifications/initialized' })
    send({ id: 2, method: 'tools/call', params: { name: 'brickmark_get_items', arguments: { sets: ['90000-1'] } } })
    const [answer] = (await once(lines, 'line')) as [string]
    expect(answer).toContain('Driftwood Fish Stall')
    const exited = once(server, 'exit')
    server.stdin.end()
    await exited
  })
})

test('postman: every request of the collection works with its examples', async () => {
  const response = await fetch(`${docs.origin}/docs/downloads/brickmark.postman_collection.json`)
  const { item: folders, variable } = (await response.json()) as Collection
  expect(variable.slice(0, 2)).toEqual([
    { key: 'baseUrl', value: `${api.origin}/api/v1` },
    { key: 'extensionsUrl', value: `${api.origin}/api/extensions/v1` },
  ])
  const requests = folders.flatMap(({ item }) => item.map(({ request }) => request))
  expect(requests).toHaveLength(22)
  for (const { method, url, body } of requests) {
    const path = url.variable.reduce((raw, { key, value }) => raw.replace(`:${key}`, value), url.raw)
    const target = variable.reduce((raw, { key, value }) => raw.replace(`{{${key}}}`, value), path)
    const { status } = await fetch(target, {
      method,
      headers: { authorization: `Bearer ${api.resellerAccount.key}`, 'content-type': 'application/json' },
      ...(body && { body: body.raw }),
    })
    // The example names the file of a night.
    expect(status, target).toBe(target.endsWith('.gz') ? 404 : 200)
  }
})

type Collection = {
  variable: { key: string; value: string }[]
  item: {
    item: {
      request: {
        method: string
        url: { raw: string; variable: { key: string; value: string }[] }
        body?: { raw: string }
      }
    }[]
  }[]
}
type Settings = { mcpServers: { brickmark: { command: string; args: string[]; env: Record<string, string> } } }

test('downloads: every file is there, has this address, and matches its checksum', async () => {
  const page = await (await fetch(`${docs.origin}/docs/downloads.md`)).text()
  const urls = Array.from(page.matchAll(/\]\((http[^)]+)\)/g), ([, url]) => url!)
  expect(urls).toHaveLength(8)
  for (const url of urls) await run('/usr/bin/env', ['curl', '--fail', '--silent', '--location', '--remote-name', url])
  const check = findFence(await readFences('downloads'), 'sha256sum')
  expect((await inShell(check.replace(' --ignore-missing', ''))).match(/: OK$/gm)).toHaveLength(6)
  expect(await inShell('cat brickmark.gs holdings.pq values.pq')).toContain(`${api.origin}/api/v1`)
  expect(await inShell('grep -l brickmark.example brickmark.gs holdings.pq values.pq || true')).toBe('')
})
