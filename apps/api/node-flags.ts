/**
 * Node flags of the API process; keep in sync with `npm run api`.
 *
 * By default, Node lets the heap grow to four times what is needed: 844 MB with a full catalog under load. The young
 * generation is as large as a limit of 400 MB for the process allows: with 32 MB, memory reached 398 MB. A smaller one
 * promotes more bytes per request to the old generation.
 *
 * While the catalog loads, V8 learns to allocate some objects in the old generation at once, because all of them survive.
 * Requests then allocate there too, and what they refer to isn't collected until the next full collection: after one start
 * in four, a request left 4 KB behind instead of 400 bytes.
 */
export const API_NODE_FLAGS = [
  '--max-semi-space-size=24',
  '--max-old-space-size=256',
  '--no-allocation-site-pretenuring',
]
