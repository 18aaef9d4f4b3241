/** What the archive of write-ahead log holds from a position on. */
export type WalChain = {
  /** In order, by name without `.partial`. */
  segments: string[]
  segmentBytes: number
  /** The first that is missing or cut short, though later ones are there. */
  firstGap: string | undefined
}

const SEGMENT = /^[0-9A-F]{24}(\.partial)?$/

/** Follows the segments from the one that holds `from` (like `0/4000028`) to the last. */
export function walChain(files: { name: string; bytes: number }[], from: string): WalChain {
  const segments = files.filter(({ name }) => SEGMENT.test(name))
  const size = Math.max(0, ...segments.map(({ bytes }) => bytes))
  const byNumber = new Map<number, { name: string; whole: boolean }>()
  // After a fail-over a number may be there on two timelines; the newer one goes on.
  for (const { name, bytes } of segments.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    byNumber.set(segmentNumber(name, size), { name: name.slice(0, 24), whole: bytes === size })
  const chain: WalChain = { segments: [], segmentBytes: size, firstGap: undefined }
  const last = Math.max(...byNumber.keys())
  for (let number = segmentContaining(from, size); number <= last; number++) {
    const segment = byNumber.get(number)
    if (!segment?.whole)
      return { ...chain, firstGap: segment?.name ?? segmentName(chain.segments.at(-1), number, size) }
    chain.segments.push(segment.name)
  }
  return chain
}

/** The number of the segment that holds a position. */
export function segmentContaining(position: string, segmentBytes: number): number {
  const [high = '0', low = '0'] = position.split('/')
  return Math.floor((Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)) / segmentBytes)
}

/** A name is timeline, upper and lower part of the number, eight hexadecimal digits each. */
export function segmentNumber(name: string, segmentBytes: number): number {
  const segmentsPerLogId = 2 ** 32 / segmentBytes
  return Number.parseInt(name.slice(8, 16), 16) * segmentsPerLogId + Number.parseInt(name.slice(16, 24), 16)
}

function segmentName(previous: string | undefined, number: number, segmentBytes: number): string {
  const segmentsPerLogId = 2 ** 32 / segmentBytes
  const hex = (part: number) => Math.floor(part).toString(16).toUpperCase().padStart(8, '0')
  return `${previous?.slice(0, 8) ?? '00000001'}${hex(number / segmentsPerLogId)}${hex(number % segmentsPerLogId)}`
}
