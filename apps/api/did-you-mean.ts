const LONGEST = 60

/** The one of `words` that was probably meant by `typed`, or undefined when none is near. Case and `_`, `-` do not count. */
export function closest(typed: string, words: readonly string[]): string | undefined {
  if (typed.length > LONGEST) return undefined
  const given = plain(typed)
  const near = words
    .map((word) => ({ word, slips: slipsBetween(given, plain(word)) }))
    .filter(({ word, slips }) => slips <= Math.floor(plain(word).length / 3))
  return near.sort((a, b) => a.slips - b.slips)[0]?.word
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '')
}

/** How many letters were left out, added, changed or swapped with their neighbour. */
function slipsBetween(a: string, b: string): number {
  let older: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, place) => place)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      next[column] = Math.min(
        last[column]! + 1,
        next[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
        swapped ? older[column - 2]! + 1 : Infinity,
      )
    }
    older = last
    last = next
  }
  return last[b.length]!
}
