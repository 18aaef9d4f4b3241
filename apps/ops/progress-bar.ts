/** Where the progress goes: a terminal gets a bar that redraws itself, anything else a plain line now and then. */
type Output = { isTTY?: boolean; columns?: number; write(text: string): unknown }

const BAR_EVERY_MS = 100
const LINE_EVERY_MS = 5000
const BAR_WIDTH = 24

/** Tells how far a long piece of work has come, how fast it goes and how long it will take. */
export class Progress {
  readonly #output: Output
  readonly #now: () => number
  readonly #what: string
  readonly #unit: string
  readonly #started: number
  #told: number
  #drawn = false

  constructor(what: string, output: Output = process.stderr, now: () => number = Date.now, unit = 'rows') {
    this.#what = what
    this.#unit = unit
    this.#output = output
    this.#now = now
    this.#started = now()
    this.#told = this.#started
  }

  /** `done` of `whole` (of anything that measures the work), and how many rows, or whatever the unit, that was. */
  report(done: number, whole: number, rows: number): void {
    const every = this.#output.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS
    if (this.#now() - this.#told < every) return
    this.#told = this.#now()
    this.#tell(done / Math.max(whole, 1), rows)
  }

  /** The last word, which replaces the bar. */
  finish(rows: number): void {
    const seconds = this.#seconds()
    this.#write(`${this.#what}: ${count(rows)} ${this.#unit} in ${seconds.toFixed(1)} s (${this.#rate(rows, seconds)})`)
    this.#output.write('\n')
  }

  #tell(part: number, rows: number): void {
    const seconds = this.#seconds()
    const left = part > 0 ? duration((seconds / part) * (1 - part)) : '?'
    const facts = `${count(rows)} ${this.#unit}, ${this.#rate(rows, seconds)}, ${left} left`
    if (!this.#output.isTTY) return void this.#output.write(`${this.#what}: ${(part * 100).toFixed(0)} %, ${facts}\n`)
    const full = Math.round(part * BAR_WIDTH)
    this.#write(
      `${this.#what} [${'█'.repeat(full)}${'·'.repeat(BAR_WIDTH - full)}] ${(part * 100).toFixed(0).padStart(3)} %  ${facts}`,
    )
  }

  #write(line: string): void {
    const clear = this.#drawn && this.#output.isTTY ? '\r\u001B[K' : ''
    this.#drawn = true
    this.#output.write(clear + line.slice(0, (this.#output.columns ?? 200) - 1))
  }

  #rate(rows: number, seconds: number): string {
    return `${count(Math.round(rows / seconds))} ${this.#unit}/s`
  }

  #seconds(): number {
    return Math.max((this.#now() - this.#started) / 1000, 0.001)
  }
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
