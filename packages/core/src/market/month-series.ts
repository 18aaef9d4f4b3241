import { lastDayOfMonth } from '../primitives/calendar.ts'
import { unpackIntegers } from '../primitives/int32.ts'

/** One finalized month. Money in cents, unknown is null. */
export type MonthPoint = {
  month: number
  value: number | null
  low: number | null
  high: number | null
  salesCount: number | null
  event: string | null
}

/** Order matters: the database packs an event as its place in this list. */
const EVENTS = ['released', 'retiring_soon', 'retired', 'rereleased'] as const

const FIELDS = 6

const UNKNOWN = -1

/**
 * The finalized months of one set in one condition, ascending, packed as six integers each: 1.8 million months take
 * 43 MB this way, and eight times as much as objects. Series that were read together share one array, because 50,000
 * arrays of their own weigh half as much again.
 */
export class MonthSeries {
  readonly #packed: Int32Array
  readonly #from: number
  readonly #until: number

  private constructor(packed: Int32Array, from: number, until: number) {
    this.#packed = packed
    this.#from = from
    this.#until = until
  }

  static readonly empty = new MonthSeries(new Int32Array(0), 0, 0)

  /** Each from big-endian integers as `findMonthSeries` packs them. */
  static unpack(series: Buffer[]): MonthSeries[] {
    const packed = unpackIntegers(Buffer.concat(series))
    let until = 0
    return series.map((bytes) => new MonthSeries(packed, until, (until += bytes.length / 4)))
  }

  /** Itself, or the other when it says the same: then the array this one came in can go. */
  orSame(other: MonthSeries): MonthSeries {
    const length = this.#until - this.#from
    if (other.#until - other.#from !== length) return this
    for (let at = 0; at < length; at++) {
      if (this.#packed[this.#from + at] !== other.#packed[other.#from + at]) return this
    }
    return other
  }

  months(): MonthPoint[] {
    const points: MonthPoint[] = []
    for (let at = this.#from; at < this.#until; at += FIELDS) {
      points.push({
        month: this.#packed[at]!,
        value: this.#known(at + 1),
        low: this.#known(at + 2),
        high: this.#known(at + 3),
        salesCount: this.#known(at + 4),
        event: EVENTS[this.#packed[at + 5]!] ?? null,
      })
    }
    return points
  }

  /** The months whose value is known, each as of its last day: those after `since`, and the last one before. */
  valuePoints(since: number): ValuePoint[] {
    const points: ValuePoint[] = []
    const packed = this.#packed
    for (let at = this.#firstNeeded(since); at < this.#until; at += FIELDS) {
      const value = packed[at + 1]!
      if (value !== UNKNOWN) points.push({ day: lastDayOfMonth(packed[at]!), value })
    }
    return points
  }

  /** Where the last month with a value stands that ended by a day, or the beginning. */
  #firstNeeded(since: number): number {
    for (let at = this.#until - FIELDS; at >= this.#from; at -= FIELDS) {
      if (this.#packed[at + 1] !== UNKNOWN && lastDayOfMonth(this.#packed[at]!) <= since) return at
    }
    return this.#from
  }

  #known(at: number): number | null {
    const packed = this.#packed[at]!
    return packed === UNKNOWN ? null : packed
  }
}

/** Known values of one set in one condition: ascending days, cents. The last may be today's. */
export type ValuePoint = { day: number; value: number }
