/** A reliable value as the log of its ratio to a base (the list price of a set, 1 for a minifig). */
export type RatioSample = {
  /** The groups it belongs to, widest first: e.g. a life stage, then a theme within it. */
  groups: readonly string[]
  logRatio: number
}

/** Expected value of an item before any sale of its own. */
export type Prior = { logValue: number; sd: number }

export type PriorTable = {
  overall: number
  overallSd: number
  medians: ReadonlyMap<string, number>
  sds: ReadonlyMap<string, number>
}

const SHRINK_WEIGHT = 5
const SD_SHRINK_WEIGHT = 20
const MAD_TO_SD = 1.4826
/** Spread of the prices of similar items, until enough of them are known. Real sets: 0.24 to 0.52 within theme and age. */
const USUAL_SD = 0.5
const MIN_SD = 0.05

/** Fits medians by group, each shrunk toward the wider group's with the weight of five items; null without items. */
export function fitPriors(known: readonly RatioSample[]): PriorTable | null {
  if (known.length === 0) return null
  const overall = median(known.map(({ logRatio }) => logRatio))
  const medians = new Map<string, number>()
  const depth = Math.max(...known.map(({ groups }) => groups.length))
  for (let level = 0; level < depth; level++) {
    for (const [key, members] of groupBy(known, level)) {
      const parent = medians.get(keyOf(members[0]!.groups, level - 1)) ?? overall
      medians.set(key, shrink(median(members.map(({ logRatio }) => logRatio)), members.length, parent, SHRINK_WEIGHT))
    }
  }
  const residualOf = ({ groups, logRatio }: RatioSample) =>
    Math.abs(logRatio - medians.get(keyOf(groups, groups.length - 1))!)
  const overallSd = shrink(MAD_TO_SD * median(known.map(residualOf)), known.length, USUAL_SD, SD_SHRINK_WEIGHT)
  const sds = new Map<string, number>()
  for (const [key, members] of groupBy(known, 0)) {
    sds.set(key, shrink(MAD_TO_SD * median(members.map(residualOf)), members.length, overallSd, SD_SHRINK_WEIGHT))
  }
  return { overall, overallSd, medians, sds }
}

/** Returns the prior of an item from its narrowest known group, or from all items if none is known. */
export function lookUpPrior(table: PriorTable, groups: readonly string[], logBase: number): Prior {
  let logRatio = table.overall
  for (let level = 0; level < groups.length; level++) logRatio = table.medians.get(keyOf(groups, level)) ?? logRatio
  const sd = table.sds.get(keyOf(groups, 0)) ?? table.overallSd
  return { logValue: logBase + logRatio, sd: Math.max(sd, MIN_SD) }
}

/** Averages two priors by precision. Both are based on other items, so the result gets no narrower than the better one. */
export function combinePriors(a: Prior, b: Prior): Prior {
  const weight = b.sd ** 2 / (a.sd ** 2 + b.sd ** 2)
  return { logValue: weight * a.logValue + (1 - weight) * b.logValue, sd: Math.min(a.sd, b.sd) }
}

/** Returns the median; for an even number of values, the mean of the two middle ones. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function groupBy(known: readonly RatioSample[], level: number): Map<string, RatioSample[]> {
  const deepEnough = known.filter(({ groups }) => groups.length > level)
  return Map.groupBy(deepEnough, ({ groups }) => keyOf(groups, level))
}

function keyOf(groups: readonly string[], level: number): string {
  return groups.slice(0, level + 1).join('\n')
}

function shrink(own: number, count: number, parent: number, weight: number): number {
  return (count * own + weight * parent) / (count + weight)
}
