import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ScaleFigures } from './results.ts'
import { goalsOf } from './goals.ts'
import type { UnitCost } from './cost-per-request.ts'
import { ASSUMED, needOf, type Need } from './capacity-model.ts'

const DOCUMENT = fileURLToPath(new URL('../../../docs/scaling.md', import.meta.url))

type Cell = string | number
type Table = { head: string[]; rows: Cell[][] }

/** Writes the tables of docs/scaling.md anew; the words between them stay. */
export async function writeScaleDocument(figures: ScaleFigures): Promise<void> {
  await writeFile(DOCUMENT, withTables(await readFile(DOCUMENT, 'utf8'), figures))
}

/** A text in which every table between `<!-- table: name -->` and `<!-- end -->` is made of these figures. */
function withTables(text: string, figures: ScaleFigures): string {
  return text.replaceAll(
    /(<!-- table: (.+?) -->\n).*?(<!-- end -->)/gs,
    (_, begin: string, name: string, end: string) => {
      const table = TABLES[name]
      if (!table) throw new Error(`docs/scaling.md asks for a table that is not known: ${name}`)
      return `${begin}${inMarkdown(table(figures))}${end}`
    },
  )
}

const SIZES = [1000, 100_000, 1_000_000]

const TABLES: Record<string, (f: ScaleFigures) => Table> = {
  goals: (f) => ({
    head: ['figure', 'goal', 'measured', ''],
    rows: goalsOf(f).map(({ name, goal, value, pass }) => [name, goal, value, pass ? 'reached' : '**missed**']),
  }),
  run: (f) => ({
    head: ['', ''],
    rows: [
      ['measured on', `${f.measured}, ${f.machine}`],
      ['catalog', `${many(f.catalog.sets)} sets, ${many(f.catalog.minifigs)} minifigs, ${f.catalog.months} months`],
      [
        'accounts × holdings',
        [f.populations.small, f.populations.big].map((p) => `${many(p.accounts)} × ${p.holdings}`).join('; '),
      ],
      ['keys', f.charging.map((side) => many(side.keys)).join('; ')],
      ['start of a node until ready', `${(f.start.ms / 1000).toFixed(1)} s`],
      ['its memory at the start, then after each tenth of the requests', `${f.rss_mb.join(', ')} MB`],
      ['requests asked of it', many(f.requests)],
      [
        'database',
        `${f.sizes.database_gb} GB; ${f.sizes.bytes_a_holding} bytes a holding, ${f.sizes.bytes_a_sale} a sale, ${f.sizes.bytes_a_key} a key, ${f.sizes.bytes_a_key_and_day} a key and day, indexes included`,
      ],
    ],
  }),
  latency: (f) => ({
    head: [
      'p50 / p99, ms',
      many(holdingsOf(f.populations.small)),
      many(holdingsOf(f.populations.big)),
      '÷ (p50)',
      'with a plain index',
      'in 16 partitions',
    ],
    rows: Object.entries(f.latency).map(([name, { small, big }]) => [
      name,
      pair(small!),
      pair(big!),
      (big!.p50_ms / small!.p50_ms).toFixed(2),
      pair(f.plain_index.accounts[name]!['big']!),
      pair(f.partitioned.latency[name]!['partitioned']!),
    ]),
  }),
  giant: (f) => ({
    head: ['p50 / p99, ms', 'measured', '÷ first entries', 'with a plain index'],
    rows: Object.entries(f.giant).map(([name, { big }]) => [
      name,
      pair(big!),
      (big!.p50_ms / f.giant['first_entries']!['big']!.p50_ms).toFixed(2),
      pair(f.plain_index.giant[name]!['big']!),
    ]),
  }),
  costs: (f) => ({
    head: ['a request', 'requests/s', 'CPU µs, api', 'CPU µs, primary', 'CPU µs, standby', 'bytes of log'],
    rows: [
      ['`/set`, one process', ...costs(f.processes.one)],
      ['`/set`, two processes', ...costs(f.processes.two)],
      ['entries, on the primary', ...costs(f.standby.without)],
      ['entries, on a standby', ...costs(f.standby.with)],
      ...f.charging.map((side) => [
        `a charge alone, ${many(side.keys)} keys`,
        many(side.calls_a_second),
        '',
        side.postgres_cpu_us,
        '',
        side.wal_bytes,
      ]),
    ],
  }),
  assumed: () => ({
    head: ['assumed', ''],
    rows: Object.entries(ASSUMED).map(([name, value]) => [name.replaceAll('_', ' '), value]),
  }),
  plan: (f) => needs(SIZES.map((accounts) => needOf(f, accounts, ASSUMED.requests_an_account_and_day))),
  worst: (f) => needs(SIZES.map((accounts) => needOf(f, accounts, ASSUMED.keys_an_account * 1000))),
}

function needs(all: Need[]): Table {
  const row = (name: string, cell: (need: Need) => Cell) => [name, ...all.map(cell)]
  return {
    head: ['', ...all.map((need) => `${many(need.accounts)} accounts`)],
    rows: [
      row('requests a day', (n) => many(n.requests_a_day)),
      row('requests/s at the peak', (n) => many(n.peak_a_second)),
      row('api nodes of one core (at least 2)', (n) => n.api_nodes),
      row('cores of the primary', (n) => n.primary_cores.toFixed(1)),
      row('cores of the standby', (n) => n.standby_cores.toFixed(1)),
      row('PostgreSQL, GB', (n) => n.database_gb.toFixed(1)),
      row('log a day, GB', (n) => n.log_gb_a_day.toFixed(1)),
      row('USD a month', (n) => many(n.usd_a_month)),
      row('USD a million requests', (n) => n.usd_a_million_requests.toFixed(2)),
      row(
        'used up first, of one large server',
        (n) => `${n.limits[0]!.name}: ${(n.limits[0]!.share * 100).toFixed(1)} %`,
      ),
      row('then', (n) => `${n.limits[1]!.name}: ${(n.limits[1]!.share * 100).toFixed(1)} %`),
    ],
  }
}

function holdingsOf({ accounts, holdings }: { accounts: number; holdings: number }): number {
  return accounts * holdings
}

function costs(cost: UnitCost): Cell[] {
  return [
    many(cost.requests_a_second),
    cost.node_cpu_us.toFixed(0),
    cost.postgres_cpu_us.toFixed(0),
    cost.standby_cpu_us.toFixed(0),
    cost.wal_bytes,
  ]
}

function pair({ p50_ms, p99_ms }: { p50_ms: number; p99_ms: number }): string {
  return `${p50_ms.toFixed(1)} / ${p99_ms.toFixed(0)}`
}

function many(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

function inMarkdown({ head, rows }: Table): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}
