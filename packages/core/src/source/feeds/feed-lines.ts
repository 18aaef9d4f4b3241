import { isUtf8 } from 'node:buffer'

/** One record is one line, so damage in one line never reaches the next. */
const MAX_LINE_BYTES = 64 * 1024
const LF = 10

/**
 * Consecutive lines. `faults` says by index which lines are no usable text and why; there are usually none. `ended` is
 * false when the file stops without a line break, which may mean that it was cut off.
 */
export type LineBlock = { lines: string[]; errors: Map<number, string>; endsWithNewline: boolean }

/** The lines of a UTF-8 file without their LF or CRLF and without a byte order mark; never more than one chunk held. */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<LineBlock> {
  let rest: Buffer = Buffer.alloc(0)
  let first = true
  for await (const chunk of bytes) {
    const buffered = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = buffered.lastIndexOf(LF)
    // One byte over the limit is enough to know the line is too long; what follows of it need not be kept.
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
    const fault = lineTooLongMessage(line) ?? (clean ? undefined : invalidCharacterMessage(line))
    if (fault !== undefined) errors.set(index, fault)
    if (line.endsWith('\r')) lines[index] = line.slice(0, -1)
  }
  return { lines, errors, endsWithNewline }
}

/** Decoding turns invalid bytes into U+FFFD. A file that holds that very character lost a letter earlier: same fault. */
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

/** The same for every way of cutting the file into chunks, hence counted in bytes; a UTF-16 unit takes 3 at the most. */
function lineTooLongMessage(line: string): string | undefined {
  const long = line.length > MAX_LINE_BYTES / 3 && Buffer.byteLength(line) > MAX_LINE_BYTES
  return long ? 'the line is longer than 64 KB' : undefined
}

function invalidCharacterMessage(line: string): string | undefined {
  if (line.includes('\ufffd')) return 'the line contains bytes that are not valid UTF-8, or U+FFFD in their place'
  const control = INVALID_IN_LINE.exec(line)?.[0]
  if (control === undefined) return undefined
  return `the line contains a control character (0x${control.charCodeAt(0).toString(16).padStart(2, '0')})`
}

// A tab is judged with the field it stands in: around a value it is white space. A CR is fine only before LF.
// oxlint-disable no-control-regex -- control characters are what these look for
const INVALID_IN_BLOCK = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]|\r(?!\n|$)/
const INVALID_IN_LINE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!$)/
