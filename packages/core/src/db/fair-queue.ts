/** Thrown when no connection became free in time. */
export class DatabaseBusy extends Error {}

type Waiting = { askedAt: number; go: () => void; refuse: (reason: Error) => void; timer: NodeJS.Timeout }

const WAITING = 1000
const REMEMBERED = 10_000
const SMOOTHING = 0.1
export const TOO_MANY = new DatabaseBusy('too many wait for a connection')
const TOO_LATE = new DatabaseBusy('no connection became free in time')
const IS_LOCKED = new DatabaseBusy('what is to be read is locked')

/**
 * Who gets the next free connection: whoever asked first, but an account that had none for a while goes before those that just
 * had one, by as long as it had none, and by `waitMs` at most. So one that asks for much waits for itself, and no stream of
 * newcomers keeps the others waiting. Nobody waits longer than `waitMs`: an answer that late is better refused while there
 * is time to ask again, and an account that has others under way and would wait for a third of that is refused at once.
 */
export class Turns {
  readonly #connections: number
  readonly #waitMs: number
  readonly #now: () => number
  #free: number
  #count = 0
  readonly #waiting = new Map<number, Waiting[]>()
  /** How many requests of each account wait or have a connection. */
  readonly #underWay = new Map<number, number>()
  /** When each account had its last turn; one that is not here had it long ago. */
  readonly #lastTurn = new Map<number, number>()
  /** How long it takes, while somebody waits, from one free connection to the next. */
  #pace = 0
  #lastGiven: number | undefined

  constructor(connections: number, waitMs: number, now: () => number = () => performance.now()) {
    this.#connections = connections
    this.#free = connections
    this.#waitMs = waitMs
    this.#now = now
  }

  /** Whether `take` would refuse at once: to be asked before anything is done for a request. */
  wouldRefuse(accountId: number): boolean {
    if (this.#free > 0) return false
    return this.#count >= WAITING || this.#expectedWait(accountId) > this.#waitMs / 3
  }

  async take(accountId: number): Promise<void> {
    if (this.wouldRefuse(accountId)) throw TOO_MANY
    this.#enter(accountId)
    if (this.#free > 0) {
      this.#free--
      this.#noteTurn(accountId)
      return
    }
    await new Promise<void>((go, refuse) => {
      const timer = setTimeout(() => {
        this.#forget(accountId, waiting)
        this.#leave(accountId)
        refuse(TOO_LATE)
      }, this.#waitMs)
      const waiting = { askedAt: this.#now(), go, refuse, timer }
      this.#count++
      const queue = this.#waiting.get(accountId)
      if (queue) queue.push(waiting)
      else this.#waiting.set(accountId, [waiting])
    })
  }

  /** The account that had a connection has done with it. */
  give(accountId: number): void {
    this.#leave(accountId)
    const next = this.#next()
    if (next === undefined) {
      this.#lastGiven = undefined
      this.#free++
      return
    }
    this.#notePace()
    const [first] = this.#waiting.get(next) as [Waiting, ...Waiting[]]
    clearTimeout(first.timer)
    this.#forget(next, first)
    this.#noteTurn(next)
    first.go()
  }

  /** Nobody who waits now is to wait any longer. */
  refuseWaiting(): void {
    for (const [accountId, queue] of this.#waiting) {
      for (const { refuse, timer } of queue) {
        clearTimeout(timer)
        this.#leave(accountId)
        refuse(IS_LOCKED)
      }
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

  /** An account that has none under way has its turn soon; any other when all that is under way is done. */
  #expectedWait(accountId: number): number {
    return this.#underWay.has(accountId) ? (this.#connections + this.#count) * this.#pace : 0
  }

  #enter(accountId: number): void {
    this.#underWay.set(accountId, (this.#underWay.get(accountId) ?? 0) + 1)
  }

  #leave(accountId: number): void {
    const left = this.#underWay.get(accountId)! - 1
    if (left === 0) this.#underWay.delete(accountId)
    else this.#underWay.set(accountId, left)
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
