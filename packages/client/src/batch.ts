import type { components } from './api.generated.ts'

export type BatchItems = components['schemas']['BatchRequest']
export type BatchData = components['schemas']['BatchData']

/** Maximum number of items per batch request. */
const BATCH_SIZE = 100

/** Splits items into batches without duplicates (`1` and `1-1`, `HBR001` and `hbr001`), which would be charged twice. */
export function splitBatch({ sets = [], minifigs = [] }: BatchItems): Required<BatchItems>[] {
  const items = [
    ...uniqueBy(sets, (number) => number.replace(/-1$/, '')).map((number) => ({ kind: 'sets' as const, number })),
    ...uniqueBy(minifigs, (number) => number.toLowerCase()).map((number) => ({ kind: 'minifigs' as const, number })),
  ]
  const batches: Required<BatchItems>[] = []
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    const batch: Required<BatchItems> = { sets: [], minifigs: [] }
    for (const { kind, number } of items.slice(start, start + BATCH_SIZE)) batch[kind].push(number)
    batches.push(batch)
  }
  return batches
}

/** Credit cost of a batch: one per unique item. */
export function batchCost(items: BatchItems): number {
  return splitBatch(items).reduce((sum, { sets, minifigs }) => sum + sets.length + minifigs.length, 0)
}

function uniqueBy(numbers: string[], normalize: (number: string) => string): string[] {
  const found = new Map<string, string>()
  for (const input of numbers) {
    const number = input.trim()
    const normalized = normalize(number)
    if (number !== '' && !found.has(normalized)) found.set(normalized, number)
  }
  return [...found.values()]
}
