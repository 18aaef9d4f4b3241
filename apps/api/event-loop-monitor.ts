const SAMPLE_INTERVAL_MS = 50
const LAG_THRESHOLD_MS = 100
const CONSECUTIVE_LATE_SAMPLES = 4

/** Reports overload when the event loop runs its own timer late several times in a row. */
export class EventLoopMonitor {
  #last = performance.now()
  #lateSamples = 0
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS).unref()
  }

  get isOverloaded(): boolean {
    return this.#lateSamples >= CONSECUTIVE_LATE_SAMPLES
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #sample(): void {
    const now = performance.now()
    this.#lateSamples = now - this.#last > SAMPLE_INTERVAL_MS + LAG_THRESHOLD_MS ? this.#lateSamples + 1 : 0
    this.#last = now
  }
}
