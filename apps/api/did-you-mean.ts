const MAX_INPUT_LENGTH = 60

/** Returns the word that is closest to `typed`, or undefined if none is close. Ignores case, `_` and `-`. */
export function closestMatch(typed: string, words: readonly string[]): string | undefined {
  if (typed.length > MAX_INPUT_LENGTH) return undefined
  const normalized = normalize(typed)
  const candidates = words
    .map((word) => ({ word, distance: editDistance(normalized, normalize(word)) }))
    .filter(({ word, distance }) => distance <= Math.floor(normalize(word).length / 3))
  return candidates.sort((a, b) => a.distance - b.distance)[0]?.word
}

function normalize(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '')
}

/** Counts the letters that were inserted, deleted, replaced or swapped with their neighbor. */
function editDistance(a: string, b: string): number {
  let previous2: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      next[column] = Math.min(
        previous[column]! + 1,
        next[column - 1]! + 1,
        previous[column - 1]! + (same ? 0 : 1),
        swapped ? previous2[column - 2]! + 1 : Infinity,
      )
    }
    previous2 = previous
    previous = next
  }
  return previous[b.length]!
}
