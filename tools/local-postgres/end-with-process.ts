import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const children = new Map<ChildProcess, NodeJS.Signals>()

/**
 * Ends a detached child together with this process: when it exits, and when it is interrupted before or while its own
 * handlers clean up.
 */
export function endWithProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): void {
  if (children.size === 0) watchProcess()
  children.set(child, signal)
  child.once('exit', () => children.delete(child))
}

function watchProcess(): void {
  if (process.listeners('exit').includes(endChildren)) return
  process.on('exit', endChildren)
  for (const signal of SIGNALS) {
    // First, so that a `once` handler that this signal also triggers still counts.
    process.prependListener(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
    })
  }
}

function endChildren(): void {
  for (const [child, signal] of children) child.kill(signal)
}
