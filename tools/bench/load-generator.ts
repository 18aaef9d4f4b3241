import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cpuUs } from './process-stats.ts'
import { ensureDebianPackage } from './debian.ts'

export type Request = { method: 'GET' | 'POST'; path: string; body?: string }

export type LoadOptions = {
  origin: string
  connections: number
  seconds: number
  script: string
  /** Nothing is measured yet: a server that is still slow may refuse some. */
  isWarmUp?: boolean
}

export type Measurement = { rps: number; p50_ms: number; p99_ms: number; cpu_us: Record<string, number> }

/** A request is made as text once; 20,000 of them are enough to meet every key and every address. */
const MAX_PREPARED_REQUESTS = 20_000

/**
 * Writes a script for wrk that asks for each of `requests` in turn, with one of the keys at a time. The two counts share
 * few factors, so that over time a key asks for everything.
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

/** Loads a server for some seconds. Every answer must be 200, unless it is warming up; the CPU of each named process is counted meanwhile. */
export async function runLoad(
  { origin, connections, seconds, script, isWarmUp = false }: LoadOptions,
  processes: Record<string, number>,
): Promise<Measurement & { requests: number }> {
  ensureDebianPackage('wrk', '/usr/bin/wrk')
  const cpu = () => Object.entries(processes).map(([name, pid]) => [name, cpuUs(pid)] as const)
  const before = cpu()
  const options = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s', '-s', script]
  const { stdout } = await promisify(execFile)('wrk', [...options, origin])
  const after = Object.fromEntries(cpu())
  const result = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout)
  if (!result) throw new Error(`wrk said: ${stdout}`)
  const [requests, duration, errors, p50, p99] = result.slice(1).map(Number) as [number, number, number, number, number]
  if ((errors > 0 && !isWarmUp) || requests === 0)
    throw new Error(`${errors} of ${requests} requests were not answered with 200`)
  return {
    requests,
    rps: requests / (duration / 1e6),
    p50_ms: p50 / 1000,
    p99_ms: p99 / 1000,
    cpu_us: Object.fromEntries(before.map(([name, us]) => [name, (after[name]! - us) / requests])),
  }
}
