import { parseArgs } from 'node:util'
import { market } from './market.ts'
import type { Benchmark } from './report.ts'
import { showReport } from './report.ts'

/** `npm run bench -- NAME [--json]`: measures on Debian's PostgreSQL 15, side by side where there is something beside. */
const benchmarks: Record<string, Benchmark> = { market }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rows: { type: 'string', default: '10000000' },
    sets: { type: 'string', default: '25000' },
  },
})
const benchmark = benchmarks[positionals[0] ?? '']
if (benchmark === undefined) {
  process.stderr.write(`Usage: npm run bench -- NAME [--json]\nBenchmarks: ${Object.keys(benchmarks).join(', ')}\n`)
  process.exit(2)
}
const report = await benchmark({ rows: Number(values.rows), sets: Number(values.sets) })
process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : showReport(report))
process.exitCode = report.goals.every((goal) => goal.pass) ? 0 : 1
