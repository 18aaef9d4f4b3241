import { setTimeout as sleep } from 'node:timers/promises'
import { readFile } from 'node:fs/promises'
import type { Podman } from './podman.ts'

/** What the kernel reports about the process in a container. */
export type Process = {
  name: string
  root: boolean
  hasCapabilities: boolean
  canGainPrivileges: boolean
  withoutSeccomp: boolean
  writable: boolean
  megabytes: number
}

export async function inspectProcess(podman: Podman, name: string): Promise<Process> {
  const pid = await podman.run(['inspect', '--format', '{{.State.Pid}}', name])
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const mounts = await readFile(`/proc/${pid}/mountinfo`, 'utf8')
  const field = (key: string) => new RegExp(`^${key}:\\s+(\\S+)`, 'm').exec(status)![1]!
  const root = mounts.split('\n').find((line) => line.split(' ')[4] === '/')!
  return {
    name,
    root: field('Uid') === '0' || field('Gid') === '0',
    hasCapabilities: ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].some((set) => /[^0]/.test(field(set))),
    canGainPrivileges: field('NoNewPrivs') !== '1',
    withoutSeccomp: field('Seccomp') !== '2',
    writable: !root.split(' ')[5]!.split(',').includes('ro'),
    megabytes: Math.round(Number(field('VmRSS')) / 1000),
  }
}

/** How a container stopped: its exit code, and how long it took. */
export type StopResult = { name: string; code: number; seconds: number }

export async function stopContainer(podman: Podman, name: string): Promise<StopResult> {
  const started = performance.now()
  await podman.run(['stop', '--time', '20', name])
  const seconds = Math.round((performance.now() - started) / 100) / 10
  return { name, code: Number(await podman.run(['inspect', '--format', '{{.State.ExitCode}}', name])), seconds }
}

/** Waits until a URL responds with 200 and returns the milliseconds it took. */
export async function waitUntilOk(url: string, seconds = 60): Promise<number> {
  const started = performance.now()
  for (let last = 'no response'; ;) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    if (response?.ok) return Math.round(performance.now() - started)
    if (response !== undefined) last = `${response.status} ${await response.text().catch(() => '')}`
    if (performance.now() - started > seconds * 1000) throw new Error(`${url} was not ready in ${seconds} s: ${last}`)
    await sleep(20)
  }
}
