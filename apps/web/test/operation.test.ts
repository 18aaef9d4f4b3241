import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestWeb, type TestWeb } from './support/web.ts'

/** What load balancers and proxies in front of the web application rely on. */

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb({ env: { TRUST_PROXY: '2', SIGN_INS_PER_MINUTE: '3' } })
})
afterAll(() => web.stop())

async function readiness(): Promise<[number, string]> {
  const response = await fetch(`${web.origin}/readyz`)
  return [response.status, (await response.text()).trim()]
}

test('/readyz is 503 while the database has another schema', async () => {
  expect(await readiness()).toEqual([200, 'ready'])
  const { rows } = await sql<{ name: string }>`select max(name) as name from public.migration`.execute(web.db)
  const { name } = rows[0]!
  const rename = (from: string, to: string) =>
    sql`update public.migration set name = ${to} where name = ${from}`.execute(web.db)
  await rename(name, 'another')
  await expect.poll(readiness, { timeout: 5000 }).toEqual([503, `not ready: missing migrations: ${name}`])
  await rename('another', name)
  await expect.poll(readiness, { timeout: 5000 }).toEqual([200, 'ready'])
})

test('/readyz is 503 once the database hasn’t been reached for ten seconds', { timeout: 60_000 }, async () => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(web.db)
  const database = sql.id(rows[0]!.name)
  await sql`revoke connect on database ${database} from brickmark_web, public`.execute(web.db)
  const lost = Date.now()
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and usename = 'brickmark_web'`.execute(web.db)
  expect((await readiness())[0]).toBe(200)
  await expect.poll(readiness, { timeout: 20_000 }).toEqual([503, 'not ready: the database cannot be reached'])
  expect(Date.now() - lost).toBeGreaterThan(8000)
  await sql`grant connect on database ${database} to brickmark_web`.execute(web.db)
  await expect.poll(readiness, { timeout: 10_000 }).toEqual([200, 'ready'])
})

test('behind two proxies, the address before the last is the caller’s', async () => {
  const tryPassword = async (forwarded: string) => {
    const response = await fetch(`${web.origin}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: web.origin, 'x-forwarded-for': forwarded },
      body: new URLSearchParams({ email: 'nobody@example.com', password: 'wrong password' }),
    })
    return (await response.text()).includes('Too many attempts')
  }
  const results: boolean[] = []
  // What a client claims doesn't count, nor does which edge of the CDN it came through.
  for (let n = 0; n < 5; n++) results.push(await tryPassword(`6.6.6.${n}, 10.0.0.1, 172.16.0.${n}`))
  expect(results.slice(0, 3)).toEqual([false, false, false])
  expect(results[4]).toBe(true)
  expect(await tryPassword('6.6.6.6, 10.0.0.2, 172.16.0.1')).toBe(false)
})
