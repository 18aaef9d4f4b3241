import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLI_PATH, tempHome } from './support/cli.ts'
import { systemNode } from '@brickmark/tests/support/nodes'
import { startTestService, type TestService } from './support/test-service.ts'

/** The keyring of a Linux desktop, in a D-Bus session of its own. That of macOS can't run here. */

const PROGRAMS = ['secret-tool', 'gnome-keyring-daemon', 'dbus-run-session'].map((name) => `/usr/bin/${name}`)

const testWithKeyring = test.skipIf(!PROGRAMS.every((program) => existsSync(program)))

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.api.stop())

/** Runs a script in a session with an unlocked keyring; `brickmark` is the CLI. */
async function inSession(home: string, script: string): Promise<string> {
  const unlock = 'printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1'
  const brickmark = `brickmark() { "${systemNode()}" "${CLI_PATH}" "$@" 2>&1; }`
  const { stdout } = await promisify(execFile)(
    'dbus-run-session',
    ['--', 'bash', '-c', `${unlock}\n${brickmark}\n${script}`],
    {
      cwd: home,
      timeout: 60_000,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        XDG_RUNTIME_DIR: home,
        KEY: service.account.key,
        URL: service.baseUrl,
      },
    },
  )
  return stdout
}

testWithKeyring('login keeps the key in the keyring, and logout removes it', { timeout: 90_000 }, async () => {
  const home = tempHome()
  const file = join(home, '.config/brickmark/login.json')
  const printed = await inSession(
    home,
    `brickmark login --base-url "$URL" <<< "$KEY"
       cat ${file}
       brickmark status
       secret-tool lookup service brickmark profile default; echo
       brickmark logout
       secret-tool lookup service brickmark profile default || echo 'nothing left'`,
  )
  const { key } = service.account
  expect(printed).toContain('verified and saved in your keyring as profile "default"')
  expect(printed).toContain(`${service.baseUrl}\n`)
  expect(printed).toContain('your keyring (default)')
  expect(printed.split(key)).toHaveLength(2)
  expect(printed).toContain('nothing left')
  expect(readFileSync(file, 'utf8')).not.toContain(key)
})

testWithKeyring(
  'without its session, the key can’t be read, and --in-file doesn’t need one',
  { timeout: 90_000 },
  async () => {
    const home = tempHome()
    const file = join(home, '.config/brickmark/login.json')
    const printed = await inSession(
      home,
      `brickmark login --base-url "$URL" <<< "$KEY"
       DBUS_SESSION_BUS_ADDRESS= brickmark themes; echo "exit $?"
       brickmark login --in-file --base-url "$URL" <<< "$KEY"
       DBUS_SESSION_BUS_ADDRESS= brickmark themes --csv; echo "exit $?"`,
    )
    expect(printed).toContain('is in the keyring of this system, which can’t be read here')
    expect(printed).toMatch(/exit 4[\s\S]*exit 0/)
    expect(readFileSync(file, 'utf8')).toContain(service.account.key)
  },
)
