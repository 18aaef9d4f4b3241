import type { Command } from 'commander'
import { Brickmark } from '../../brickmark.ts'
import { BrickmarkError } from '../../errors.ts'
import { maskKey, problemWithKey } from '../../api-key.ts'
import { causeOf, exitCodeOf } from '../errors.ts'
import { duration } from '../format.ts'
import { examples, unitsLeft, type Kit } from '../context.ts'
import { findSettings, loginFile, loginIsExposed, type Settings } from '../config.ts'

type Check = { name: string; ok: boolean; says: string; fix?: string; exitCode?: number }

/** A quota day ends at the service's midnight; a clock that is further off than this misleads. */
const CLOCK_TOLERANCE_MS = 120_000

export function addDoctor(program: Command, { terminal }: Kit): void {
  program
    .command('doctor')
    .description('check the key, the address, the service, the clock and the quota (free)')
    .option('--json', 'the checks as JSON')
    .addHelpText('after', examples('brickmark doctor'))
    .action(async ({ json }: { json?: boolean }) => {
      const checks = await examine()
      if (json) terminal.out(JSON.stringify(checks, null, 2))
      else for (const check of checks) for (const line of linesOf(check)) terminal.out(line)
      process.exitCode = checks.findLast((check) => !check.ok)?.exitCode ?? 0
    })

  function linesOf({ ok, name, says, fix }: Check): string[] {
    const mark = ok ? terminal.paint('green', 'ok  ') : terminal.paint('red', 'FAIL')
    return [`${mark}  ${name.padEnd(8)}  ${says}`, ...(ok || fix === undefined ? [] : [`${' '.repeat(16)}→ ${fix}`])]
  }
}

async function examine(): Promise<Check[]> {
  const node: Check = { name: 'Node', ok: true, says: process.version }
  const settings = findSettings(process.env, process.cwd())
  if (!settings) {
    const fix = 'run `brickmark login`, set BRICKMARK_API_KEY, or run `npm run demo` in a clone'
    return [node, { name: 'Key', ok: false, says: 'none is known', fix, exitCode: 4 }]
  }
  return [node, keyCheck(settings), ...exposureCheck(), ...(await serviceChecks(settings))]
}

function keyCheck({ apiKey, keyFrom, isDemo }: Settings): Check {
  const problem = problemWithKey(apiKey)
  const from = `from ${isDemo ? 'the demo: ' : ''}${keyFrom}`
  if (problem === undefined) return { name: 'Key', ok: true, says: `${maskKey(apiKey)} ${from}` }
  return { name: 'Key', ok: false, says: `${from}. ${problem}`, fix: 'copy the key once more', exitCode: 4 }
}

function exposureCheck(): Check[] {
  if (!loginIsExposed(process.env)) return []
  const file = loginFile(process.env)
  return [{ name: 'Login', ok: false, says: `others can read ${file}`, fix: `chmod 600 ${file}`, exitCode: 1 }]
}

/** One free request tells the rest. */
async function serviceChecks({ apiKey, baseUrl }: Settings): Promise<Check[]> {
  let answered: Response | undefined
  const brickmark = new Brickmark({
    apiKey,
    baseUrl,
    fetch: async (...request) => (answered = await fetch(...request)),
  })
  const started = performance.now()
  const asked = await brickmark.getRateLimit().catch((error: unknown) => error as Error)
  const took = Math.round(performance.now() - started)
  const checks: Check[] = []
  if (answered) {
    const version = answered.headers.get('x-api-version')
    checks.push({
      name: 'Service',
      ok: true,
      says: `${baseUrl} answered in ${took} ms, contract version ${version ?? 'unknown'}`,
    })
    checks.push(clockCheck(answered.headers.get('date')))
  }
  if (!(asked instanceof Error)) return [...checks, { name: 'Quota', ok: true, says: unitsLeft(asked) }]
  return [...checks, failure(asked)]
}

function clockCheck(date: string | null): Check {
  const apart = date === null ? 0 : Math.abs(Date.parse(date) - Date.now())
  const ok = apart <= CLOCK_TOLERANCE_MS
  const says = ok ? 'agrees with the service' : `${duration(apart)} apart from the service's`
  return { name: 'Clock', ok, says, fix: "set this machine's clock", exitCode: 1 }
}

function failure(error: Error): Check {
  const code = error instanceof BrickmarkError ? error.code : 'Error'
  const addressFix = 'set BRICKMARK_BASE_URL to an address that ends in /api/v1'
  const fixes: Record<string, string> = {
    InvalidApiKey: 'make a new key in the account area and run `brickmark login`',
    TierRequired: 'move the account to the Reseller plan',
    ConnectionError: `${causeOf(error)}start the service, or set BRICKMARK_BASE_URL`,
    UnexpectedAnswer: addressFix,
    NotFound: addressFix,
  }
  const fix = fixes[code] ?? 'try again in a minute'
  return {
    name: code.startsWith('Conn') ? 'Service' : 'Access',
    ok: false,
    says: error.message,
    fix,
    exitCode: exitCodeOf(error),
  }
}
