import type { RateLimit } from './errors.ts'
import type { List } from './list.ts'

/** Collects the first `max` items of a list, its total count and the remaining quota. */
export async function collectList<T>(
  list: List<T>,
  max = Infinity,
  onProgress: (read: number, total: number) => void = () => {},
): Promise<{ rows: T[]; total: number; rateLimit: RateLimit | undefined }> {
  const rows: T[] = []
  let total = 0
  let rateLimit: RateLimit | undefined
  for await (const page of list.pages({ max })) {
    rows.push(...page.items)
    total = page.total
    rateLimit = page.meta.rateLimit
    if (page.hasMore && rows.length < max) onProgress(rows.length, total)
  }
  return { rows, total, rateLimit }
}
