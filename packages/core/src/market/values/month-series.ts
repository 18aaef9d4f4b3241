import { lastDayOfMonth } from '../../primitives/calendar.ts'
import { decodeInt32s } from '../../primitives/packed.ts'
import type { ValueLine, ValuePoint } from './value-line.ts'

/** One finalized month. Money in cents; null if unknown. */
export type MonthPoint = {
  month: number
  value: number | null
  low: number | null
  high: number | null
  salesCount: number | null
  event: string | null
}

/** Order matters: the database packs an event as its index in this list. */
const EVENTS = ['released', 'retiring_soon', 'retired', 'rereleased'] as const

const FIELDS_PER_MONTH = 6

const UNKNOWN = -1

/**
 * The finalized months of one set in one condition, ascending, packed as six integers each: 1.8 million months take
 * 43 MB, and eight times that as objects. Series that are loaded together share one array, because 50,000 separate
 * arrays take half as much memory again.
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

  /** Decodes series packed by `findMonthSeries` (big-endian integers). */
  static unpack(series: Buffer[]): MonthSeries[] {
    const packed = decodeInt32s(Buffer.concat(series))
    let until = 0
    return series.map((bytes) => new MonthSeries(packed, until, (until += bytes.length / 4)))
  }

  /** Returns `other` if its content is equal, so that this series' array can be freed; otherwise returns itself. */
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

  /** Returns the known values, each dated the last day of its month. */
  valuePoints(): ValuePoint[] {
    return this.months().flatMap(({ month, value }) => (value === null ? [] : [{ day: lastDayOfMonth(month), value }]))
  }

  /** Draws a line through the known values, each dated the last day of its month, as long as they are before `until`. */
  draw(line: ValueLine, until: number): void {
    const { nextDay } = line
    if (nextDay === undefined) return
    const packed = this.#packed
    for (let offset = this.#startOffset(nextDay); offset < this.#end; offset += FIELDS_PER_MONTH) {
      const value = packed[offset + 1]!
      const day = lastDayOfMonth(packed[offset]!)
      if (day >= until) return
      if (value !== UNKNOWN) line.lineTo(day, value)
    }
  }

  /** Offset of the last month with a value that ended by `since`, or of the first month. */
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
