/** A known value of one set in one condition, in cents. Lists ascend by day; the last may be today's. */
export type ValuePoint = { day: number; value: number }

/**
 * The value of a set on the days of a chart, drawn from one known value to the next: interpolated linearly between them, NaN
 * outside of them. One line serves all lots of a portfolio in turn, so that no object per known value is created: 5,000 lots
 * have 70,000.
 */
export class ValueLine {
  /** Ascending. */
  readonly days: readonly number[]
  readonly values: Float64Array
  #index = 0
  #until = 0
  #day = 0
  #value = Number.NaN

  constructor(days: readonly number[]) {
    this.days = days
    this.values = new Float64Array(days.length)
  }

  /** The day to continue with; undefined if no day is left. */
  get nextDay(): number | undefined {
    return this.#index < this.#until ? this.days[this.#index] : undefined
  }

  /** Starts a new line on the days from index `first` up to, but excluding, `until`. */
  start(first = 0, until = this.days.length): void {
    this.#index = first
    this.#until = until
    this.#value = Number.NaN
    this.values.fill(Number.NaN, first, until)
  }

  /** Draws on to the next known value. */
  lineTo(day: number, value: number): void {
    const { days, values } = this
    const until = this.#until
    const [lastDay, lastValue] = [this.#day, this.#value]
    let index = this.#index
    for (; index < until && days[index]! < day; index++) {
      const rise = ((value - lastValue) * (days[index]! - lastDay)) / (day - lastDay)
      values[index] = Math.round(lastValue + rise)
    }
    if (index < until && days[index] === day) values[index++] = value
    this.#index = index
    this.#day = day
    this.#value = value
  }
}

/** Draws a line through all points. */
export function drawPoints(line: ValueLine, points: readonly ValuePoint[]): void {
  for (const { day, value } of points) line.lineTo(day, value)
}

/** Returns the value on each of the ascending days, null where it is unknown. */
export function interpolateValues(days: number[], points: ValuePoint[]): (number | null)[] {
  const line = new ValueLine(days)
  line.start()
  drawPoints(line, points)
  return Array.from(line.values, (value) => (Number.isNaN(value) ? null : value))
}

/** Returns the value points before today, plus today's value if there is one. */
export function appendTodayValue(past: ValuePoint[], now: number | null, today: number): ValuePoint[] {
  const points = past.slice(0, past.findLastIndex((point) => point.day < today) + 1)
  if (now !== null) points.push({ day: today, value: now })
  return points
}
