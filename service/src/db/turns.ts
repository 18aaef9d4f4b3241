/** Thrown when no connection became free in time. */
export class DatabaseBusy extends Error {}

type Waiting = { go: () => void; refuse: (reason: Error) => void; timer: NodeJS.Timeout }

const WAITING = 1000
const REMEMBERED = 10_000

/**
 * Who gets the next free connection: of the accounts that wait, the one that had its turn the longest ago, so that one that
 * asks for much waits for itself. Nobody waits longer than `waitMs`: an answer that late is better refused while there is
 * time to ask again.
 */
export class Turns {
  readonly #waitMs: number
  #free: number
  #count = 0
  readonly #waiting = new Map<number, Waiting[]>()
  /** When each account had its last turn, counted in turns; one that is not here had it long ago. */
  readonly #lastTurn = new Map<number, number>()
  #turn = 0

  constructor(free: number, waitMs: number) {
    this.#free = free
    this.#waitMs = waitMs
  }

  async take(accountId: number): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      this.#noteTurn(accountId)
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
    const accountId = this.#next()
    if (accountId === undefined) {
      this.#free++
      return
    }
    const [first] = this.#waiting.get(accountId) as [Waiting, ...Waiting[]]
    clearTimeout(first.timer)
    this.#forget(accountId, first)
    this.#noteTurn(accountId)
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

  #next(): number | undefined {
    let next: number | undefined
    let oldest = Infinity
    for (const accountId of this.#waiting.keys()) {
      const turn = this.#lastTurn.get(accountId) ?? 0
      if (turn < oldest) [next, oldest] = [accountId, turn]
    }
    return next
  }

  #noteTurn(accountId: number): void {
    if (this.#lastTurn.size >= REMEMBERED) this.#lastTurn.clear()
    this.#lastTurn.set(accountId, ++this.#turn)
  }

  #forget(accountId: number, waiting: Waiting): void {
    const queue = this.#waiting.get(accountId)!
    queue.splice(queue.indexOf(waiting), 1)
    this.#count--
    if (queue.length === 0) this.#waiting.delete(accountId)
  }
}
