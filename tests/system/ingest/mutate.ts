import type { SeededRandom } from '../random.ts'

type Mutation = (bytes: Buffer, random: SeededRandom, other: Buffer) => Buffer

const spliceBytes = (bytes: Buffer, from: number, to: number, by: Buffer) =>
  Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)])

/** Bytes that mean something to a parser, or to PostgreSQL. */
const SIGNIFICANT_BYTES = Buffer.from('0123456789,"\\\n\r\t{}[]:;-+.eE\0 ')

const MUTATIONS: Record<string, Mutation> = {
  flip(bytes, random) {
    const index = random.int(0, bytes.length - 1)
    return spliceBytes(bytes, index, index + 1, Buffer.from([bytes[index]! ^ (1 << random.int(0, 7))]))
  },
  replace(bytes, random) {
    const index = random.int(0, bytes.length - 1)
    return spliceBytes(
      bytes,
      index,
      index + 1,
      Buffer.from([SIGNIFICANT_BYTES[random.int(0, SIGNIFICANT_BYTES.length - 1)]!]),
    )
  },
  delete(bytes, random) {
    const index = random.int(0, bytes.length - 1)
    return spliceBytes(bytes, index, index + random.int(1, 12), Buffer.alloc(0))
  },
  insert(bytes, random) {
    const index = random.int(0, bytes.length)
    const byte = () =>
      random.next() < 0.7 ? SIGNIFICANT_BYTES[random.int(0, SIGNIFICANT_BYTES.length - 1)]! : random.int(0, 255)
    return spliceBytes(bytes, index, index, Buffer.from(Array.from({ length: random.int(1, 6) }, byte)))
  },
  duplicate(bytes, random) {
    const from = random.int(0, bytes.length - 1)
    const index = random.int(0, bytes.length)
    return spliceBytes(bytes, index, index, bytes.subarray(from, from + random.int(1, 300)))
  },
  truncate: (bytes, random) => bytes.subarray(0, random.int(0, bytes.length - 1)),
  splice(bytes, random, other) {
    const index = random.int(0, bytes.length)
    return Buffer.concat([bytes.subarray(0, index), other.subarray(random.int(0, other.length))])
  },
}

/** The file with one to four changes by chance, and their names. */
export function mutate(bytes: Buffer, random: SeededRandom, other: Buffer): { bytes: Buffer; applied: string } {
  const names: string[] = []
  let changed = bytes
  for (let left = random.int(1, 4); left > 0 && changed.length > 0; left--) {
    const name = random.pick(Object.keys(MUTATIONS))
    names.push(name)
    changed = MUTATIONS[name]!(changed, random, other)
  }
  return { bytes: changed, applied: names.join('+') }
}

/** How many rows a file that is not refused has: a line with something on it is one, except the header of a CSV file. */
export function countFileRows(bytes: Buffer): number {
  const lines = bytes.toString('utf8').split('\n')
  const filled = lines.filter((line) => line.trim() !== '')
  const isCsv = filled[0] !== undefined && !filled[0].trimStart().startsWith('{')
  return filled.length - (isCsv ? 1 : 0)
}
