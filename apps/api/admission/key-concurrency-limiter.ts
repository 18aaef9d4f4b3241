/** Thrown when a key has more requests open than anybody needs at once. */
export class TooManyAtOnce extends Error {}

/** Thrown when the process is busy and the key has its share of it already. */
export class Crowded extends Error {}

type Waiting = { go: () => void; timer: NodeJS.Timeout }
type Turns = { underWay: number; waiting: Waiting[] }

export const AT_ONCE = 10
const WAITING = 90
const WAIT_MS = 1000
const TOO_MANY = new TooManyAtOnce()
const CROWDED = new Crowded()

/**
 * At most ten requests of a key are worked on at a time; the next ninety wait for their turn, a second at most. So a script
 * that asks for a hundred things at once is served, and one that asks for thousands does not crowd out others.
 */
export class KeyTurns {
  readonly #keys = new Map<number, Turns>()
  #underWay = 0

  /** Requests that are being worked on, of all keys. */
  get underWay(): number {
    return this.#underWay
  }

  /**
   * Undefined when the request may go on at once. Whoever was let in must leave. While the process is `crowded` a key has
   * one turn, and whatever else it asks is refused at once: so a quiet caller hardly notices.
   */
  enter(keyId: number, crowded: boolean): Promise<void> | undefined {
    const turns = this.#keys.get(keyId)
    if (crowded && turns !== undefined) throw CROWDED
    if (turns === undefined) this.#keys.set(keyId, { underWay: 1, waiting: [] })
    else if (turns.underWay < AT_ONCE) turns.underWay++
    else return this.#wait(turns)
    this.#underWay++
    return undefined
  }

  leave(keyId: number): void {
    const turns = this.#keys.get(keyId)!
    const next = turns.waiting.shift()
    if (next) {
      clearTimeout(next.timer)
      next.go()
      return
    }
    this.#underWay--
    if (--turns.underWay === 0) this.#keys.delete(keyId)
  }

  #wait(turns: Turns): Promise<void> {
    if (turns.waiting.length >= WAITING) return Promise.reject(TOO_MANY)
    return new Promise((go, refuse) => {
      const timer = setTimeout(() => {
        turns.waiting.splice(turns.waiting.indexOf(waiting), 1)
        refuse(TOO_MANY)
      }, WAIT_MS).unref()
      const waiting = { go, timer }
      turns.waiting.push(waiting)
    })
  }
}
