import { utcDayOf } from '@brickmark/core/primitives/calendar'

/** Already-serialized response data, as one or more JSON chunks that are never concatenated on the heap. */
export class PreserializedJson {
  readonly chunks: readonly string[]

  constructor(...chunks: string[]) {
    this.chunks = chunks
  }

  get text(): string {
    return this.chunks.join('')
  }
}

/** Joins the chunks of list items with commas. */
export function joinChunks(items: string[][]): string[] {
  return items.flatMap((chunks, index) => (index === 0 ? chunks : [',', ...chunks]))
}

/**
 * Memoizes `serialize` as JSON text per record and UTC day. Catalog records never change, they are replaced; the text
 * is garbage-collected with its record. 25,000 sets take 30 MB.
 */
export function memoizeJson<R extends object>(
  serialize: (record: R, now: Date) => object,
): (record: R, now: Date) => string {
  const cache = new WeakMap<R, { day: number; text: string }>()
  return (record, now) => {
    const day = utcDayOf(now)
    const cached = cache.get(record)
    if (cached?.day === day) return cached.text
    const text = JSON.stringify(serialize(record, now))
    cache.set(record, { day, text })
    return text
  }
}
