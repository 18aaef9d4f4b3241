import { readdirSync, readFileSync } from 'node:fs'

const TICK_US = 10_000

/** CPU time of a process so far, in µs, including its exited and running children. */
export function cpuUs(pid: number): number {
  const own = ticksOf(pid)
  return childrenOf(pid).reduce((sum, child) => sum + cpuUs(child), own * TICK_US)
}

function ticksOf(pid: number): number {
  const fields = readProcStat(pid)
  // utime, stime, cutime, cstime
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(readProcStat(pid)[1]) === parent)
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
