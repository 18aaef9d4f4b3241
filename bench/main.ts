import { parseArgs } from 'node:util'
import { api } from './api.ts'
import { market } from './market.ts'
import { showReport, type BenchReport } from './report.ts'
import { writeTables } from './tables.ts'

/** `npm run bench -- NAME [--json]`: measures on Debian's PostgreSQL 15, side by side where there is something beside. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rows: { type: 'string', default: '10000000' },
    sets: { type: 'string', default: '25000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    requests: { type: 'string', default: '1000000' },
    only: { type: 'string', multiple: true, default: [] },
  },
})
const { rows, sets, rounds, seconds, requests, only } = values
const benchmarks: Record<string, () => Promise<BenchReport>> = {
  market: () => market({ rows: Number(rows), sets: Number(sets) }),
  api: () => api({ rounds: Number(rounds), seconds: Number(seconds), requests: Number(requests), only }),
}
const benchmark = benchmarks[positionals[0] ?? '']
if (benchmark === undefined) {
  process.stderr.write(`Usage: npm run bench -- NAME [--json]
  market   how fast sales are taken and values computed        [--rows N] [--sets N]
  api      ours, bare Fastify, the usual stacks and pgbench    [--rounds N] [--seconds N] [--requests N] [--only PART …] [--write]
           parts: set search batch history brickfolio entries analytics retail_watch sales_ledger processes memory
           --write puts the tables into docs/performance.md
`)
  process.exit(2)
}
const report = await benchmark()
if (values.write) await writeTables(report)
process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : showReport(report))
process.exitCode = report.goals.every((goal) => goal.pass) ? 0 : 1
