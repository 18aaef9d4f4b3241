import type { components } from './api.generated.ts'

export type BatchItems = components['schemas']['BatchRequest']
export type BatchData = components['schemas']['BatchData']

/** The most a batch may hold. */
const BATCH_SIZE = 100

/** The items of a list in batches, each item once: what the service takes for one thing is asked and paid for once. */
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

/** What a batch costs in units: one for each different item. */
export function batchCost(items: BatchItems): number {
  return splitBatch(items).reduce((sum, { sets, minifigs }) => sum + sets.length + minifigs.length, 0)
}

function uniqueBy(numbers: string[], normalize: (number: string) => string): string[] {
  const found = new Map<string, string>()
  for (const given of numbers) {
    const number = given.trim()
    const plain = normalize(number)
    if (number !== '' && !found.has(plain)) found.set(plain, number)
  }
  return [...found.values()]
}
