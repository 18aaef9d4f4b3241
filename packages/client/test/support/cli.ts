import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { systemNode } from '@brickmark/tests/support/nodes'

export const CLI_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export type CliResult = { code: number; stdout: string; stderr: string }
export type RunOptions = { env?: Record<string, string>; input?: string; cwd?: string }

/** Creates an empty home directory for one test, so that the developer's own login isn't used. */
export function tempHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'brickmark-home-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return home
}

/** Runs the bundled CLI as a user would, by default with an empty home directory and outside of any clone. */
export async function runCli(args: string[], { env = {}, input = '', cwd }: RunOptions = {}): Promise<CliResult> {
  const child = spawnCli(args, env, cwd)
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: code as number, stdout, stderr }
}

/** Starts a command that runs until it's interrupted. */
export function startCli(args: string[], env: Record<string, string>) {
  const child = spawnCli(args, env)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(child, 'exit')
  const interrupt = async () => {
    child.kill('SIGINT')
    await exited
  }
  onTestFinished(interrupt)
  return { output: () => output, interrupt }
}

function spawnCli(args: string[], env: Record<string, string>, cwd?: string) {
  const home = tempHome()
  return spawn(systemNode(), [CLI_PATH, ...args], {
    cwd: cwd ?? home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
  })
}
