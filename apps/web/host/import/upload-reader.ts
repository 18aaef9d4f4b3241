import { Piscina } from 'piscina'
import type * as worker from './file-worker.ts'

/**
 * Memory of one thread. Exports of 20,000 rows, the most we accept, fit in half of it; a file that also has hundreds of
 * columns doesn't fit and is rejected.
 */
const MAX_HEAP_MB = 128
const TIMEOUT_MS = 15_000
const MAX_THREADS = 2
/** Files that wait for a thread, and how many of them one account may have. */
const MAX_QUEUE = 50
const MAX_PER_ACCOUNT = 8

type Tasks = typeof worker
export type TaskName = 'readLots' | 'readSales' | 'lookupKeys' | 'plan'
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0]
export type TaskResult<Name extends TaskName> = ReturnType<Tasks[Name]>

/** What a task returned, or why the file wasn't processed: a message for the user. */
type Outcome<T> = { result: T } | { problem: string; status: number }

/**
 * Reads and plans uploaded files in worker threads with limited time and memory: a file built to be expensive can't slow
 * down anyone else's pages. An account's files are processed one after another.
 */
export class UploadReader {
  readonly #pool = new Piscina({
    filename: new URL('./file-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: 30_000,
    maxQueue: MAX_QUEUE,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  readonly #lastTaskByAccount = new Map<number, Promise<unknown>>()
  readonly #pendingByAccount = new Map<number, number>()

  async run<Name extends TaskName>(
    accountId: number,
    name: Name,
    task: TaskInput<Name>,
  ): Promise<Outcome<TaskResult<Name>>> {
    const pending = this.#pendingByAccount.get(accountId) ?? 0
    if (pending >= MAX_PER_ACCOUNT)
      return { problem: 'Your other files are still being processed. Try again in a moment.', status: 429 }
    this.#pendingByAccount.set(accountId, pending + 1)
    const previous = this.#lastTaskByAccount.get(accountId)
    const outcome = (async () => {
      await previous?.catch(() => {})
      return this.#runNow(name, task)
    })()
    this.#lastTaskByAccount.set(accountId, outcome)
    try {
      return await outcome
    } finally {
      const left = this.#pendingByAccount.get(accountId)! - 1
      if (left > 0) this.#pendingByAccount.set(accountId, left)
      else {
        this.#pendingByAccount.delete(accountId)
        this.#lastTaskByAccount.delete(accountId)
      }
    }
  }

  async #runNow<Name extends TaskName>(name: Name, task: TaskInput<Name>): Promise<Outcome<TaskResult<Name>>> {
    try {
      const result: unknown = await this.#pool.run(task, { name, signal: AbortSignal.timeout(TIMEOUT_MS) })
      return { result: result as TaskResult<Name> }
    } catch (error) {
      const { name: kind, code, message } = error as Error & { code?: string }
      if (kind === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY') {
        return { problem: 'This file is too large to process. Split it and try again.', status: 400 }
      }
      if (message === 'Task queue is at limit') {
        return { problem: 'We’re processing a lot of files right now. Try again in a minute.', status: 503 }
      }
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
