import { parseArgs } from 'node:util'
import { benchApi, SECTIONS } from './api.ts'
import { benchContention } from './contention.ts'
import { benchExports } from './exports.ts'
import { benchMarket } from './market.ts'
import { formatReport, type BenchReport } from './report.ts'
import { benchScale } from './scale.ts'
import { updateBenchmarkDoc } from './benchmark-doc.ts'

/** `npm run bench -- NAME [--json]`: runs a benchmark on Debian's PostgreSQL 15. */

const USAGE = `Usage: npm run bench -- NAME [--json] [OPTION …]
  market   throughput of sales ingestion and valuation
           --rows 10000000 --sets 25000
  api      our API, bare Fastify, Redis stacks and pgbench; --write updates docs/api-benchmark.md
           --rounds 5 --seconds 4 --requests 1000000 --only SECTION,SECTION…
           sections: ${SECTIONS.join(' ')}
  contention  how much a key that sixteen processes share slows down their other keys
           --rounds 5
  exports  how much downloading and writing exports slows down GET /set/{number}
           --rounds 5 --seconds 4
  scale    20 million lots and a million keys; --write saves the results and updates docs/scaling.md
           --sets 25000 --accounts 200000 --lots 100 --requests 1000000
`

const command = parseCommand()
if (typeof command === 'string') {
  process.stderr.write(`${command}\n\n${USAGE}`)
  process.exitCode = 2
} else {
  const report = await command.measure()
  process.stdout.write(command.json ? `${JSON.stringify(report)}\n` : formatReport(report))
  process.exitCode = report.goals.every((goal) => goal.pass) ? 0 : 1
}

/** Parses the command line; returns an error message if it is invalid. */
function parseCommand(): { measure: () => Promise<BenchReport>; json: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        rows: { type: 'string', default: '10000000' },
        sets: { type: 'string', default: '25000' },
        rounds: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '4' },
        accounts: { type: 'string', default: '200000' },
        lots: { type: 'string', default: '100' },
        requests: { type: 'string', default: '1000000' },
        only: { type: 'string', default: '' },
      },
    })
    const { json, write, only, ...texts } = values
    const options = { ...parseIntegers(texts), write, only: parseSections(only) }
    const benchmarks: Record<string, () => Promise<BenchReport>> = {
      market: () => benchMarket(options),
      api: async () => {
        const report = await benchApi(options)
        if (write) await updateBenchmarkDoc(report)
        return report
      },
      contention: () => benchContention(options),
      exports: () => benchExports(options),
      scale: () => benchScale(options),
    }
    const [name = ''] = positionals
    const measure = benchmarks[name]
    if (measure === undefined) return name === '' ? 'Missing benchmark name.' : `Unknown benchmark: ${name}`
    return { measure, json }
  } catch (error) {
    return (error as Error).message
  }
}

function parseSections(list: string): string[] {
  const parts = list.split(',').filter((part) => part !== '')
  const unknown = parts.find((part) => !SECTIONS.includes(part))
  if (unknown !== undefined) throw new Error(`Unknown section: ${unknown}`)
  return parts
}

function parseIntegers<T extends Record<string, string>>(texts: T): Record<keyof T, number> {
  for (const [name, text] of Object.entries(texts)) {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a positive integer (got ${text}).`)
  }
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)])) as Record<
    keyof T,
    number
  >
}
