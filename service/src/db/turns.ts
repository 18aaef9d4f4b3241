/** Thrown when no connection became free in time. */
export class DatabaseBusy extends Error {}

type Waiting = { askedAt: number; go: () => void; refuse: (reason: Error) => void; timer: NodeJS.Timeout }

const WAITING = 1000
const REMEMBERED = 10_000
const SMOOTHING = 0.1
const TOO_MANY = new DatabaseBusy('too many wait for a connection')
const TOO_LATE = new DatabaseBusy('no connection became free in time')
const IS_LOCKED = new DatabaseBusy('what is to be read is locked')

/**
 * Who gets the next free connection: whoever asked first, but an account that had none for a while goes before those that just
 * had one, by as long as it had none, and by `waitMs` at most. So one that asks for much waits for itself, and no stream of
 * newcomers keeps the others waiting. Nobody waits longer than `waitMs`: an answer that late is better refused while there
 * is time to ask again, and whoever has others of its own before it and would wait for half of that is refused at once.
 */
export class Turns {
  readonly #waitMs: number
  readonly #now: () => number
  #free: number
  #count = 0
  readonly #waiting = new Map<number, Waiting[]>()
  /** When each account had its last turn; one that is not here had it long ago. */
  readonly #lastTurn = new Map<number, number>()
  /** How long it takes, while somebody waits, from one free connection to the next. */
  #pace = 0
  #lastGiven: number | undefined

  constructor(free: number, waitMs: number, now: () => number = () => performance.now()) {
    this.#free = free
    this.#waitMs = waitMs
    this.#now = now
  }

  async take(accountId: number): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      this.#noteTurn(accountId)
      return
    }
    if (this.#count >= WAITING || this.#expectedWait(accountId) > this.#waitMs / 2) throw TOO_MANY
    await new Promise<void>((go, refuse) => {
      const timer = setTimeout(() => {
        this.#forget(accountId, waiting)
        refuse(TOO_LATE)
      }, this.#waitMs)
      const waiting = { askedAt: this.#now(), go, refuse, timer }
      this.#count++
      const queue = this.#waiting.get(accountId)
      if (queue) queue.push(waiting)
      else this.#waiting.set(accountId, [waiting])
    })
  }

  give(): void {
    const accountId = this.#next()
    if (accountId === undefined) {
      this.#lastGiven = undefined
      this.#free++
      return
    }
    this.#notePace()
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
      refuse(IS_LOCKED)
    }
    this.#waiting.clear()
    this.#count = 0
  }

  #next(): number | undefined {
    const now = this.#now()
    let next: number | undefined
    let earliest = Infinity
    for (const [accountId, [first]] of this.#waiting) {
      const without = now - (this.#lastTurn.get(accountId) ?? -Infinity)
      const asIfAskedAt = first!.askedAt - Math.min(without, this.#waitMs)
      if (asIfAskedAt < earliest) [next, earliest] = [accountId, asIfAskedAt]
    }
    return next
  }

  #noteTurn(accountId: number): void {
    if (this.#lastTurn.size >= REMEMBERED) this.#lastTurn.clear()
    this.#lastTurn.set(accountId, this.#now())
  }

  /** Behind others of its own, a request waits until all who wait had a turn for each of them. */
  #expectedWait(accountId: number): number {
    const own = this.#waiting.get(accountId)?.length ?? 0
    return own === 0 ? 0 : (own + 1) * this.#waiting.size * this.#pace
  }

  #notePace(): void {
    const now = this.#now()
    if (this.#lastGiven !== undefined) this.#pace += (now - this.#lastGiven - this.#pace) * SMOOTHING
    this.#lastGiven = now
  }

  #forget(accountId: number, waiting: Waiting): void {
    const queue = this.#waiting.get(accountId)!
    queue.splice(queue.indexOf(waiting), 1)
    this.#count--
    if (queue.length === 0) this.#waiting.delete(accountId)
  }
}
