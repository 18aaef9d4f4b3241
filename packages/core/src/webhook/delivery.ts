/** Seconds from each failed attempt to the next one, as the Standard Webhooks specification proposes. */
const RETRY_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** Endpoints that failed together aren't tried together again. */
const JITTER = 0.1

/** What happened when a message was sent. `statusCode` is null if there was no response. */
export type Attempt = { at: Date; durationMs: number; statusCode: number | null; response: string }

export type Outcome = { status: 'delivered' | 'failed' } | { status: 'waiting'; retryInSeconds: number }

/** Returns what follows from an attempt after this many earlier ones. */
export function outcomeOf({ statusCode }: Attempt, earlierAttempts: number, random = Math.random): Outcome {
  if (isSuccess(statusCode)) return { status: 'delivered' }
  const retry = RETRY_SECONDS[earlierAttempts]
  if (retry === undefined || statusCode === 410) return { status: 'failed' }
  return { status: 'waiting', retryInSeconds: retry * (1 + JITTER * random()) }
}

export function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300
}
