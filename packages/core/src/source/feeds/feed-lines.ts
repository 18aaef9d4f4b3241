import { isUtf8 } from 'node:buffer'

/** A record is always one line, so a damaged line never affects the next. */
const MAX_LINE_BYTES = 64 * 1024
const LF = 10

/**
 * Consecutive lines. `errors` maps the index of each line that isn't usable text to the reason; it is usually empty.
 * `endsWithNewline` is false if the file ends without a line break, i.e. may have been truncated.
 */
export type LineBlock = { lines: string[]; errors: Map<number, string>; endsWithNewline: boolean }

/**
 * Yields the lines of a UTF-8 file without line endings (LF or CRLF) and byte order mark. Holds at most one chunk in
 * memory.
 */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<LineBlock> {
  let rest: Buffer = Buffer.alloc(0)
  let first = true
  for await (const chunk of bytes) {
    const buffered = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = buffered.lastIndexOf(LF)
    // One byte over the limit is enough to detect that the line is too long; discard the rest.
    rest = end === -1 ? buffered.subarray(0, MAX_LINE_BYTES + 1) : buffered.subarray(end + 1)
    if (end === -1) continue
    yield toLines(buffered.subarray(0, end), first, true)
    first = false
  }
  if (rest.length > 0) yield toLines(rest, first, false)
}

function toLines(block: Buffer, first: boolean, endsWithNewline: boolean): LineBlock {
  const bytes = first && block[0] === 0xef && block[1] === 0xbb && block[2] === 0xbf ? block.subarray(3) : block
  const valid = isUtf8(bytes)
  const text = valid ? bytes.toString('utf8') : ''
  const clean = valid && !INVALID_IN_BLOCK.test(text)
  const lines = valid ? text.split('\n') : splitBytes(bytes)
  const errors = new Map<number, string>()
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string
    const error = lineTooLongMessage(line) ?? (clean ? undefined : invalidCharacterMessage(line))
    if (error !== undefined) errors.set(index, error)
    if (line.endsWith('\r')) lines[index] = line.slice(0, -1)
  }
  return { lines, errors, endsWithNewline }
}

/**
 * Decoding replaces invalid bytes with U+FFFD. A literal U+FFFD in the file means a character was lost earlier, so both
 * are reported as the same error.
 */
function splitBytes(bytes: Buffer): string[] {
  const lines: string[] = []
  let start = 0
  while (true) {
    const end = bytes.indexOf(LF, start)
    lines.push(bytes.toString('utf8', start, end === -1 ? bytes.length : end))
    if (end === -1) return lines
    start = end + 1
  }
}

/**
 * Measured in bytes, so that the result doesn't depend on how the file is chunked. A UTF-16 code unit takes at most 3
 * bytes.
 */
function lineTooLongMessage(line: string): string | undefined {
  const long = line.length > MAX_LINE_BYTES / 3 && Buffer.byteLength(line) > MAX_LINE_BYTES
  return long ? 'the line is longer than 64 KB' : undefined
}

function invalidCharacterMessage(line: string): string | undefined {
  if (line.includes('\ufffd')) return 'the line contains invalid UTF-8 or U+FFFD'
  const control = INVALID_IN_LINE.exec(line)?.[0]
  if (control === undefined) return undefined
  return `the line contains a control character (0x${control.charCodeAt(0).toString(16).padStart(2, '0')})`
}

// Tabs are checked per field, where they may be surrounding white space. A CR is valid only before LF.
// oxlint-disable no-control-regex -- these patterns look for control characters
const INVALID_IN_BLOCK = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]|\r(?!\n|$)/
const INVALID_IN_LINE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!$)/
