/** Everything this process has started and must stop, last first, whatever happens. */

type CleanupEntry = { stop: () => Promise<unknown>; pid: number | undefined; stopped?: Promise<unknown> }

const running = new Set<CleanupEntry>()

/** Notes something to stop; the function returned stops it now. */
export function registerCleanup(stop: () => Promise<unknown>, pid?: number): () => Promise<void> {
  const entry: CleanupEntry = { stop, pid }
  running.add(entry)
  return () => cleanUp(entry)
}

let stoppingAll: Promise<void> | undefined

/** Stops everything, once: whoever asks meanwhile waits for the same end. */
export function runCleanups(): Promise<void> {
  stoppingAll ??= (async () => {
    for (const entry of [...running].toReversed()) await cleanUp(entry)
  })().finally(() => {
    stoppingAll = undefined
  })
  return stoppingAll
}

/** An entry stays noted until it has stopped, so that it can still be killed if the process must end first. */
async function cleanUp(entry: CleanupEntry): Promise<void> {
  if (!running.has(entry)) return
  entry.stopped ??= entry.stop().catch((error: Error) => logCleanupError(error))
  await entry.stopped
  running.delete(entry)
}

let installed = false
let interrupted = false

/** Never resolves after Ctrl-C: what fails then fails because everything is being stopped, and is no verdict. */
export function hangIfInterrupted(): Promise<void> {
  return interrupted ? new Promise(() => {}) : Promise.resolve()
}

/** Ctrl-C and crashes stop everything too; if even that fails, the processes are killed by their ids. */
export function cleanUpOnExit(): void {
  if (installed) return
  installed = true
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      interrupted = true
      process.stderr.write(`${signal}: stopping what was started\n`)
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
    // It is gone already.
  }
}

function logCleanupError(error: Error): void {
  process.stderr.write(`could not stop: ${error.message}\n`)
}
