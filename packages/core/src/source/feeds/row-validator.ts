import { FieldError, type FieldParser } from './field-parsers.ts'

/** Parses the fields of one row at a time and collects all errors of the row. */
export class RowValidator {
  readonly columns: readonly string[]
  #fields: readonly string[] = []
  #errors: string[] = []

  constructor(columns: readonly string[]) {
    this.columns = columns
  }

  /** Starts the next row. Fields are in column order, blank for columns the file doesn't have. */
  reset(fields: readonly string[]): void {
    this.#fields = fields
    if (this.#errors.length > 0) this.#errors = []
  }

  /** All errors of the row in one message, or undefined if it is valid. */
  get errorMessage(): string | undefined {
    return this.#errors.length === 0 ? undefined : this.#errors.join('; ')
  }

  isBlank(column: number): boolean {
    return fastTrim(this.#fields[column] as string) === ''
  }

  /** Returns the parsed value of a column, or null if it is blank. */
  optional<T>(column: number, parse: FieldParser<T>): T | null {
    const text = fastTrim(this.#fields[column] as string)
    return text === '' ? null : this.#parse(column, text, parse)
  }

  /**
   * Returns the parsed value of a column; a blank is an error. After an error the return value is meaningless and the
   * row must not be used.
   */
  required<T>(column: number, parse: FieldParser<T>): T {
    const text = fastTrim(this.#fields[column] as string)
    if (text !== '') return this.#parse(column, text, parse)
    this.addError(column, 'is missing')
    return undefined as T
  }

  addError(column: number, message: string): void {
    this.#errors.push(`${this.columns[column]} ${message}`)
  }

  #parse<T>(column: number, text: string, parse: FieldParser<T>): T {
    const value = parse(text)
    if (!(value instanceof FieldError)) return value
    this.addError(column, value.message)
    return undefined as T
  }
}

/** Calls `trim` only if needed: it costs more than checking both ends. */
function fastTrim(text: string): string {
  if (text === '') return text
  const ends = text.charCodeAt(0) <= 32 || text.charCodeAt(text.length - 1) <= 32
  return ends || text.charCodeAt(0) > 126 || text.charCodeAt(text.length - 1) > 126 ? text.trim() : text
}
