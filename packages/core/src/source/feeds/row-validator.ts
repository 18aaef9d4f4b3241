import { FieldError, type FieldParser } from './field-parsers.ts'

/** Reads the fields of one row after the other and collects everything that is wrong with the row. */
export class RowValidator {
  readonly columns: readonly string[]
  #fields: readonly string[] = []
  #errors: string[] = []

  constructor(columns: readonly string[]) {
    this.columns = columns
  }

  /** Begins the next row; its fields are in the order of the columns, blank where the file has none. */
  reset(fields: readonly string[]): void {
    this.#fields = fields
    if (this.#errors.length > 0) this.#errors = []
  }

  /** What is wrong with the row in words, or undefined when nothing is. */
  get errorMessage(): string | undefined {
    return this.#errors.length === 0 ? undefined : this.#errors.join('; ')
  }

  isBlank(column: number): boolean {
    return fastTrim(this.#fields[column] as string) === ''
  }

  /** The value at a place, or null when it is blank. */
  optional<T>(column: number, read: FieldParser<T>): T | null {
    const text = fastTrim(this.#fields[column] as string)
    return text === '' ? null : this.#read(column, text, read)
  }

  /** The value at a place; a blank is a fault. After a fault the value means nothing and the row is not used. */
  required<T>(column: number, read: FieldParser<T>): T {
    const text = fastTrim(this.#fields[column] as string)
    if (text !== '') return this.#read(column, text, read)
    this.addError(column, 'is missing')
    return undefined as T
  }

  addError(column: number, message: string): void {
    this.#errors.push(`${this.columns[column]} ${message}`)
  }

  #read<T>(column: number, text: string, read: FieldParser<T>): T {
    const value = read(text)
    if (!(value instanceof FieldError)) return value
    this.addError(column, value.message)
    return undefined as T
  }
}

/** `trim` only where there is something to trim: it costs more than the look at both ends. */
function fastTrim(text: string): string {
  if (text === '') return text
  const ends = text.charCodeAt(0) <= 32 || text.charCodeAt(text.length - 1) <= 32
  return ends || text.charCodeAt(0) > 126 || text.charCodeAt(text.length - 1) > 126 ? text.trim() : text
}
