import { Fault, type Reading } from './field-parsers.ts'

/** Reads the fields of one row after the other and collects everything that is wrong with the row. */
export class RowCheck {
  readonly columns: readonly string[]
  #fields: readonly string[] = []
  #faults: string[] = []

  constructor(columns: readonly string[]) {
    this.columns = columns
  }

  /** Begins the next row; its fields are in the order of the columns, blank where the file has none. */
  begin(fields: readonly string[]): void {
    this.#fields = fields
    if (this.#faults.length > 0) this.#faults = []
  }

  /** What is wrong with the row in words, or undefined when nothing is. */
  get reason(): string | undefined {
    return this.#faults.length === 0 ? undefined : this.#faults.join('; ')
  }

  isBlank(place: number): boolean {
    return trimmed(this.#fields[place] as string) === ''
  }

  /** The value at a place, or null when it is blank. */
  optional<T>(place: number, read: Reading<T>): T | null {
    const text = trimmed(this.#fields[place] as string)
    return text === '' ? null : this.#read(place, text, read)
  }

  /** The value at a place; a blank is a fault. After a fault the value means nothing and the row is not used. */
  required<T>(place: number, read: Reading<T>): T {
    const text = trimmed(this.#fields[place] as string)
    if (text !== '') return this.#read(place, text, read)
    this.fault(place, 'is missing')
    return undefined as T
  }

  fault(place: number, sentence: string): void {
    this.#faults.push(`${this.columns[place]} ${sentence}`)
  }

  #read<T>(place: number, text: string, read: Reading<T>): T {
    const value = read(text)
    if (!(value instanceof Fault)) return value
    this.fault(place, value.sentence)
    return undefined as T
  }
}

/** `trim` only where there is something to trim: it costs more than the look at both ends. */
function trimmed(text: string): string {
  if (text === '') return text
  const ends = text.charCodeAt(0) <= 32 || text.charCodeAt(text.length - 1) <= 32
  return ends || text.charCodeAt(0) > 126 || text.charCodeAt(text.length - 1) > 126 ? text.trim() : text
}
