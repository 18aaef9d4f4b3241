import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const TICK_US = 10_000

/**
 * CPU time of a process so far, in µs, including its exited and running children. A child that exits while this reads
 * would be counted twice or not at all, so this reads again until no process has started or ended meanwhile.
 */
export async function cpuUs(root: number): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const before = descendantsOf(root)
    const ticks = before.reduce((sum, pid) => sum + ticksOf(pid), ticksOf(root))
    if (descendantsOf(root).join() === before.join()) return ticks * TICK_US
    await sleep(10)
  }
  throw new Error(`the children of process ${root} keep starting and ending`)
}

/** Waits until a process has no more children than before: PostgreSQL ends a backend after its client has gone. */
export async function waitForChildrenToExit(pid: number, remaining: number): Promise<void> {
  for (let tries = 0; tries < 500 && countChildren(pid) > remaining; tries++) await sleep(10)
}

export function countChildren(pid: number): number {
  return descendantsOf(pid).length
}

function ticksOf(pid: number): number {
  const fields = readProcStat(pid)
  // utime, stime, cutime, cstime
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
}

function descendantsOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .map((pid) => ({ pid, parent: Number(readProcStat(pid)[1]) }))
  const childrenOf = (parent: number): number[] =>
    parents.filter((one) => one.parent === parent).flatMap(({ pid }) => [pid, ...childrenOf(pid)])
  return childrenOf(root)
}

/** Returns the fields of /proc/PID/stat after the program name; empty if the process has just exited. */
function readProcStat(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Resident memory of a process, in MB. */
export function rssMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Math.round(Number(kilobytes) / 1024)
}
