import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cpuUs } from './process-stats.ts'
import { logProgress } from './report.ts'
import { ensureDebianPackage } from './debian.ts'

export type Request = { method: 'GET' | 'POST'; path: string; body?: string }

export type LoadOptions = {
  origin: string
  connections: number
  seconds: number
  script: string
  /** Warm-up run: results are discarded and non-200 responses tolerated. */
  isWarmUp?: boolean
}

export type Measurement = { rps: number; p50_ms: number; p99_ms: number; cpu_us: Record<string, number> }

/** Requests are formatted once up front; 20,000 are enough to cover every key and every path. */
const MAX_PREPARED_REQUESTS = 20_000

/**
 * Writes a wrk script that cycles through `requests` and through the keys. The two counts share few factors, so that
 * over time every key sends every request.
 */
export async function writeWrkScript(
  directory: string,
  name: string,
  requests: Request[],
  keys: string[],
): Promise<string> {
  const lines = Array.from({ length: Math.min(MAX_PREPARED_REQUESTS, requests.length * keys.length) }, (_, index) => {
    const { method, path, body = '' } = requests[index % requests.length]!
    return [method, path, keys[(index * 7) % keys.length], body].join('\t')
  })
  const list = join(directory, `${name}.tsv`)
  await writeFile(list, lines.join('\n'))
  const script = join(directory, `${name}.lua`)
  await writeFile(script, WRK_SCRIPT.replace('LIST', list))
  return script
}

const WRK_SCRIPT = `
local prepared, place = {}, 0
function init()
  for line in io.lines('LIST') do
    local method, path, key, body = line:match('^(.-)\\t(.-)\\t(.-)\\t(.*)$')
    local headers = { ['Authorization'] = 'Bearer ' .. key, ['Host'] = 'localhost' }
    if body ~= '' then headers['Content-Type'] = 'application/json' end
    prepared[#prepared + 1] = wrk.format(method, path, headers, body ~= '' and body or nil)
  end
end
function request()
  place = place % #prepared + 1
  return prepared[place]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, summary.duration,
    e.connect + e.read + e.write + e.timeout + e.status, latency:percentile(50), latency:percentile(99)))
end`

const MAX_ATTEMPTS = 3

/**
 * Puts load on a server for some seconds and measures the CPU time of the named processes. A response other than 200 voids
 * the measurement, except while warming up: it is repeated, and fails the third time. Requests are rejected when the whole
 * machine stalls.
 */
export async function runLoad(
  load: LoadOptions,
  processes: Record<string, number>,
): Promise<Measurement & { requests: number }> {
  for (let attempt = 1; ; attempt++) {
    const { errors, ...measured } = await measureLoad(load, processes)
    if (measured.requests > 0 && (errors === 0 || load.isWarmUp)) return measured
    const problem = `${errors} of ${measured.requests} requests to ${load.origin} failed or had a status other than 200`
    if (attempt === MAX_ATTEMPTS) throw new Error(problem)
    logProgress(`${problem}; repeating`)
  }
}

async function measureLoad(
  { origin, connections, seconds, script }: LoadOptions,
  processes: Record<string, number>,
): Promise<Measurement & { requests: number; errors: number }> {
  ensureDebianPackage('wrk', '/usr/bin/wrk')
  const cpu = () => Promise.all(Object.entries(processes).map(async ([name, pid]) => [name, await cpuUs(pid)] as const))
  const before = await cpu()
  const options = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s', '-s', script]
  const { stdout } = await promisify(execFile)('wrk', [...options, origin])
  const after = Object.fromEntries(await cpu())
  const result = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout)
  if (!result) throw new Error(`unexpected wrk output: ${stdout}`)
  const [requests, duration, errors, p50, p99] = result.slice(1).map(Number) as [number, number, number, number, number]
  return {
    requests,
    errors,
    rps: requests / (duration / 1e6),
    p50_ms: p50 / 1000,
    p99_ms: p99 / 1000,
    cpu_us: Object.fromEntries(before.map(([name, us]) => [name, (after[name]! - us) / requests])),
  }
}
