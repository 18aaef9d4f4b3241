/** Thrown when no connection became free in time. */
export class DatabaseBusy extends Error {}

type Waiting = { go: () => void; timer: NodeJS.Timeout }

const WAITING = 1000

/**
 * Who gets the next free connection: the accounts that wait, in turn, so that one that asks for much waits for itself. Nobody
 * waits longer than `waitMs`: an answer that late is better refused while there is time to ask again.
 */
export class Turns {
  readonly #waitMs: number
  #free: number
  #count = 0
  /** By account; the map's order is whose turn is next. */
  readonly #waiting = new Map<number, Waiting[]>()

  constructor(free: number, waitMs: number) {
    this.#free = free
    this.#waitMs = waitMs
  }

  async take(accountId: number): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    if (this.#count >= WAITING) throw new DatabaseBusy('too many wait for a connection')
    await new Promise<void>((go, refuse) => {
      const timer = setTimeout(() => {
        this.#forget(accountId, waiting)
        refuse(new DatabaseBusy('no connection became free in time'))
      }, this.#waitMs)
      const waiting = { go, timer }
      this.#count++
      const queue = this.#waiting.get(accountId)
      if (queue) queue.push(waiting)
      else this.#waiting.set(accountId, [waiting])
    })
  }

  give(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    const [accountId, queue] = next
    const [first] = queue as [Waiting, ...Waiting[]]
    clearTimeout(first.timer)
    this.#forget(accountId, first)
    // Whoever has more to ask stands behind all the others.
    if (this.#waiting.delete(accountId)) this.#waiting.set(accountId, queue)
    first.go()
  }

  #forget(accountId: number, waiting: Waiting): void {
    const queue = this.#waiting.get(accountId)!
    queue.splice(queue.indexOf(waiting), 1)
    this.#count--
    if (queue.length === 0) this.#waiting.delete(accountId)
  }
}
