import type { Request } from './load-generator.ts'

/** The requests of a benchmark of catalog endpoints. */
export type Workload = { name: PublicWorkload; requests: Request[] }

export type PublicWorkload = 'set' | 'search' | 'batch' | 'history'

const SETS = 5000
const BATCH = 100
const BATCHES = 200
const WORDS = ['harbor', 'castle', 'light', 'er', 'st', 'tower', 'market', '2001', '9000', 'the', 'boat', 'garden']

export function workloads(setNumbers: string[]): Workload[] {
  const step = Math.max(1, Math.floor(setNumbers.length / SETS))
  const numbers = setNumbers.filter((_, index) => index % step === 0).slice(0, SETS)
  return [
    { name: 'set', requests: numbers.map((number) => get(`/set/${number}`)) },
    {
      name: 'search',
      requests: WORDS.flatMap((word) =>
        [0, 50, 100].map((offset) => get(`/catalog/sets/search?q=${word}&offset=${offset}`)),
      ),
    },
    {
      name: 'batch',
      requests: Array.from({ length: BATCHES }, (_, batch) => ({
        method: 'POST',
        path: '/api/v1/catalog/batch',
        body: JSON.stringify({
          sets: Array.from({ length: BATCH }, (_, n) => numbers[(batch * 97 + n * 13) % numbers.length]),
        }),
      })),
    },
    { name: 'history', requests: numbers.map((number) => get(`/set/${number}/history`)) },
  ]
}

export const PRIVATE_PATHS = {
  brickfolio: '/brickfolio',
  entries: '/brickfolio/entries',
  analytics: '/brickfolio/analytics',
  retail_watch: '/brickfolio/retail-watch',
  sales_ledger: '/salesledger',
}

export type PrivateName = keyof typeof PRIVATE_PATHS

export function get(path: string): Request {
  return { method: 'GET', path: `/api/v1${path}` }
}
