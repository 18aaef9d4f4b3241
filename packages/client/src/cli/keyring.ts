import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Where the system keeps secrets, through the program that comes with it. */
export type Keyring = {
  name: string
  /** Returns whether the key was saved. */
  save(profile: string, apiKey: string): boolean
  /** Returns the key, or undefined if there is none or the keyring is locked. */
  find(profile: string): string | undefined
  remove(profile: string): void
}

const SERVICE = 'brickmark'
/** The system may ask its user for the password of the keyring. */
const TIMEOUT_MS = 60_000

/** Returns the keyring of the user, or undefined if there is none, as on most servers. */
export function systemKeyring(env: Record<string, string | undefined>): Keyring | undefined {
  if (process.platform === 'darwin') return keychain(env)
  return process.platform === 'linux' ? secretService(env) : undefined
}

/** The Keychain of macOS. */
function keychain(env: Record<string, string | undefined>): Keyring {
  const item = (profile: string) => ['-a', profile, '-s', SERVICE]
  return {
    name: 'Keychain',
    save(profile, apiKey) {
      // Read from stdin: other users can see the arguments of a program.
      const command = ['add-generic-password', '-U', ...item(profile), '-w', apiKey]
      return run('security', ['-i'], env, `${command.map((word) => JSON.stringify(word)).join(' ')}\n`) !== undefined
    },
    find: (profile) => run('security', ['find-generic-password', ...item(profile), '-w'], env)?.trimEnd(),
    remove: (profile) => void run('security', ['delete-generic-password', ...item(profile)], env),
  }
}

/** The Secret Service of Linux desktops (GNOME Keyring, KWallet, KeePassXC), which needs a D-Bus session. */
function secretService(env: Record<string, string | undefined>): Keyring | undefined {
  const runtime = env['XDG_RUNTIME_DIR']
  if (!env['DBUS_SESSION_BUS_ADDRESS'] && !(runtime && existsSync(`${runtime}/bus`))) return undefined
  const item = (profile: string) => ['service', SERVICE, 'profile', profile]
  return {
    name: 'your keyring',
    save: (profile, apiKey) =>
      run('secret-tool', ['store', `--label=Brickmark API key (${profile})`, ...item(profile)], env, apiKey) !==
      undefined,
    find: (profile) => run('secret-tool', ['lookup', ...item(profile)], env)?.trimEnd(),
    remove: (profile) => void run('secret-tool', ['clear', ...item(profile)], env),
  }
}

/** Returns what the program printed; undefined if it failed or isn't installed. */
function run(command: string, args: string[], env: Record<string, string | undefined>, input = ''): string | undefined {
  const { status, stdout } = spawnSync(command, args, { env, input, encoding: 'utf8', timeout: TIMEOUT_MS })
  return status === 0 ? stdout : undefined
}
