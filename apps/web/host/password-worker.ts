import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** The task of a worker thread: rates a password from 0 to 4, where guesses may include these words. */
export default function rate({ password, words }: { password: string; words: string[] }): number {
  return estimator.check(password, words).score
}
