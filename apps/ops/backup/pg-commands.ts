import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serversIn } from '@brickmark/core/db/primary-discovery'

/** Where PostgreSQL's own programs of a version are. */
export function programsOf(major: string): string {
  const places = [`/usr/lib/postgresql/${major}/bin`, `/usr/pgsql-${major}/bin`]
  const found = places.find((place) => existsSync(join(place, 'pg_basebackup')))
  if (found === undefined)
    throw new Error(`The programs of PostgreSQL ${major} are missing: install the package postgresql-${major}.`)
  return found
}

/** A database address for PostgreSQL's own programs: the primary of several servers, and no password in the process list. */
export function forPrograms(url: string): { address: string; env: Record<string, string | undefined> } {
  const [, scheme = '', user = '', password, rest = ''] = /^(\w+:\/\/)([^:@/]*)(?::([^@/]*))?(.*)$/s.exec(url) ?? []
  const several = serversIn(url).length > 1 ? `${rest.includes('?') ? '&' : '?'}target_session_attrs=primary` : ''
  const secret = password === undefined ? {} : { PGPASSWORD: decodeURIComponent(password) }
  return { address: `${scheme}${user}${rest}${several}`, env: { ...process.env, ...secret } }
}

/** Runs a program; throws its last words when it fails. `onText` hears what it writes to stderr. */
export function runProgram(
  program: string,
  args: string[],
  { env = process.env, onText }: { env?: Record<string, string | undefined>; onText?: (text: string) => void } = {},
): { child: ChildProcess; done: Promise<void> } {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-4000)
    onText?.(chunk.toString())
  })
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new ProgramFailed(program, words.trim()))))
  })
  return { child, done }
}

export class ProgramFailed extends Error {
  readonly words: string

  constructor(program: string, words: string) {
    super(`${program.split('/').at(-1)} failed: ${words.split('\n').slice(-3).join(' ')}`)
    this.words = words
  }
}
