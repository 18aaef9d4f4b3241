import type { Command } from 'commander'
import { Brickmark } from '../../brickmark.ts'
import { BrickmarkError } from '../../errors.ts'
import { maskKey, validateKey } from '../../api-key.ts'
import { networkErrorCode, exitCodeOf } from '../errors.ts'
import { formatDuration } from '../format.ts'
import { examples, formatQuota, type CliContext } from '../context.ts'
import { loadConfig, loginFile, isLoginFileExposed, type Config } from '../config.ts'

type Check = { name: string; ok: boolean; message: string; fix?: string; exitCode?: number }

/** Clock skew above which the local reset time of the quota would be misleading. */
const CLOCK_TOLERANCE_MS = 120_000

export function addDoctor(program: Command, { terminal }: CliContext): void {
  program
    .command('doctor')
    .description('check the key, the address, the service, the clock and the quota (free)')
    .option('--json', 'the checks as JSON')
    .addHelpText('after', examples('brickmark doctor'))
    .action(async ({ json }: { json?: boolean }) => {
      const checks = await runChecks()
      if (json) terminal.out(JSON.stringify(checks, null, 2))
      else for (const check of checks) for (const line of linesOf(check)) terminal.out(line)
      process.exitCode = checks.findLast((check) => !check.ok)?.exitCode ?? 0
    })

  function linesOf({ ok, name, message, fix }: Check): string[] {
    const mark = ok ? terminal.style('green', 'ok  ') : terminal.style('red', 'FAIL')
    return [`${mark}  ${name.padEnd(8)}  ${message}`, ...(ok || fix === undefined ? [] : [`${' '.repeat(16)}→ ${fix}`])]
  }
}

async function runChecks(): Promise<Check[]> {
  const node: Check = { name: 'Node', ok: true, message: process.version }
  const settings = loadConfig(process.env, process.cwd())
  if (!settings) {
    const fix = 'run `brickmark login`, set BRICKMARK_API_KEY, or run `npm run demo` in a clone'
    return [node, { name: 'Key', ok: false, message: 'none is known', fix, exitCode: 4 }]
  }
  return [node, checkKey(settings), ...checkLoginPermissions(), ...(await checkService(settings))]
}

function checkKey({ apiKey, keySource, isDemo }: Config): Check {
  const problem = validateKey(apiKey)
  const from = `from ${isDemo ? 'the demo: ' : ''}${keySource}`
  if (problem === undefined) return { name: 'Key', ok: true, message: `${maskKey(apiKey)} ${from}` }
  return { name: 'Key', ok: false, message: `${from}. ${problem}`, fix: 'copy the key once more', exitCode: 4 }
}

function checkLoginPermissions(): Check[] {
  if (!isLoginFileExposed(process.env)) return []
  const file = loginFile(process.env)
  return [{ name: 'Login', ok: false, message: `others can read ${file}`, fix: `chmod 600 ${file}`, exitCode: 1 }]
}

/** Checks connection, key, plan and clock with one free request. */
async function checkService({ apiKey, baseUrl }: Config): Promise<Check[]> {
  let response: Response | undefined
  const brickmark = new Brickmark({
    apiKey,
    baseUrl,
    fetch: async (...request) => (response = await fetch(...request)),
  })
  const started = performance.now()
  const quota = await brickmark.getRateLimit().catch((error: unknown) => error as Error)
  const took = Math.round(performance.now() - started)
  const checks: Check[] = []
  if (response) {
    const version = response.headers.get('x-api-version')
    checks.push({
      name: 'Service',
      ok: true,
      message: `${baseUrl} answered in ${took} ms, contract version ${version ?? 'unknown'}`,
    })
    checks.push(checkClock(response.headers.get('date')))
  }
  if (!(quota instanceof Error)) return [...checks, { name: 'Quota', ok: true, message: formatQuota(quota) }]
  return [...checks, failedCheck(quota)]
}

function checkClock(date: string | null): Check {
  const skewMs = date === null ? 0 : Math.abs(Date.parse(date) - Date.now())
  const ok = skewMs <= CLOCK_TOLERANCE_MS
  const message = ok ? 'agrees with the service' : `${formatDuration(skewMs)} apart from the service's`
  return { name: 'Clock', ok, message, fix: "set this machine's clock", exitCode: 1 }
}

function failedCheck(error: Error): Check {
  const code = error instanceof BrickmarkError ? error.code : 'Error'
  const addressFix = 'set BRICKMARK_BASE_URL to an address that ends in /api/v1'
  const fixes: Record<string, string> = {
    InvalidApiKey: 'make a new key in the account area and run `brickmark login`',
    TierRequired: 'move the account to the Reseller plan',
    ConnectionError: `${networkErrorCode(error)}start the service, or set BRICKMARK_BASE_URL`,
    UnexpectedResponse: addressFix,
    NotFound: addressFix,
  }
  const fix = fixes[code] ?? 'try again in a minute'
  return {
    name: code.startsWith('Conn') ? 'Service' : 'Access',
    ok: false,
    message: error.message,
    fix,
    exitCode: exitCodeOf(error),
  }
}
