import type { SeededRandom } from '../../harness/random.ts'

type Mutation = (bytes: Buffer, random: SeededRandom, other: Buffer) => Buffer

const spliceBytes = (bytes: Buffer, from: number, to: number, replacement: Buffer) =>
  Buffer.concat([bytes.subarray(0, from), replacement, bytes.subarray(to)])

/** Bytes that are significant to a parser or to PostgreSQL. */
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

/** Applies one to four random mutations and returns the bytes and the names of the mutations. */
export function mutate(bytes: Buffer, random: SeededRandom, other: Buffer): { bytes: Buffer; applied: string } {
  const names: string[] = []
  let changed = bytes
  for (let remaining = random.int(1, 4); remaining > 0 && changed.length > 0; remaining--) {
    const name = random.pick(Object.keys(MUTATIONS))
    names.push(name)
    changed = MUTATIONS[name]!(changed, random, other)
  }
  return { bytes: changed, applied: names.join('+') }
}

/** Counts the rows of a file that isn't rejected: every non-blank line, except the header of a CSV file. */
export function countFileRows(bytes: Buffer): number {
  const lines = bytes.toString('utf8').split('\n')
  const nonBlank = lines.filter((line) => line.trim() !== '')
  const isCsv = nonBlank[0] !== undefined && !nonBlank[0].trimStart().startsWith('{')
  return nonBlank.length - (isCsv ? 1 : 0)
}
