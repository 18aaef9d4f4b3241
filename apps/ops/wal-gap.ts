const SEGMENT = /(?:^|\/)([0-9A-F]{24})-[0-9a-f]{40}/

/**
 * Returns the first WAL segment that is missing from an archive between `first` and the newest segment, or undefined if
 * there is no gap. `paths` are the files of a pgBackRest archive. Recovery would take a gap for the end of the archive.
 */
export function findWalGap(paths: string[], first: string, segmentBytes: number): string | undefined {
  const numbers = new Set<number>()
  for (const path of paths) {
    const name = SEGMENT.exec(path)?.[1]
    // After a failover, a segment may exist on two timelines; its number is the same.
    if (name !== undefined) numbers.add(segmentNumber(name, segmentBytes))
  }
  const newest = numbers.values().reduce((max, number) => Math.max(max, number), -1)
  for (let number = segmentNumber(first, segmentBytes); number <= newest; number++) {
    if (!numbers.has(number)) return segmentName(first.slice(0, 8), number, segmentBytes)
  }
  // Without any segment, not even the backup itself is complete.
  return newest < segmentNumber(first, segmentBytes) ? first : undefined
}

/** A name has eight hexadecimal digits each for the timeline and the upper and lower part of the number. */
function segmentNumber(name: string, segmentBytes: number): number {
  const segmentsPerLogId = 2 ** 32 / segmentBytes
  return Number.parseInt(name.slice(8, 16), 16) * segmentsPerLogId + Number.parseInt(name.slice(16, 24), 16)
}

function segmentName(timeline: string, number: number, segmentBytes: number): string {
  const segmentsPerLogId = 2 ** 32 / segmentBytes
  const hex = (part: number) => Math.floor(part).toString(16).toUpperCase().padStart(8, '0')
  return `${timeline}${hex(number / segmentsPerLogId)}${hex(number % segmentsPerLogId)}`
}
