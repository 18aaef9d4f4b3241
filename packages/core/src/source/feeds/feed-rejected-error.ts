/**
 * The whole file is refused, with one sentence for the operator. It may come after rows were already yielded (a gzip
 * cut off in the middle shows only there), so whoever stages rows must drop the stage when it is thrown.
 */
export class FeedRejectedError extends Error {
  override name = 'FeedRefused'
}
