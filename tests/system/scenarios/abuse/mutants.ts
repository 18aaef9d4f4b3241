import type { Mutant } from '../../harness/mutant.ts'

/** Each takes a limit away. */
export const abuseMutants: Mutant[] = [
  {
    name: 'unlimited-guesses',
    description: 'looks up as many unknown keys as a network sends',
    edits: [
      {
        file: 'apps/api/admission/key-resolver.ts',
        find: 'if (!this.#failedLookups.take(network)) throw new FailedLookupLimitError()',
        replace: 'this.#failedLookups.take(network)',
      },
    ],
  },
  {
    name: 'limits-per-address',
    description: 'counts every address of an IPv6 network on its own',
    edits: [
      {
        file: 'packages/core/src/runtime/client-network.ts',
        find: 'if (!ipaddr.isValid(address)) return address',
        replace: 'if (ipaddr.isValid(address)) return address',
      },
    ],
  },
  {
    name: 'stalled-clients-stay',
    description: 'keeps clients connected that take nothing of their response',
    edits: [
      {
        file: 'packages/core/src/runtime/stalled-clients.ts',
        find: 'else if (taken.get(socket) === bytes) socket.destroy()',
        replace: 'else if (taken.get(socket) === bytes) continue',
      },
    ],
  },
  {
    name: 'endless-headers',
    description: 'waits for the end of the headers for three minutes',
    edits: [
      { file: 'apps/api/http-limits.ts', find: 'requestTimeout: 10_000', replace: 'requestTimeout: 200_000' },
      { file: 'apps/api/http-limits.ts', find: 'headersTimeout: 10_000', replace: 'headersTimeout: 200_000' },
    ],
  },
  {
    name: 'all-unknown-fields',
    description: 'looks for names that are similar to each of thousands of unknown fields',
    edits: [
      {
        file: 'apps/api/validation-message.ts',
        find: 'const MAX_UNKNOWN_KEYS = 5',
        replace: 'const MAX_UNKNOWN_KEYS = 5000',
      },
    ],
  },
  {
    name: 'reads-without-a-plan',
    description: 'reads the bodies of keys that may not use the API',
    edits: [{ file: 'apps/api/app.ts', find: 'if (!key.lacksPlan) return done()', replace: 'if (key) return done()' }],
  },
  {
    name: 'one-bad-usage-entry',
    description: 'loses the usage of everyone with a text that PostgreSQL can’t store',
    edits: [
      {
        file: 'packages/core/src/primitives/jsonb.ts',
        find: "typeof part === 'string' ? toStorableText(part) : part",
        replace: 'part',
      },
      {
        file: 'apps/api/admission/usage-recorder.ts',
        find: 'if (summaries.length > 1 && !isDatabaseUnavailable(error)) {',
        replace: 'if (summaries.length < 1 && !isDatabaseUnavailable(error)) {',
      },
    ],
  },
  {
    name: 'unlimited-previews',
    description: 'draws as many link previews as a network asks for',
    edits: [
      {
        file: 'apps/web/host/pictures.ts',
        find: 'const PREVIEWS_PER_MINUTE = 30',
        replace: 'const PREVIEWS_PER_MINUTE = 1_000_000',
      },
    ],
  },
  {
    name: 'unlimited-pages',
    description: 'shows a free account as many pages as it asks for',
    edits: [
      {
        file: 'apps/web/host/rate-limits.ts',
        find: "limit('member-minute', 120, MINUTE)",
        replace: "limit('member-minute', 1_000_000, MINUTE)",
      },
    ],
  },
]
