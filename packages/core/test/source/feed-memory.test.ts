import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** 40 MB by default, because 300 MB takes more than ten seconds on a busy machine; the script accepts any size. */
const MEGABYTES = process.env['FEED_MEGABYTES'] ?? '40'

/** V8 may double its young generation at any time (up to 50 MB more), which is unrelated to the file. */
const FIXED_YOUNG_GENERATION = '--max-semi-space-size=8'

test.each(['csv', 'ndjson'])(
  'memory usage stays flat while reading a large %s file',
  async (form) => {
    const script = fileURLToPath(new URL('./feed-memory-benchmark.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [FIXED_YOUNG_GENERATION, script, MEGABYTES, form])
    const result = JSON.parse(stdout) as { rows: number; bad: number; rss_growth_mb: number }
    expect(result.bad).toBe(0)
    expect(result.rows).toBeGreaterThan(100_000)
    expect(result.rss_growth_mb).toBeLessThan(60)
  },
  120_000,
)
