/** Tracks what this process has started and stops it in reverse order, even on errors and signals. */

type CleanupEntry = { stop: () => Promise<unknown>; pid: number | undefined; stopped?: Promise<unknown> }

const running = new Set<CleanupEntry>()

/** Registers a cleanup; the returned function runs it now. */
export function registerCleanup(stop: () => Promise<unknown>, pid?: number): () => Promise<void> {
  const entry: CleanupEntry = { stop, pid }
  running.add(entry)
  return () => cleanUp(entry)
}

let stoppingAll: Promise<void> | undefined

/** Runs all cleanups once; concurrent callers wait for the same run. */
export function runCleanups(): Promise<void> {
  stoppingAll ??= (async () => {
    for (const entry of [...running].toReversed()) await cleanUp(entry)
  })().finally(() => {
    stoppingAll = undefined
  })
  return stoppingAll
}

/**
 * Runs a cleanup. An entry stays registered until it has stopped, so that it can still be killed if the process exits
 * first.
 */
async function cleanUp(entry: CleanupEntry): Promise<void> {
  if (!running.has(entry)) return
  entry.stopped ??= entry.stop().catch((error: Error) => logCleanupError(error))
  await entry.stopped
  running.delete(entry)
}

let installed = false
let interrupted = false

/** Never resolves after Ctrl-C: failures during shutdown are not test results. */
export function hangIfInterrupted(): Promise<void> {
  return interrupted ? new Promise(() => {}) : Promise.resolve()
}

/** Runs all cleanups on SIGINT, SIGTERM and SIGHUP; on exit, kills the remaining processes by pid. */
export function cleanUpOnExit(): void {
  if (installed) return
  installed = true
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      interrupted = true
      process.stderr.write(`${signal}: stopping started processes\n`)
      void runCleanups().finally(() => process.exit(130))
    })
  }
  process.on('exit', () => {
    for (const { pid } of running) if (pid !== undefined) killQuietly(pid)
  })
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}

function logCleanupError(error: Error): void {
  process.stderr.write(`cleanup failed: ${error.message}\n`)
}
