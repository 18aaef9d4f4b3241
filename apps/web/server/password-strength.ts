import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** Below this, a password takes fewer than a million guesses. */
const MIN_SCORE = 2
/** The estimate takes long for long passwords, and their beginning is enough to accept them. */
const MAX_CHECKED_LENGTH = 40

/**
 * Whether a password would be among the first million guesses: passwords from breaches, keyboard patterns, dates,
 * repetitions, and words from the user's own name and address.
 */
export function isEasyPassword(password: string, personalWords: string[]): boolean {
  const words = [
    'brickmark',
    'brick',
    'lego',
    ...personalWords.flatMap((word) => word.toLowerCase().split(/[^\p{L}\d]+/u)),
  ]
  const { score } = estimator.check(
    password.slice(0, MAX_CHECKED_LENGTH),
    words.filter((word) => word.length > 2),
  )
  return score < MIN_SCORE
}
