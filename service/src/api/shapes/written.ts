import { dayOf } from '../../domain/month.ts'

/** Data that is JSON text already. */
export class Written {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * `present` as JSON text, written once a record and UTC day: a record of the catalog never changes, it is replaced. The
 * text goes when its record does; 25,000 sets take 30 MB.
 */
export function writeOnce<R extends object>(
  present: (record: R, now: Date) => object,
): (record: R, now: Date) => string {
  const texts = new WeakMap<R, { day: number; text: string }>()
  return (record, now) => {
    const day = dayOf(now)
    const known = texts.get(record)
    if (known?.day === day) return known.text
    const text = JSON.stringify(present(record, now))
    texts.set(record, { day, text })
    return text
  }
}
