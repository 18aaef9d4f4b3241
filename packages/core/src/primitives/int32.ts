/** Big-endian integers as `int4send` packs them: how long series of numbers come out of the database. */
export function decodeInt32s(bytes: Buffer): Int32Array {
  const integers = new Int32Array(bytes.length / 4)
  for (let at = 0; at < integers.length; at++) integers[at] = bytes.readInt32BE(at * 4)
  return integers
}
