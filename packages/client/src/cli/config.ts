import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemKeyring } from './keyring.ts'

/** API key and base URL, and where they were configured. */
export type Config = { apiKey: string; baseUrl: string; keySource: string; isDemo: boolean }

/** Without `api_key`, the key is in the keyring of the system. */
type Login = { api_key?: string; base_url?: string }
type Demo = { base_url: string; accounts: { name: string; api_key: string }[] }
type Environment = Record<string, string | undefined>

const DEFAULT_PROFILE = 'default'

/**
 * Loads the configuration: a profile that was asked for, then environment variables, then the saved login, then a demo
 * running in this clone.
 */
export function loadConfig(env: Environment, directory: string): Config | undefined {
  const login = readLogins(env)[profileName(env)]
  const requested = requestedProfile(env)
  if (requested !== undefined && login === undefined) throw new UnknownProfileError(requested, profileNames(env))
  const baseUrlOverride = nonEmpty(env['BRICKMARK_BASE_URL'])
  const key = nonEmpty(env['BRICKMARK_API_KEY'])
  if (login && (requested !== undefined || key === undefined)) {
    const baseUrl = (requested === undefined ? baseUrlOverride : undefined) ?? login.base_url
    if (baseUrl === undefined) throw new MissingBaseUrlError()
    return { ...findSavedKey(env, login), baseUrl, isDemo: false }
  }
  if (key === undefined) return baseUrlOverride === undefined ? findDemo(directory) : undefined
  const baseUrl = baseUrlOverride ?? login?.base_url
  if (baseUrl === undefined) throw new MissingBaseUrlError()
  return { apiKey: key, baseUrl, keySource: 'BRICKMARK_API_KEY', isDemo: false }
}

function findSavedKey(env: Environment, { api_key: apiKey }: Login): { apiKey: string; keySource: string } {
  const profile = profileName(env)
  if (apiKey !== undefined) return { apiKey, keySource: `${loginFile(env)} (${profile})` }
  const keyring = systemKeyring(env)
  const found = keyring?.find(profile)
  if (keyring === undefined || found === undefined) throw new LockedKeyringError(profile)
  return { apiKey: found, keySource: `${keyring.name} (${profile})` }
}

export class LockedKeyringError extends Error {
  constructor(profile: string) {
    super(
      `The key of profile "${profile}" is in the keyring of this system, which can’t be read here. Unlock it, or set BRICKMARK_API_KEY.`,
    )
  }
}

/** There is no default: whatever listens there would get the key. */
export class MissingBaseUrlError extends Error {
  constructor() {
    super('Which service is the key for? Set BRICKMARK_BASE_URL, e.g. to https://api.brickmark.example/api/v1.')
  }
}

export class UnknownProfileError extends Error {
  constructor(name: string, known: string[]) {
    const saved = known.length === 0 ? 'No profiles are saved.' : `Saved profiles: ${known.join(', ')}.`
    super(`Profile "${name}" not found. ${saved} Run \`brickmark login --profile ${name}\` to create it.`)
  }
}

/** Returns the profile given with --profile, which is passed on as BRICKMARK_PROFILE. */
function requestedProfile(env: Environment): string | undefined {
  return nonEmpty(env['BRICKMARK_PROFILE'])
}

export function profileName(env: Environment): string {
  return requestedProfile(env) ?? DEFAULT_PROFILE
}

export function profileNames(env: Environment): string[] {
  return Object.keys(readLogins(env)).toSorted()
}

export function loginFile(env: Environment): string {
  return join(nonEmpty(env['XDG_CONFIG_HOME']) ?? join(homedir(), '.config'), 'brickmark', 'login.json')
}

/** Saves the login of the current profile: the key in the keyring, if there is one, else in the file. Returns where it is. */
export function saveLogin(env: Environment, apiKey: string, baseUrl: string, { inFile = false } = {}): string {
  const profile = profileName(env)
  const keyring = inFile ? undefined : systemKeyring(env)
  // Read back, because some keyrings report success without an effect.
  const isInKeyring = keyring !== undefined && keyring.save(profile, apiKey) && keyring.find(profile) === apiKey
  const login: Login = { ...(!isInKeyring && { api_key: apiKey }), base_url: baseUrl }
  writeLogins(env, { ...readLogins(env), [profile]: login })
  return isInKeyring ? keyring.name : loginFile(env)
}

/** Removes the login of the current profile, also from the keyring. Returns false if there is none. */
export function removeLogin(env: Environment): boolean {
  const { [profileName(env)]: removed, ...rest } = readLogins(env)
  if (removed === undefined) return false
  if (removed.api_key === undefined) systemKeyring(env)?.remove(profileName(env))
  writeLogins(env, rest)
  return true
}

/** The file is created with mode 0600, so keys are never readable by other users. */
function writeLogins(env: Environment, profiles: Record<string, Login>): void {
  const file = loginFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Returns true if other users on this machine can read the saved keys. */
export function isLoginFileExposed(env: Environment): boolean {
  const file = loginFile(env)
  return process.platform !== 'win32' && existsSync(file) && (statSync(file).mode & 0o077) !== 0
}

function readLogins(env: Environment): Record<string, Login> {
  return (readJson(loginFile(env)) as { profiles?: Record<string, Login> } | undefined)?.profiles ?? {}
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
