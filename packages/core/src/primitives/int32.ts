/** Decodes big-endian integers packed by `int4send`, which the database uses to return long numeric series. */
export function decodeInt32s(bytes: Buffer): Int32Array {
  const integers = new Int32Array(bytes.length / 4)
  for (let i = 0; i < integers.length; i++) integers[i] = bytes.readInt32BE(i * 4)
  return integers
}
