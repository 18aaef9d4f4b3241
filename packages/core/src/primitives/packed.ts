import { dayNumber } from './calendar.ts'

/**
 * Decodes what the database packs into bytes, because reading long series value by value takes several times as long:
 * big-endian integers written by `int4send` and `int8send`, and days written by `date_send`.
 */

/** Decodes consecutive 32-bit integers. */
export function decodeInt32s(bytes: Buffer): Int32Array {
  const integers = new Int32Array(bytes.length / 4)
  for (let i = 0; i < integers.length; i++) integers[i] = bytes.readInt32BE(i * 4)
  return integers
}

/** Reads a 64-bit integer below 2^53, such as an id or an amount in cents. */
export function readInt64(bytes: Buffer, offset: number): number {
  return bytes.readInt32BE(offset) * 2 ** 32 + bytes.readUInt32BE(offset + 4)
}

/** The epoch of `date_send`. */
const POSTGRES_EPOCH = dayNumber('2000-01-01')

const INFINITY = 2_147_483_647

/** Converts a day of `date_send` to a day number; infinity stands for null. */
export function decodeDay(day: number): number | null {
  return day === INFINITY ? null : day + POSTGRES_EPOCH
}
