import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { DEFAULT_BASE_URL } from '../transport.ts'

/** API key and base URL, and where they were configured. */
export type Config = { apiKey: string; baseUrl: string; keySource: string; isDemo: boolean }

type Login = { api_key: string; base_url?: string }
type Demo = { base_url: string; accounts: { name: string; api_key: string }[] }
type Environment = Record<string, string | undefined>

/** Loads the configuration: environment variables first, then the stored login, then a demo running in this clone. */
export function loadConfig(env: Environment, directory: string): Config | undefined {
  const login = readLogin(env)
  const baseUrlOverride = nonEmpty(env['BRICKMARK_BASE_URL'])
  const baseUrl = baseUrlOverride ?? login?.base_url ?? DEFAULT_BASE_URL
  const key = nonEmpty(env['BRICKMARK_API_KEY'])
  if (key !== undefined) return { apiKey: key, baseUrl, keySource: 'BRICKMARK_API_KEY', isDemo: false }
  if (login) return { apiKey: login.api_key, baseUrl, keySource: loginFile(env), isDemo: false }
  return baseUrlOverride === undefined ? findDemo(directory) : undefined
}

export function loginFile(env: Environment): string {
  return join(nonEmpty(env['XDG_CONFIG_HOME']) ?? join(homedir(), '.config'), 'brickmark', 'login.json')
}

/** Stores the login. The file is created with mode 0600, so the key is never readable by other users. */
export function saveLogin(env: Environment, apiKey: string, baseUrl: string | undefined): void {
  const file = loginFile(env)
  const login: Login = { api_key: apiKey, ...(baseUrl !== undefined && { base_url: baseUrl }) }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Returns true if other users on this machine can read the stored key. */
export function isLoginFileExposed(env: Environment): boolean {
  const file = loginFile(env)
  return process.platform !== 'win32' && existsSync(file) && (statSync(file).mode & 0o077) !== 0
}

function readLogin(env: Environment): Login | undefined {
  return readJson(loginFile(env)) as Login | undefined
}

function findDemo(directory: string): Config | undefined {
  const file = join(directory, '.demo', 'demo.json')
  const demo = readJson(file) as Demo | undefined
  const account = demo?.accounts.find(({ name }) => name === 'reseller')
  if (demo && account) return { apiKey: account.api_key, baseUrl: demo.base_url, keySource: file, isDemo: true }
  const parent = dirname(directory)
  return parent === directory ? undefined : findDemo(parent)
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text?.trim() || undefined
}
