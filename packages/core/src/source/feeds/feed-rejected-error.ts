/**
 * Rejects a whole file, with a one-sentence message for the operator. May be thrown after rows have already been
 * yielded (truncated gzip data is only detected at the end), so callers must discard what they staged.
 */
export class FeedRejectedError extends Error {
  override name = 'FeedRejectedError'
}
