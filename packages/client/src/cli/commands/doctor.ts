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
/** Per attempt, so that a check of an address where nothing answers ends within a minute. */
const TIMEOUT_MS = 10_000
const CLOCK_TOLERANCE_MS = 120_000

export function addDoctor(program: Command, { terminal }: CliContext): void {
  program
    .command('doctor')
    .description('check your setup: API key, URL, service, clock and quota (free)')
    .option('--json', 'output as JSON')
    .addHelpText('after', examples('brickmark doctor'))
    .action(async ({ json }: { json?: boolean }) => {
      const checks = await runChecks()
      if (json) terminal.out(JSON.stringify(checks.map(toJson), null, 2))
      else for (const check of checks) for (const line of linesOf(check)) terminal.out(line)
      process.exitCode = checks.findLast((check) => !check.ok)?.exitCode ?? 0
    })

  function linesOf({ ok, name, message, fix }: Check): string[] {
    const mark = ok ? terminal.style('green', 'ok  ') : terminal.style('red', 'FAIL')
    return [`${mark}  ${name.padEnd(8)}  ${message}`, ...(ok || fix === undefined ? [] : [`${' '.repeat(16)}→ ${fix}`])]
  }
}

function toJson({ name, ok, message, fix }: Check): object {
  return { name, ok, message, ...(!ok && fix !== undefined && { fix }) }
}

async function runChecks(): Promise<Check[]> {
  const nodeCheck: Check = { name: 'Node', ok: true, message: process.version }
  const settings = loadConfig(process.env, process.cwd())
  if (!settings) {
    const fix = 'run `brickmark login` or set BRICKMARK_API_KEY (or run `npm run demo` in a clone)'
    return [nodeCheck, { name: 'Key', ok: false, message: 'not found', fix, exitCode: 4 }]
  }
  return [nodeCheck, checkKey(settings), ...checkLoginPermissions(), ...(await checkService(settings))]
}

function checkKey({ apiKey, keySource, isDemo }: Config): Check {
  const problem = validateKey(apiKey)
  const from = `from ${isDemo ? 'the demo: ' : ''}${keySource}`
  if (problem === undefined) return { name: 'Key', ok: true, message: `${maskKey(apiKey)} ${from}` }
  return { name: 'Key', ok: false, message: `${from}. ${problem}`, fix: 'copy the key again', exitCode: 4 }
}

function checkLoginPermissions(): Check[] {
  if (!isLoginFileExposed(process.env)) return []
  const file = loginFile(process.env)
  return [
    { name: 'Login', ok: false, message: `${file} is readable by other users`, fix: `chmod 600 ${file}`, exitCode: 1 },
  ]
}

/** Checks connection, key, plan and clock with one free request. */
async function checkService({ apiKey, baseUrl }: Config): Promise<Check[]> {
  let response: Response | undefined
  const brickmark = new Brickmark({
    apiKey,
    baseUrl,
    timeout: TIMEOUT_MS,
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
      message: `${baseUrl} responded in ${took} ms (API version ${version ?? 'unknown'})`,
    })
    checks.push(checkClock(response.headers.get('date')))
  }
  if (!(quota instanceof Error)) return [...checks, { name: 'Quota', ok: true, message: formatQuota(quota) }]
  return [...checks, failedCheck(quota)]
}

function checkClock(date: string | null): Check {
  const skewMs = date === null ? 0 : Math.abs(Date.parse(date) - Date.now())
  const ok = skewMs <= CLOCK_TOLERANCE_MS
  const message = ok ? 'in sync with the server' : `${formatDuration(skewMs)} off from the server`
  return { name: 'Clock', ok, message, fix: 'sync your system clock', exitCode: 1 }
}

function failedCheck(error: Error): Check {
  const code = error instanceof BrickmarkError ? error.code : 'Error'
  const baseUrlFix = 'set BRICKMARK_BASE_URL to a URL ending in /api/v1'
  const fixes: Record<string, string> = {
    InvalidApiKey: 'create a new API key in your account and run `brickmark login`',
    TierRequired: 'upgrade to the Reseller plan',
    APIConnectionError: `${networkErrorCode(error)}check your connection and BRICKMARK_BASE_URL`,
    APITimeoutError: 'check your connection and BRICKMARK_BASE_URL',
    UnexpectedResponse: baseUrlFix,
    NotFound: baseUrlFix,
  }
  const fix = fixes[code] ?? 'retry in a minute'
  return {
    name: code.startsWith('API') ? 'Service' : 'Access',
    ok: false,
    message: error.message,
    fix,
    exitCode: exitCodeOf(error),
  }
}
