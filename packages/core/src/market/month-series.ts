import { lastDayOfMonth } from '../primitives/calendar.ts'
import { decodeInt32s } from '../primitives/int32.ts'

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

const FIELDS_PER_MONTH = 6

const UNKNOWN = -1

/**
 * The finalized months of one set in one condition, ascending, packed as six integers each: 1.8 million months take
 * 43 MB this way, and eight times as much as objects. Series that were read together share one array, because 50,000
 * arrays of their own weigh half as much again.
 */
export class MonthSeries {
  readonly #packed: Int32Array
  readonly #start: number
  readonly #end: number

  private constructor(packed: Int32Array, from: number, until: number) {
    this.#packed = packed
    this.#start = from
    this.#end = until
  }

  static readonly empty = new MonthSeries(new Int32Array(0), 0, 0)

  /** Each from big-endian integers as `findMonthSeries` packs them. */
  static unpack(series: Buffer[]): MonthSeries[] {
    const packed = decodeInt32s(Buffer.concat(series))
    let until = 0
    return series.map((bytes) => new MonthSeries(packed, until, (until += bytes.length / 4)))
  }

  /** Itself, or the other when it says the same: then the array this one came in can go. */
  reuseIfEqual(other: MonthSeries): MonthSeries {
    const length = this.#end - this.#start
    if (other.#end - other.#start !== length) return this
    for (let offset = 0; offset < length; offset++) {
      if (this.#packed[this.#start + offset] !== other.#packed[other.#start + offset]) return this
    }
    return other
  }

  months(): MonthPoint[] {
    const points: MonthPoint[] = []
    for (let offset = this.#start; offset < this.#end; offset += FIELDS_PER_MONTH) {
      points.push({
        month: this.#packed[offset]!,
        value: this.#readNullable(offset + 1),
        low: this.#readNullable(offset + 2),
        high: this.#readNullable(offset + 3),
        salesCount: this.#readNullable(offset + 4),
        event: EVENTS[this.#packed[offset + 5]!] ?? null,
      })
    }
    return points
  }

  /** The months whose value is known, each as of its last day: those after `since`, and the last one before. */
  valuePoints(since: number): ValuePoint[] {
    const points: ValuePoint[] = []
    const packed = this.#packed
    for (let offset = this.#startOffset(since); offset < this.#end; offset += FIELDS_PER_MONTH) {
      const value = packed[offset + 1]!
      if (value !== UNKNOWN) points.push({ day: lastDayOfMonth(packed[offset]!), value })
    }
    return points
  }

  /** Where the last month with a value stands that ended by a day, or the beginning. */
  #startOffset(since: number): number {
    for (let offset = this.#end - FIELDS_PER_MONTH; offset >= this.#start; offset -= FIELDS_PER_MONTH) {
      if (this.#packed[offset + 1] !== UNKNOWN && lastDayOfMonth(this.#packed[offset]!) <= since) return offset
    }
    return this.#start
  }

  #readNullable(offset: number): number | null {
    const packed = this.#packed[offset]!
    return packed === UNKNOWN ? null : packed
  }
}

/** Known values of one set in one condition: ascending days, cents. The last may be today's. */
export type ValuePoint = { day: number; value: number }
