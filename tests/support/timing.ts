import { readFile } from 'node:fs/promises'

const SAMPLE_MS = 20

/**
 * Runs `work` and returns how long it took, without the time that the event loop stood still: on a busy machine, timers
 * fire late and say nothing about the limit under test.
 */
export async function timeWithoutStalls(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  let stalledMs = 0
  let sampledAt = startedAt
  const sample = () => {
    const now = performance.now()
    stalledMs += Math.max(0, now - sampledAt - SAMPLE_MS)
    sampledAt = now
  }
  const timer = setInterval(sample, SAMPLE_MS)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  sample()
  return performance.now() - startedAt - stalledMs
}

/** Returns the CPU time that `work` took in milliseconds, which other processes don't lengthen. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const MS_PER_TICK = 10

/** Returns the user and system time of a process so far, in milliseconds. */
export async function processCpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

/** Returns the peak resident memory of a process, in megabytes. */
export async function peakMemoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1024)
}
