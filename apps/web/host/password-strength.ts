import { Piscina } from 'piscina'
import type rate from './password-worker.ts'

/** Below this, a password takes fewer than a million guesses. */
const MIN_SCORE = 2
/** The estimate takes long for long passwords, and their beginning is enough to accept them. */
const MAX_CHECKED_LENGTH = 40
/** Names and addresses have fewer words; each makes the estimate slower. */
const MAX_WORDS = 20
const MAX_QUEUE = 50
const MAX_HEAP_MB = 96

/** Estimates how easy passwords are to guess, in a thread of its own: it takes milliseconds, and anyone may sign up. */
export class PasswordStrength {
  readonly #pool = new Piscina<Parameters<typeof rate>[0], number>({
    filename: new URL('./password-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    maxQueue: MAX_QUEUE,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 8 },
  })

  /**
   * Whether a password would be among the first million guesses: passwords from breaches, keyboard patterns, dates,
   * repetitions, and words from the user's own name and address. Throws if too many are being checked.
   */
  async isEasy(password: string, personalWords: string[]): Promise<boolean> {
    const words = personalWords.flatMap((word) => word.toLowerCase().split(/[^\p{L}\d]+/u))
    const score = await this.#pool.run({
      password: password.slice(0, MAX_CHECKED_LENGTH),
      words: ['brickmark', 'brick', 'lego', ...words.filter((word) => word.length > 2).slice(0, MAX_WORDS)],
    })
    return score < MIN_SCORE
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
