import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { BenchReport } from './report.ts'

const FILE = fileURLToPath(new URL('../../docs/api-benchmark.md', import.meta.url))

type Row = {
  workload: string
  connections: number
  participant: string
  rps: number
  p50_ms: number
  p99_ms?: number
  promoted_bytes?: number
  cpu_us: Record<string, number>
}

/** Replaces the tables between their markers in docs/api-benchmark.md; sections that weren't measured stay. */
export async function updateBenchmarkDoc({ goals, figures }: BenchReport): Promise<void> {
  let text = await readFile(FILE, 'utf8')
  const replaceSection = (mark: string, lines: string[]) => {
    const pattern = new RegExp(`(<!-- ${mark} -->\n)[^]*?(<!-- end -->)`)
    text = text.replace(pattern, (_, begin: string, end: string) => `${begin}${lines.join('\n')}\n${end}`)
  }
  const { public: shared, private: own, memory } = figures as { public: Row[]; private: Row[]; memory: MemoryRow[] }
  replaceSection('goals', [
    `Run of ${new Date().toISOString().slice(0, 16)}Z, ${cpus().length} cores (${cpus()[0]?.model}), ${String(figures['rounds'])} rounds of ${String(figures['seconds'])} s.`,
    '',
    ...table(
      ['figure', 'goal', 'measured', ''],
      goals.map(({ name, goal, value, pass }) => [name, goal, value, pass ? 'reached' : 'missed']),
    ),
  ])
  if (shared.length > 0) replaceSection('public', rowsTable(shared, ['node', 'postgres', 'redis']))
  if (own.length > 0) replaceSection('private', rowsTable(own, ['node', 'postgres']))
  if (memory.length > 0) {
    replaceSection(
      'memory',
      table(
        ['requests', 'RSS, MB'],
        memory.map(({ requests, rss_mb }) => [requests, rss_mb]),
      ),
    )
  }
  await writeFile(FILE, text)
}

type MemoryRow = { requests: number; rss_mb: number }

function rowsTable(rows: Row[], processes: string[]): string[] {
  return table(
    [
      'endpoint',
      'connections',
      'server',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'promoted B',
      ...processes.map((name) => `${name} µs`),
    ],
    rows.map((row) => [
      row.workload,
      row.connections,
      row.participant,
      row.rps,
      row.p50_ms,
      row.p99_ms ?? '',
      row.promoted_bytes ?? '',
      ...processes.map((name) => row.cpu_us[name] ?? ''),
    ]),
  )
}

function table(head: string[], rows: (string | number)[][]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
