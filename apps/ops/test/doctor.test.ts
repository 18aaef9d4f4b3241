import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { runChecks, formatChecks } from '../commands/doctor.ts'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { seedForRequests } from '@brickmark/tests/support/valid-requests'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi(seedForRequests)
})
afterAll(() => api.stop())

const examineAll = (databaseUrl = api.databaseUrl) =>
  runChecks({ databaseUrl, apiUrl: api.origin, mailUrl: 'file:///tmp' })
const unwell = async () => (await examineAll()).filter(({ ok }) => !ok).map(({ name }) => name)

test('all checks pass on a complete installation', async () => {
  expect(await unwell()).toEqual([])
})

test('failed checks are listed with a fix, and only those', async () => {
  await sql`insert into source.import (feed, file_name, fingerprint, accepted, repeated, quarantined, finished_at)
            values ('sales', 'old.csv', 'x', 1, 0, 1, now() - interval '3 days')`.execute(api.db)
  await sql`insert into source.quarantine (import_id, feed, row_number, reason, raw)
            select id, feed, 1, 'no such set', 'x' from source.import`.execute(api.db)
  const findings = await examineAll()
  const ill = findings.filter(({ ok }) => !ok)
  expect(ill.map(({ name }) => name)).toEqual(['feeds', 'quarantine'])
  const text = formatChecks(findings)
  expect(text).toContain('✗ feeds')
  expect(text).toContain('sales 3 d ago')
  expect(text).toMatch(/✗ quarantine +1 rows quarantined\n +→ npm run ops -- quarantine/)
  await sql`delete from source.quarantine`.execute(api.db)
  await sql`delete from source.import`.execute(api.db)
})

test('an unreachable database is reported first, and checks that depend on it are skipped', async () => {
  const findings = await examineAll('postgres://nobody@127.0.0.1:1/none')
  expect(findings.map(({ name, ok }) => [name, ok])).toEqual([
    ['database', false],
    ['api', true],
    ['mail', true],
  ])
})

test('reports a missing MAIL_URL and an unreachable mail server', async () => {
  const mail = async (mailUrl?: string) =>
    (await runChecks({ databaseUrl: api.databaseUrl, mailUrl })).find(({ name }) => name === 'mail')!
  expect((await mail()).message).toBe('MAIL_URL is not set')
  expect(await mail('smtp://127.0.0.1:1')).toMatchObject({ ok: false })
})

test.each([
  ['pass', 'file:///tmp', 0],
  ['do not all pass', 'smtp://127.0.0.1:1', 1],
])('if the checks %s, ops doctor sets its exit code', async (_, mailUrl, code) => {
  const ops = fileURLToPath(new URL('../main.ts', import.meta.url))
  const doctor = spawn(process.execPath, [ops, 'doctor', '--api', api.origin], {
    env: { DATABASE_URL: api.databaseUrl, MAIL_URL: mailUrl },
  })
  expect((await once(doctor, 'exit'))[0]).toBe(code)
})
