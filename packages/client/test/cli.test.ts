import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { fields } from '../src/cli/fields.generated.ts'
import { runCli, startCli, tempHome, CLI_PATH, type RunOptions } from './support/cli.ts'
import { HOLDINGS, startTestService, SALES, type TestService } from './support/test-service.ts'
import { systemNode } from '@brickmark/tests/support/nodes'

let service: TestService
let env: Record<string, string>

beforeAll(async () => {
  service = await startTestService()
  env = { BRICKMARK_API_KEY: service.account.key, BRICKMARK_BASE_URL: service.baseUrl }
})
afterAll(() => service.api.stop())

const ask = (line: string, runOptions: RunOptions = {}) =>
  runCli(line.split(' '), { ...runOptions, env: { ...env, ...runOptions.env } })

describe('text output', () => {
  test.each([
    ['set 90001', ['90001-1  Tidewater Lighthouse', '$100.00 (11.1% over retail price)', '$80.00 – $125.00 (80%)']],
    ['minifig hbr001', ['hbr001  Lighthouse Keeper', 'Likely range  –\n']],
    ['search tide', ['Set', '90001-1  Tidewater Lighthouse  Harbor']],
    ['search keeper --minifigs', ['hbr001   Lighthouse Keeper']],
    ['themes', ['Theme   Sets', 'Harbor     2']],
    ['history 90001-1', ['$90.00 in 2026-01, $100.00 in 2026-03 (+11.1%)', '$100.00 ┤', '╭', '2026-02']],
    ['retail --upc 036000291452', ['90001-1  Tidewater Lighthouse', '$50.00, sold by the retailer, -$5.00 1 h 0 min']],
    ['watch --changed-within 3h', ['90001-1  Tidewater Lighthouse', '-$5.00']],
    ['portfolio', ['Stock (default)', '260']],
    ['portfolio --by-month', ['2025-01   259    259  $15,540.00']],
    ['entries --max 1', ['sealed', '2025-01-15', '+$40.00', '+66.7%']],
    ['analytics --period 30d', ['260 units across 1 set\n', 'Value over 30d']],
    ['sales', ['2026-03-01  90001-1', 'ebay', '$100.00']],
    ['usage', ['of 1,000 credits', 'Remaining', 'Most requests']],
    ['changes', ['Continue with --after ']],
    ['alerts', ['90001-1', '$50.00 ≤ your $55.00 at Retailer A']],
    ['search --theme harbor --status unknown', ['Tidewater Lighthouse']],
    ['sales --from 2020-01-01 --set 90001', ['90001-1']],
    ['doctor', ['ok    Key', '(API version 1)', 'credits remaining. Resets at']],
  ])('%s', async (line, parts) => {
    const { code, stdout, stderr } = await ask(line)
    expect(stderr.replace(/^\d+ of \d+\. Use --max to see more\.\n$/, '')).toBe('')
    expect(code).toBe(0)
    for (const part of parts) expect(stdout).toContain(part.replace(' 1 h 0 min', ' 1 h'))
    expect(stdout).not.toContain('\u001b')
  })

  test('every command has help with examples', async () => {
    const { stdout } = await runCli(['--help'])
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) .*\S$/gm)].map((match) => match[1]!)
    const named = commands.filter((name) => !['brickmark', 'help'].includes(name))
    expect(new Set(named).size).toBe(24)
    const helps = await Promise.all([...new Set(named)].map((name) => runCli([name, '--help'])))
    for (const help of helps)
      expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Examples:') as string })
  })
})

describe('export', () => {
  test('downloads a file, and continues a download that was interrupted', async () => {
    const home = tempHome()
    const { stdout, stderr, code } = await ask('export sets', { cwd: home })
    expect([code, stderr]).toEqual([0, ''])
    const [name] = readdirSync(home)
    expect(name).toMatch(/^sets-\d{8}T\d{6}Z\.ndjson\.gz$/)
    expect(stdout).toContain(`${name}: 2 rows of `)
    const content = readFileSync(join(home, name!))
    expect(gunzipSync(content).toString()).toContain('"set_number":"90001-1"')
    rmSync(join(home, name!))
    writeFileSync(join(home, `${name}.part`), content.subarray(0, 100))
    expect((await ask('export sets --output all.gz', { cwd: home })).code).toBe(0)
    expect(readFileSync(join(home, 'all.gz'))).toEqual(content)
    expect(readdirSync(home)).toEqual(['all.gz'])
  })

  test('deletes what has the wrong checksum', async () => {
    const home = tempHome()
    await ask('export sets', { cwd: home })
    const [name] = readdirSync(home)
    writeFileSync(join(home, `${name}.part`), 'something else')
    expect(await ask('export sets', { cwd: home })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('The checksum of') as string,
    })
    expect(readdirSync(home)).toEqual([name])
  })

  test('--dry-run shows size and cost', async () => {
    expect((await ask('export history --dry-run')).stdout).toMatch(/^1 rows of .*, 1 kB, 1 credit\n$/)
  })

  test('knows what there is to download', async () => {
    expect(await ask('export prices')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('sets, minifigs, history') as string,
    })
  })
})

describe('machine-readable output', () => {
  test('--json prints the data of the API unchanged', async () => {
    const { stdout } = await ask('set 90001 --json')
    expect(JSON.parse(stdout)).toEqual((await service.api.get('/set/90001-1', service.account)).data)
  })

  test('--json prints all items of a list', async () => {
    expect(JSON.parse((await ask('entries --json')).stdout)).toHaveLength(HOLDINGS)
    expect(JSON.parse((await ask('sales --json --fields id,roi_pct')).stdout)).toHaveLength(SALES)
  })

  test.each([
    ['set 90001', fields.Set],
    ['search tide', fields.SetSearchResult],
    ['themes', fields.Theme],
    ['history 90001', fields.HistoryPoint],
    ['retail 90001', fields.RetailWatchRow],
    ['watch', fields.RetailWatchRow],
    ['portfolio', fields.BrickfolioSummary],
    ['entries', fields.Holding],
    ['analytics', fields.ValuePoint],
    ['sales', fields.Sale],
  ])('%s --csv has a column per field, and a header even without rows', async (line, columns) => {
    const { stdout, stderr } = await ask(`${line} --csv`)
    expect(stdout.split('\n')[0]).toBe(columns.join(','))
    expect(stdout.trim().split('\n').length).toBeGreaterThan(1)
    expect(stderr).toBe('')
    if (!['watch', 'entries', 'sales'].includes(line)) return
    const { key } = await service.api.createAccount()
    const empty = await ask(`${line} --csv`, { env: { BRICKMARK_API_KEY: key } })
    expect(empty.stdout).toBe(`${columns.join(',')}\n`)
  })

  test('--csv escapes spreadsheet formulas but keeps negative numbers', async () => {
    const formula = await ask('search hyperlink --csv --fields title')
    expect(formula.stdout).toBe(`title\n"'=HYPERLINK(""http://example.org"")"\n`)
    const { stdout } = await ask('entries --csv --fields unrealized_gain_loss_usd')
    expect(stdout.trim().split('\n').at(-1)).toBe('-50')
  })

  test('--fields selects columns, including nested ones, in CSV and tables', async () => {
    const { stdout } = await ask('set 90001 --csv --fields set_number,value_range.low')
    expect(stdout).toBe('set_number,value_range.low\n90001-1,80\n')
    expect((await ask('set 90001 --fields set_number,theme')).stdout).toBe('set_number  theme\n90001-1     Harbor\n')
  })

  test('--dry-run prints the cost and is free', async () => {
    const before = await service.api.creditsUsed(service.account)
    expect((await ask('set 90001 --dry-run')).stdout).toBe('1 credit\n')
    expect((await ask('entries --dry-run')).stdout).toBe('1 credit per 250 lots\n')
    const batch = await ask('batch --dry-run --json', { input: '90001 90001-1, 90002\nhbr001 HBR001' })
    expect(batch.stdout).toBe('{"credits":3}\n')
    const entries = await ask('entries --max 300 --dry-run --json')
    expect(entries.stdout).toBe('{"credits_per_250":1,"max_credits":2}\n')
    expect(await service.api.creditsUsed(service.account)).toBe(before)
  })
})

describe('api', () => {
  test.each([
    ['api set/90001 --select title', 'Tidewater Lighthouse\n'],
    ['api /set/90001 --select value_range.low', '80\n'],
    ['api /brickfolio/entries?limit=2 --select entries[].set_number', '90001-1\n90001-1\n'],
    ['api /catalog/sets/search?q=tide --select results[0].set_number', '90001-1\n'],
  ])('%s', async (line, printed) => {
    expect(await ask(line)).toEqual({ code: 0, stdout: printed, stderr: '' })
  })

  test('prints all of the data, and sends what --body says', async () => {
    const { stdout } = await ask('api /set/90001')
    expect(JSON.parse(stdout)).toEqual((await service.api.get('/set/90001', service.account)).data)
    const batch = await ask('api /catalog/batch --body - --select summary.found', { input: '{"sets": ["90001", "1"]}' })
    expect(batch.stdout).toBe('1\n')
  })

  test.each([
    ['api /set/1', 3, 'No set found'],
    ['api /set/90001 --select titel', 2, 'Did you mean "title"? There are: set_number'],
    ['api /set/90001 --select title[]', 2, 'There is no list where "title[]" has [].'],
    ['api /set/90001 --select a..b{', 2, 'isn’t a path'],
    ['api /set/90001 --body {x', 2, '--body isn’t JSON'],
    ['api', 2, "missing required argument 'path'"],
  ])('%s: exits with %i', async (line, code, message) => {
    const result = await ask(line)
    expect([result.code, result.stdout]).toEqual([code, ''])
    expect(result.stderr).toContain(message)
  })
})

describe('watch --follow', () => {
  test('prints what changes from then on, once, until interrupted', async () => {
    const env = { BRICKMARK_API_KEY: service.account.key, BRICKMARK_BASE_URL: service.baseUrl }
    const cli = startCli(
      ['watch', '--follow', '--every', '10s', '--csv', '--fields', 'setNumber,retailer_a.price'],
      env,
    )
    const before = await service.api.creditsUsed(service.account)
    await vi.waitUntil(async () => (await service.api.creditsUsed(service.account)) > before, { timeout: 20_000 })
    await changePrice(4400)
    await vi.waitUntil(() => cli.output().includes('44'), { timeout: 40_000 })
    await changePrice(4300)
    await vi.waitUntil(() => cli.output().includes('43'), { timeout: 40_000 })
    expect(cli.output()).toBe('setNumber,retailer_a.price\n90001-1,44\n90001-1,43\n')
    await cli.interrupt()
  })

  test.each(['5s', '1d', 'soon'])('--every %s: exits with 2', async (time) => {
    const { code, stderr } = await ask(`watch --follow --every ${time}`)
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be like 30s, 5m or 1h')])
  })

  async function changePrice(price_cents: number): Promise<void> {
    await service.api.db
      .updateTable('market.retail_state')
      .set({ price_cents, changed_at: new Date() })
      .where('set_number', '=', '90001-1')
      .where('retailer', '=', 'retailer_a')
      .execute()
  }
})

describe('webhooks listen', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

  test('prints events with the right signature, and rejects others', async () => {
    const port = await freePort()
    const cli = startCli(['webhooks', 'listen', '--port', String(port), '--secret', secret], {})
    const isUp = async () => fetch(`http://127.0.0.1:${port}`).then(Boolean, () => false)
    await vi.waitUntil(isUp, { timeout: 20_000 })
    const data = { item_number: '90001-1', title: 'Tidewater Lighthouse', reason: '$39.99 ≤ your $42.00 at Retailer A' }
    const body = JSON.stringify({ type: 'alert.price_at_most', timestamp: '2026-06-01T12:00:00.000Z', data })
    const send = async (sentBody: string) => {
      const at = new Date()
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
      }
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: sentBody })).status
    }
    expect(await send(body)).toBe(204)
    expect(await send(`${body} `)).toBe(400)
    await vi.waitUntil(() => cli.output() !== '', { timeout: 10_000 })
    expect(cli.output()).toBe(
      '2026-06-01 12:00:00  alert.price_at_most  90001-1  Tidewater Lighthouse: $39.99 ≤ your $42.00 at Retailer A\n',
    )
    await cli.interrupt()
  })

  test('needs a secret', async () => {
    const { code, stderr } = await ask('webhooks listen')
    expect([code, stderr]).toEqual([2, 'brickmark: Pass --secret, or set BRICKMARK_WEBHOOK_SECRET.\n'])
  })
})

describe('batch', () => {
  test('reads numbers from standard input', async () => {
    const { stdout, stderr } = await ask('batch --csv', { input: '90001, 1\nhbr001' })
    expect(stdout).toBe(
      'kind,number,found,name,value_usd,used_value_usd,range_low,range_high\n' +
        'set,90001-1,true,Tidewater Lighthouse,100,71.1,80,125\nset,1,false,,,,,\nminifig,hbr001,true,Lighthouse Keeper,,,,\n',
    )
    expect(stderr).toBe('Not found: 1.\n')
  })

  test('reads numbers from a file', async () => {
    const file = join(tempHome(), 'numbers.txt')
    writeFileSync(file, '90001\n')
    expect(JSON.parse((await ask(`batch ${file} --json`)).stdout)).toMatchObject({ sets: [{ found: true }] })
  })

  test("doesn't start a batch that exceeds the quota", async () => {
    const poor = await service.api.createAccount({ limit: 100 })
    const input = Array.from({ length: 150 }, (_, index) => 90_001 + index).join(' ')
    const { code, stdout, stderr } = await ask('batch', { input, env: { BRICKMARK_API_KEY: poor.key } })
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr).toContain('This needs 150 credits, but you have only 100 remaining. No credits were used.')
    expect(stderr).toContain('brickmark entries')
    expect(await service.api.creditsUsed(poor)).toBe(0)
  })
})

describe('exit codes, with an empty standard output', () => {
  test.each([
    [1, 'batch /nowhere/numbers.txt', 'ENOENT', {}],
    [2, 'sett 90001', '(Did you mean set?)', {}],
    [2, 'set 90001 --jsno', '(Did you mean --json?)', {}],
    [2, 'set', "missing required argument 'number'", {}],
    [2, 'set 90001 --json --csv', 'cannot be used with', {}],
    [2, 'entries --fields titel', 'Did you mean "title"?', {}],
    [2, 'entries --max many', "option '--max <number>' argument 'many' is invalid. It must be a positive integer", {}],
    [2, 'search x', 'at least 2 non-space characters', {}],
    [2, 'batch', 'No numbers found', {}],
    [3, 'set 1', 'No set found with number 1. Use `brickmark search` to search by name.', {}],
    [3, 'minifig x1', 'Use `brickmark search --minifigs` to search by name.', {}],
    [3, 'retail 90002-1', 'No retailer prices found.', {}],
    [4, 'set 90001', 'Invalid API key from BRICKMARK_API_KEY.', { BRICKMARK_API_KEY: 'bmk_live_nonsense' }],
    [
      4,
      'doctor',
      'from BRICKMARK_API_KEY. API keys are 57 characters long, but this one has 17.',
      { BRICKMARK_API_KEY: 'bmk_live_nonsense' },
    ],
    [4, 'set 90001', 'brickmark login', { BRICKMARK_API_KEY: '' }],
    [6, 'set 90001', 'Run `brickmark doctor` to diagnose.', { BRICKMARK_BASE_URL: 'http://127.0.0.1:9/api/v1' }],
  ])('%i: %s', async (code, line, says, changed) => {
    const ran = await ask(line, { env: changed })
    expect(ran.code).toBe(code)
    if (line === 'doctor') return expect(ran.stdout).toContain(says)
    expect(ran.stderr).toContain(says)
    expect(ran.stderr).not.toMatch(/^ +at /m)
    expect(ran.stdout).toBe('')
  })

  test('2: prints the help on standard error if there are no arguments', async () => {
    expect(await runCli([])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Usage:') as string,
    })
  })

  test('4: the plan has no API access', async () => {
    const { key } = await service.api.createAccount({ plan: 'hobby' })
    expect(await ask('set 90001', { env: { BRICKMARK_API_KEY: key } })).toMatchObject({ code: 4, stdout: '' })
  })

  test('5: the quota is exceeded; the message says when it resets', async () => {
    const { key } = await service.api.createAccount({ limit: 1 })
    await ask('set 90001', { env: { BRICKMARK_API_KEY: key } })
    const { code, stderr } = await ask('set 90001', { env: { BRICKMARK_API_KEY: key } })
    expect(code).toBe(5)
    expect(stderr).toMatch(/Your quota resets in .*, at \d{4}-\d\d-\d\d 00:00 UTC/)
  })
})

test('exits quietly on EPIPE', async () => {
  const command = `"${systemNode()}" "${CLI_PATH}" entries --json | head -2; echo "\${PIPESTATUS[0]}"`
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command], { env: { ...process.env, ...env } })
  expect({ stdout, stderr }).toEqual({ stdout: '[\n  {\n0\n', stderr: '' })
})

test('bash completes commands and options', async () => {
  const { stdout: script } = await runCli(['completion', 'bash'])
  const complete = async (...words: string[]) => {
    const line = `${script}\nCOMP_WORDS=(brickmark ${words.join(' ')}); COMP_CWORD=${words.length}; _brickmark; echo "\${COMPREPLY[@]}"`
    return (await promisify(execFile)('bash', ['-c', line])).stdout.trim()
  }
  expect(await complete('hi')).toBe('history')
  expect(await complete('watch', '--ch')).toBe('--changed-within')
  expect(await complete('analytics', '--period', '9')).toBe('90d')
  expect(await complete('completion', 'f')).toBe('fish')
  for (const shell of ['zsh', 'fish']) expect((await runCli(['completion', shell])).code).toBe(0)
})
