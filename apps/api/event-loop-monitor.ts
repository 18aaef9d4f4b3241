const LOOK_MS = 50
const LATE_MS = 100
const IN_A_ROW = 4

/** Whether the process has more to do than it can: its event loop came late to its own timer several times in a row. */
export class Pressure {
  #last = performance.now()
  #late = 0
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  get high(): boolean {
    return this.#late >= IN_A_ROW
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    this.#late = now - this.#last > LOOK_MS + LATE_MS ? this.#late + 1 : 0
    this.#last = now
  }
}
