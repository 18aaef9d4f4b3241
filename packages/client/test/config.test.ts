import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildKey } from '@brickmark/core/account/api-key'
import { validateKey } from '../src/api-key.ts'
import { runCli, tempHome } from './support/cli.ts'
import { startTestService, type TestService } from './support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.api.stop())

const login = (home: string, input: string) =>
  runCli(['login', '--base-url', service.baseUrl], { env: { XDG_CONFIG_HOME: home }, input })

test('login reads a key from standard input, verifies it and stores it with mode 0600', async () => {
  const home = tempHome()
  const before = await service.api.creditsUsed(service.account)
  const { code, stdout, stderr } = await login(home, `${service.account.key}\n`)
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).not.toContain(service.account.key)
  const file = join(home, 'brickmark/login.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await runCli(['usage', '--csv', '--fields', 'limit'], { env: { XDG_CONFIG_HOME: home } })).toMatchObject({
    stdout: 'limit\n1000\n',
  })
  expect(await service.api.creditsUsed(service.account)).toBe(before)
})

test('login rejects a key of the wrong length and reports its length', async () => {
  const home = tempHome()
  const { code, stderr } = await login(home, service.account.key.slice(0, 50))
  expect(code).toBe(4)
  expect(stderr).toContain(
    'API keys are 57 characters long, but this one has 50. Check that you copied all of it. Nothing was saved.',
  )
  expect(() => readFileSync(join(home, 'brickmark/login.json'))).toThrow('ENOENT')
})

test('login rejects a key unknown to the service', async () => {
  const stranger = buildKey(new Uint8Array(20))
  const home = tempHome()
  expect(validateKey(stranger)).toBeUndefined()
  expect(await login(home, stranger)).toMatchObject({ code: 4 })
  expect(() => readFileSync(join(home, 'brickmark/login.json'))).toThrow('ENOENT')
})

test('validateKey detects malformed keys offline', () => {
  const { key } = service.account
  expect(validateKey(key)).toBeUndefined()
  const other = key.at(20) === '0' ? '1' : '0'
  expect(validateKey(key.slice(0, 20) + other + key.slice(21))).toContain('contains a typo')
  expect(validateKey(key.toUpperCase().replace('BMK_LIVE_', 'bmk_live_'))).toContain('contains a typo')
  expect(validateKey(key + key)).toContain('has 114. Check that you pasted it only once.')
  expect(validateKey('sk-123456789')).toBe('API keys start with bmk_live_, but this one starts with "sk-1".')
  expect(validateKey('')).toBe('No key was provided.')
})

test('environment variables take precedence over the stored login', async () => {
  const home = tempHome()
  await login(home, service.account.key)
  const env = { XDG_CONFIG_HOME: home, BRICKMARK_API_KEY: (await service.api.createAccount({ limit: 7 })).key }
  expect((await runCli(['usage', '--csv', '--fields', 'limit'], { env })).stdout).toBe('limit\n7\n')
  const elsewhere = { XDG_CONFIG_HOME: home, BRICKMARK_BASE_URL: 'http://127.0.0.1:9/api/v1' }
  expect((await runCli(['usage'], { env: elsewhere })).code).toBe(6)
})

test('a key without a service is sent nowhere, and both the error and login ask which', async () => {
  const env = { XDG_CONFIG_HOME: tempHome(), BRICKMARK_API_KEY: service.account.key, BRICKMARK_BASE_URL: '' }
  const { code, stderr } = await runCli(['usage'], { env })
  expect([code, stderr]).toEqual([4, expect.stringContaining('Set BRICKMARK_BASE_URL')])
  const home = { XDG_CONFIG_HOME: tempHome(), BRICKMARK_BASE_URL: '' }
  expect(await runCli(['login'], { env: home, input: `${service.account.key}\n` })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--base-url'),
  })
})

test('uses the key of a running demo in this clone, and prints a notice', async () => {
  const clone = tempHome()
  const deep = join(clone, 'docs', 'guides')
  mkdirSync(join(clone, '.demo'), { recursive: true })
  mkdirSync(deep, { recursive: true })
  const accounts = [{ name: 'reseller', api_key: service.account.key }]
  writeFileSync(join(clone, '.demo/demo.json'), JSON.stringify({ base_url: service.baseUrl, accounts }))
  const { code, stdout, stderr } = await runCli(['set', '90001', '--fields', 'set_number', '--csv'], { cwd: deep })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'set_number\n90001-1\n' })
  expect(stderr).toBe(`Using the demo at ${service.baseUrl}.\n`)
  const override = { BRICKMARK_BASE_URL: service.baseUrl }
  expect((await runCli(['set', '90001'], { cwd: deep, env: override })).code).toBe(4)
})

test('doctor reports a login file that other users can read', async () => {
  const home = tempHome()
  mkdirSync(join(home, 'brickmark'))
  const profiles = { default: { api_key: service.account.key, base_url: service.baseUrl } }
  const stored = JSON.stringify({ profiles })
  writeFileSync(join(home, 'brickmark/login.json'), stored, { mode: 0o644 })
  const { code, stdout } = await runCli(['doctor'], { env: { XDG_CONFIG_HOME: home } })
  expect(code).toBe(1)
  expect(stdout).toContain(`→ chmod 600 ${join(home, 'brickmark/login.json')}`)
})

test('profiles: login, status and logout keep several keys apart', async () => {
  const env = { XDG_CONFIG_HOME: tempHome() }
  const other = await service.api.createAccount({ limit: 7 })
  const limit = async (...args: string[]) =>
    (await runCli(['usage', '--csv', '--fields', 'limit', ...args], { env })).stdout.split('\n')[1]
  await login(env.XDG_CONFIG_HOME, service.account.key)
  const work = ['login', '--profile', 'work', '--base-url', service.baseUrl]
  expect((await runCli(work, { env, input: other.key })).stderr).toContain('as profile "work"')
  expect([await limit(), await limit('--profile', 'work')]).toEqual(['1000', '7'])
  // A profile that was asked for goes before the environment.
  const mixed = { ...env, BRICKMARK_API_KEY: service.account.key, BRICKMARK_PROFILE: 'work' }
  expect((await runCli(['usage', '--csv', '--fields', 'limit'], { env: mixed })).stdout).toBe('limit\n7\n')

  const status = JSON.parse((await runCli(['status', '--json', '--profile', 'work'], { env })).stdout) as object
  expect(status).toMatchObject({ logged_in: true, base_url: service.baseUrl, profiles: ['default', 'work'] })
  expect(JSON.stringify(status)).not.toContain(other.key)

  expect((await runCli(['logout', '--profile', 'work'], { env })).stderr).toContain('Profile "work" removed')
  expect(await runCli(['usage', '--profile', 'work'], { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Profile "work" not found. Saved profiles: default.') as string,
  })
  expect((await runCli(['logout', '--profile', 'work'], { env })).stderr).toContain('is not logged in')
  await runCli(['logout'], { env })
  expect((await runCli(['status'], { env })).stdout).toMatch(/Key +not found.*\nProfiles +none/s)
})

test('a malformed key is rejected without a request', async () => {
  const env = { BRICKMARK_API_KEY: service.account.key.slice(0, 50), BRICKMARK_BASE_URL: 'http://127.0.0.1:9/api/v1' }
  const { code, stderr } = await runCli(['usage'], { env })
  expect(code).toBe(4)
  expect(stderr).toContain('Invalid API key from BRICKMARK_API_KEY. API keys are 57 characters long')
})

test('doctor --json prints what failed, and nothing else', async () => {
  const { stdout, stderr } = await runCli(['doctor', '--json'], {
    env: { BRICKMARK_API_KEY: service.account.key, BRICKMARK_BASE_URL: service.baseUrl },
  })
  expect(stderr).toBe('')
  const checks = JSON.parse(stdout) as object[]
  for (const check of checks) expect(Object.keys(check)).toEqual(['name', 'ok', 'message'])
})
