/** Thrown when no connection became free in time. */
export class DatabaseBusy extends Error {}

type Waiting = { go: () => void; refuse: (reason: Error) => void; timer: NodeJS.Timeout }

const WAITING = 1000

/**
 * Who gets the next free connection: the accounts that wait take turns, one read each, so that one that asks for much waits
 * for itself, and nobody waits for more than one read of each of the others. Nobody waits longer than `waitMs`: an answer
 * that late is better refused while there is time to ask again.
 */
export class Turns {
  readonly #waitMs: number
  #free: number
  #count = 0
  /** In the order in which the accounts have their turns. */
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
      const waiting = { go, refuse, timer }
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
    const [accountId, [first, ...others]] = next as [number, [Waiting, ...Waiting[]]]
    this.#count--
    this.#waiting.delete(accountId)
    if (others.length > 0) this.#waiting.set(accountId, others)
    clearTimeout(first.timer)
    first.go()
  }

  /** Nobody who waits now is to wait any longer. */
  refuseWaiting(): void {
    for (const { refuse, timer } of [...this.#waiting.values()].flat()) {
      clearTimeout(timer)
      refuse(new DatabaseBusy('what is to be read is locked'))
    }
    this.#waiting.clear()
    this.#count = 0
  }

  #forget(accountId: number, waiting: Waiting): void {
    const queue = this.#waiting.get(accountId)!
    queue.splice(queue.indexOf(waiting), 1)
    this.#count--
    if (queue.length === 0) this.#waiting.delete(accountId)
  }
}
