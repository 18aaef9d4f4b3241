import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { splitHosts } from '@brickmark/core/db/primary-discovery'

/** Where PostgreSQL's own programs of a version are. */
export function findPgBinDir(major: string): string {
  const candidates = [`/usr/lib/postgresql/${major}/bin`, `/usr/pgsql-${major}/bin`]
  const found = candidates.find((index) => existsSync(join(index, 'pg_basebackup')))
  if (found === undefined)
    throw new Error(`The programs of PostgreSQL ${major} are missing: install the package postgresql-${major}.`)
  return found
}

/** A database address for PostgreSQL's own programs: the primary of several servers, and no password in the process list. */
export function libpqConnection(url: string): { address: string; env: Record<string, string | undefined> } {
  const [, scheme = '', user = '', password, rest = ''] = /^(\w+:\/\/)([^:@/]*)(?::([^@/]*))?(.*)$/s.exec(url) ?? []
  const targetAttrs = splitHosts(url).length > 1 ? `${rest.includes('?') ? '&' : '?'}target_session_attrs=primary` : ''
  const secret = password === undefined ? {} : { PGPASSWORD: decodeURIComponent(password) }
  return { address: `${scheme}${user}${rest}${targetAttrs}`, env: { ...process.env, ...secret } }
}

/** Runs a program; throws its last words when it fails. `onText` hears what it writes to stderr. */
export function runCommand(
  program: string,
  args: string[],
  { env = process.env, onStderr }: { env?: Record<string, string | undefined>; onStderr?: (text: string) => void } = {},
): { child: ChildProcess; done: Promise<void> } {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-4000)
    onStderr?.(chunk.toString())
  })
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new CommandError(program, stderr.trim()))))
  })
  return { child, done }
}

export class CommandError extends Error {
  readonly stderr: string

  constructor(program: string, stderr: string) {
    super(`${program.split('/').at(-1)} failed: ${stderr.split('\n').slice(-3).join(' ')}`)
    this.stderr = stderr
  }
}
