/** Everything this process has started and must stop, last first, whatever happens. */

type Running = { stop: () => Promise<unknown>; pid: number | undefined; stopped?: Promise<unknown> }

const running = new Set<Running>()

/** Notes something to stop; the function returned stops it now. */
export function stopLater(stop: () => Promise<unknown>, pid?: number): () => Promise<void> {
  const entry: Running = { stop, pid }
  running.add(entry)
  return () => stopOne(entry)
}

let stoppingAll: Promise<void> | undefined

/** Stops everything, once: whoever asks meanwhile waits for the same end. */
export function stopAll(): Promise<void> {
  stoppingAll ??= (async () => {
    for (const entry of [...running].toReversed()) await stopOne(entry)
  })().finally(() => {
    stoppingAll = undefined
  })
  return stoppingAll
}

/** An entry stays noted until it has stopped, so that it can still be killed if the process must end first. */
async function stopOne(entry: Running): Promise<void> {
  if (!running.has(entry)) return
  entry.stopped ??= entry.stop().catch((error: Error) => complain(error))
  await entry.stopped
  running.delete(entry)
}

let armed = false
let interrupted = false

/** Never resolves after Ctrl-C: what fails then fails because everything is being stopped, and is no verdict. */
export function unlessInterrupted(): Promise<void> {
  return interrupted ? new Promise(() => {}) : Promise.resolve()
}

/** Ctrl-C and crashes stop everything too; if even that fails, the processes are killed by their ids. */
export function stopBeforeExit(): void {
  if (armed) return
  armed = true
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      interrupted = true
      process.stderr.write(`${signal}: stopping what was started\n`)
      void stopAll().finally(() => process.exit(130))
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

function complain(error: Error): void {
  process.stderr.write(`could not stop: ${error.message}\n`)
}
