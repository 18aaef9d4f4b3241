import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '@brickmark/core/db/database'
import { freePort, startPostgres, type LocalPostgres } from '@brickmark/tools/local-postgres/local-postgres'

/** Encrypted connections, as the docs describe them: the server must prove who it is. */

let directory: string
let postgres: LocalPostgres
let port: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'brickmark-tls-'))
  await chmod(directory, 0o755)
  for (const ca of ['ca', 'other-ca']) createAuthority(ca)
  await createServerCertificate('localhost')
  postgres = await startPostgres(join(directory, 'data'), {
    settings: {
      ssl: 'on',
      ssl_cert_file: join(directory, 'server.pem'),
      ssl_key_file: join(directory, 'server.key'),
      fsync: 'off',
    },
  })
  port = new URL(postgres.url).port
})
afterAll(async () => {
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
})

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' })
}

function createAuthority(name: string): void {
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`]
  openssl('req', '-x509', ...key, '-out', `${name}.pem`, '-days', '2', '-subj', `/CN=${name}`)
}

async function createServerCertificate(host: string): Promise<void> {
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${host}`)
  await writeFile(join(directory, 'names.cnf'), `subjectAltName=DNS:${host}\n`)
  const ca = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names.cnf']
  openssl('x509', '-req', '-in', 'server.csr', ...ca, '-out', 'server.pem', '-days', '2')
  await chmod(join(directory, 'server.key'), 0o600)
}

async function isEncrypted(hosts: string, query: string): Promise<boolean> {
  const pool = openPool(`postgres://postgres@${hosts}/postgres${query}`)
  try {
    const { rows } = await pool.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    return rows[0]!.ssl
  } finally {
    await pool.end()
  }
}
const verified = (ca: string) => `?sslmode=verify-full&sslrootcert=${join(directory, `${ca}.pem`)}`

test('sslmode=verify-full encrypts, with one server and with several', async () => {
  expect(await isEncrypted(`localhost:${port}`, '')).toBe(false)
  expect(await isEncrypted(`localhost:${port}`, verified('ca'))).toBe(true)
  expect(await isEncrypted(`localhost:${await freePort()},localhost:${port}`, verified('ca'))).toBe(true)
})

test('refuses a server whose certificate another authority signed, or that has another name', async () => {
  await expect(isEncrypted(`localhost:${port}`, verified('other-ca'))).rejects.toThrow(/self-signed|unable to verify/)
  await expect(isEncrypted(`127.0.0.1:${port}`, verified('ca'))).rejects.toThrow(/altnames|IP/)
})
