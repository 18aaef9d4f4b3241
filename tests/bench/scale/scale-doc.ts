import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ScaleResults } from './results.ts'
import { evaluateGoals } from './goals.ts'
import type { RequestCost } from './cost-per-request.ts'
import { ASSUMPTIONS, estimateCapacity, type CapacityEstimate } from './capacity-model.ts'

const DOCUMENT = fileURLToPath(new URL('../../../docs/scaling.md', import.meta.url))

type Cell = string | number
type Table = { head: string[]; rows: Cell[][] }

/** Replaces the tables in docs/scaling.md; the text between them stays. */
export async function updateScaleDoc(results: ScaleResults): Promise<void> {
  await writeFile(DOCUMENT, replaceTables(await readFile(DOCUMENT, 'utf8'), results))
}

/** Replaces every table between `<!-- table: name -->` and `<!-- end -->`. */
function replaceTables(text: string, results: ScaleResults): string {
  return text.replaceAll(
    /(<!-- table: (.+?) -->\n).*?(<!-- end -->)/gs,
    (_, begin: string, name: string, end: string) => {
      const table = TABLES[name]
      if (!table) throw new Error(`unknown table in docs/scaling.md: ${name}`)
      return `${begin}${toMarkdown(table(results))}${end}`
    },
  )
}

const SIZES = [1000, 100_000, 1_000_000]

const TABLES: Record<string, (f: ScaleResults) => Table> = {
  goals: (f) => ({
    head: ['figure', 'goal', 'measured', ''],
    rows: evaluateGoals(f).map(({ name, goal, value, pass }) => [name, goal, value, pass ? 'reached' : '**missed**']),
  }),
  run: (f) => ({
    head: ['', ''],
    rows: [
      ['measured on', `${f.measured}, ${f.machine}`],
      [
        'catalog',
        `${formatCount(f.catalog.sets)} sets, ${formatCount(f.catalog.minifigs)} minifigs, ${f.catalog.months} months`,
      ],
      [
        'accounts × lots',
        [f.populations.small, f.populations.big].map((p) => `${formatCount(p.accounts)} × ${p.lots}`).join('; '),
      ],
      ['keys', f.charging.map((side) => formatCount(side.keys)).join('; ')],
      ['startup time', `${(f.start.ms / 1000).toFixed(1)} s`],
      ['memory at startup, then after each 10 % of the requests', `${f.rss_mb.join(', ')} MB`],
      ['requests sent', formatCount(f.requests)],
      [
        'database',
        `${f.sizes.database_gb} GB; ${f.sizes.bytes_per_lot} bytes per lot, ${f.sizes.bytes_per_sale} per sale, ${f.sizes.bytes_per_key} per key, ${f.sizes.bytes_per_key_and_day} per key and day, including indexes`,
      ],
    ],
  }),
  latency: (f) => ({
    head: [
      'p50 / p99, ms',
      formatCount(lotsOf(f.populations.small)),
      formatCount(lotsOf(f.populations.big)),
      '÷ (p50)',
      'with a plain index',
      'in 16 partitions',
    ],
    rows: Object.entries(f.latency).map(([name, { small, big }]) => [
      name,
      formatPercentiles(small!),
      formatPercentiles(big!),
      (big!.p50_ms / small!.p50_ms).toFixed(2),
      formatPercentiles(f.plain_index.accounts[name]!['big']!),
      formatPercentiles(f.partitioned.latency[name]!['partitioned']!),
    ]),
  }),
  giant: (f) => ({
    head: ['p50 / p99, ms', 'measured', '÷ first entries', 'with a plain index'],
    rows: Object.entries(f.giant).map(([name, { big }]) => [
      name,
      formatPercentiles(big!),
      (big!.p50_ms / f.giant['first_entries']!['big']!.p50_ms).toFixed(2),
      formatPercentiles(f.plain_index.giant[name]!['big']!),
    ]),
  }),
  costs: (f) => ({
    head: ['request', 'requests/s', 'CPU µs, API', 'CPU µs, primary', 'CPU µs, standby', 'WAL bytes'],
    rows: [
      ['`/set`, one process', ...costCells(f.processes.one)],
      ['`/set`, two processes', ...costCells(f.processes.two)],
      ['entries, on the primary', ...costCells(f.standby.without)],
      ['entries, on a standby', ...costCells(f.standby.with)],
      ...f.charging.map((side) => [
        `charge only, ${formatCount(side.keys)} keys`,
        formatCount(side.calls_per_second),
        '',
        side.postgres_cpu_us,
        '',
        side.wal_bytes,
      ]),
    ],
  }),
  assumed: () => ({
    head: ['assumed', ''],
    rows: Object.entries(ASSUMPTIONS).map(([name, value]) => [name.replaceAll('_', ' '), value]),
  }),
  plan: (f) =>
    capacityTable(SIZES.map((accounts) => estimateCapacity(f, accounts, ASSUMPTIONS.requests_per_account_and_day))),
  worst: (f) =>
    capacityTable(SIZES.map((accounts) => estimateCapacity(f, accounts, ASSUMPTIONS.keys_per_account * 1000))),
}

function capacityTable(all: CapacityEstimate[]): Table {
  const row = (name: string, cell: (estimate: CapacityEstimate) => Cell) => [name, ...all.map(cell)]
  return {
    head: ['', ...all.map((need) => `${formatCount(need.accounts)} accounts`)],
    rows: [
      row('requests per day', (n) => formatCount(n.requests_per_day)),
      row('peak requests/s', (n) => formatCount(n.peak_per_second)),
      row('API nodes with one core (at least 2)', (n) => n.api_nodes),
      row('primary cores', (n) => n.primary_cores.toFixed(1)),
      row('standby cores', (n) => n.standby_cores.toFixed(1)),
      row('PostgreSQL, GB', (n) => n.database_gb.toFixed(1)),
      row('WAL per day, GB', (n) => n.log_gb_per_day.toFixed(1)),
      row('USD per month', (n) => formatCount(n.usd_per_month)),
      row('USD per million requests', (n) => n.usd_per_million_requests.toFixed(2)),
      row(
        'first bottleneck of one large server',
        (n) => `${n.bottlenecks[0]!.name}: ${(n.bottlenecks[0]!.share * 100).toFixed(1)} %`,
      ),
      row('second bottleneck', (n) => `${n.bottlenecks[1]!.name}: ${(n.bottlenecks[1]!.share * 100).toFixed(1)} %`),
    ],
  }
}

function lotsOf({ accounts, lots }: { accounts: number; lots: number }): number {
  return accounts * lots
}

function costCells(cost: RequestCost): Cell[] {
  return [
    formatCount(cost.requests_per_second),
    cost.node_cpu_us.toFixed(0),
    cost.postgres_cpu_us.toFixed(0),
    cost.standby_cpu_us.toFixed(0),
    cost.wal_bytes,
  ]
}

function formatPercentiles({ p50_ms, p99_ms }: { p50_ms: number; p99_ms: number }): string {
  return `${p50_ms.toFixed(1)} / ${p99_ms.toFixed(0)}`
}

function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

function toMarkdown({ head, rows }: Table): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}
