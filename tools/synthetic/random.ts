/** A stream of random numbers, deterministic for a given seed and label on every machine. */
export type Random = {
  /** In [0, 1). */
  uniform(): number
  /** An integer from `low` to `high`, both inclusive. */
  int(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
  normal(mean: number, sd: number): number
  lognormal(median: number, sigma: number): number
  poisson(mean: number): number
  /** Student's t with 4 degrees of freedom. */
  studentT4(): number
  /** A rank from 0 to `count` - 1; rank k is about k + 1 times rarer than rank 0. */
  zipf(count: number): number
  hex(digits: number): string
}

/** Creates a stream per label, so that drawing more numbers in one part of the market leaves the others unchanged. */
export function randomStream(seed: number, label: string): Random {
  const uniform = sfc32(hash(`${seed}:${label}:a`), hash(`${seed}:${label}:b`), hash(`${seed}:${label}:c`))
  const int = (low: number, high: number) => low + Math.floor(uniform() * (high - low + 1))
  const standardNormal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  return {
    uniform,
    int,
    chance: (probability) => uniform() < probability,
    pick: (list) => elementAt(list, int(0, list.length - 1)),
    shuffle: (list) => shuffle(list, int),
    normal: (mean, sd) => mean + sd * standardNormal(),
    lognormal: (median, sigma) => median * Math.exp(sigma * standardNormal()),
    poisson: (mean) => poisson(mean, uniform),
    studentT4: () => standardNormal() / Math.sqrt((exponential(uniform) + exponential(uniform)) / 2),
    zipf: (count) => Math.floor((count + 1) ** uniform()) - 1,
    hex: (digits) => Array.from({ length: digits }, () => int(0, 15).toString(16)).join(''),
  }
}

/** Returns the element at an index; throws if it is out of range. */
export function elementAt<T>(list: readonly T[], index: number): T {
  if (index < 0 || index >= list.length) throw new RangeError(`index ${index} out of range (length ${list.length})`)
  return list[index] as T
}

function shuffle<T>(list: readonly T[], int: (low: number, high: number) => number): T[] {
  const shuffled = [...list]
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = int(0, index)
    const moved = elementAt(shuffled, index)
    shuffled[index] = elementAt(shuffled, other)
    shuffled[other] = moved
  }
  return shuffled
}

function poisson(mean: number, uniform: () => number): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = uniform(); product > limit; product *= uniform()) count++
  return count
}

// Exponential variate; a chi-square with 4 degrees of freedom is twice the sum of two of them.
function exponential(uniform: () => number): number {
  return -Math.log(1 - uniform())
}

// FNV-1a.
function hash(text: string): number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return state >>> 0
}

// Chris Doty-Humphrey's small fast counter (sfc32): passes PractRand and needs only 32-bit additions.
function sfc32(a: number, b: number, c: number): () => number {
  let counter = 1
  const next = () => {
    const sum = (a + b + counter++) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  for (let round = 0; round < 16; round++) next()
  return next
}
