/** Output of a progress bar. A terminal gets a bar that is redrawn, anything else a line every five seconds. */
type Output = { isTTY?: boolean; columns?: number; write(text: string): unknown }

const BAR_EVERY_MS = 100
const LINE_EVERY_MS = 5000
const BAR_WIDTH = 24

/** Reports progress, rate and remaining time of a long operation. */
export class ProgressBar {
  readonly #output: Output
  readonly #now: () => number
  readonly #label: string
  readonly #unit: string
  readonly #started: number
  #lastReportedAt: number
  #drawn = false

  constructor(what: string, output: Output = process.stderr, now: () => number = Date.now, unit = 'rows') {
    this.#label = what
    this.#unit = unit
    this.#output = output
    this.#now = now
    this.#started = now()
    this.#lastReportedAt = this.#started
  }

  /** Reports `done` of `total` (in any measure, e.g. bytes), and the rows (or other units) processed so far. */
  report(done: number, total: number, rows: number): void {
    const every = this.#output.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS
    if (this.#now() - this.#lastReportedAt < every) return
    this.#lastReportedAt = this.#now()
    this.#render(done / Math.max(total, 1), rows)
  }

  /** Replaces the bar with a summary. */
  finish(rows: number): void {
    const seconds = this.#seconds()
    this.#write(
      `${this.#label}: ${count(rows)} ${this.#unit} in ${seconds.toFixed(1)} s (${this.#rate(rows, seconds)})`,
    )
    this.#output.write('\n')
  }

  #render(fraction: number, rows: number): void {
    const seconds = this.#seconds()
    const eta = fraction > 0 ? duration((seconds / fraction) * (1 - fraction)) : '?'
    const facts = `${count(rows)} ${this.#unit}, ${this.#rate(rows, seconds)}, ${eta} left`
    if (!this.#output.isTTY)
      return void this.#output.write(`${this.#label}: ${(fraction * 100).toFixed(0)} %, ${facts}\n`)
    const full = Math.round(fraction * BAR_WIDTH)
    this.#write(
      `${this.#label} [${'█'.repeat(full)}${'·'.repeat(BAR_WIDTH - full)}] ${(fraction * 100).toFixed(0).padStart(3)} %  ${facts}`,
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
