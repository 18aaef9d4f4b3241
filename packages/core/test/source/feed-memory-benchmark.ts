// Reads a generated sales file of the given size in megabytes; prints rows/s and the memory growth after the first 10 %:
//   node packages/core/test/source/feed-memory-benchmark.ts 300 [csv|ndjson]
import { Readable } from 'node:stream'
import { parseFeed } from '@brickmark/core/source/feeds/feed'
import { toCsv, toNdjson } from '@brickmark/tests/support/feed-fixtures'

const [megabytes = '300', form = 'csv'] = process.argv.slice(2)
const targetBytes = Number(megabytes) * 1e6

const sales = Array.from({ length: 600 }, (_, index) => ({
  source: 'demo-market',
  license: 'demo',
  event_id: `event-${100_000 + index}`,
  set_number: `${90_000 + index}-1`,
  condition: 'sealed',
  sold_on: `2026-03-${String(1 + (index % 28)).padStart(2, '0')}`,
  currency: 'USD',
  kind: 'single',
  price: (20 + index / 7).toFixed(2),
  quantity: '1',
  seller: `seller-${index % 97}`,
  buyer: `buyer-${index}`,
}))
const text = form === 'ndjson' ? toNdjson(sales) : toCsv('sales', sales)
const headerLength = form === 'ndjson' ? 0 : text.indexOf('\n') + 1

function* generated(): Generator<Buffer> {
  yield Buffer.from(text.slice(0, headerLength))
  for (let bytes = 0; bytes < targetBytes; bytes += text.length) yield Buffer.from(text.slice(headerLength))
}

let rows = 0
let bad = 0
let steady = 0
let peak = 0
const startedAt = performance.now()
const expected = (targetBytes / text.length) * sales.length
for await (const batch of parseFeed('sales', Readable.from(generated()))) {
  for (const row of batch) {
    if ('row' in row) rows++
    else bad++
  }
  if (rows % 20_000 > 999) continue
  const { rss } = process.memoryUsage()
  if (rows > expected / 10) steady ||= rss
  peak = Math.max(peak, rss)
}
const seconds = (performance.now() - startedAt) / 1000
const cpu = process.cpuUsage()
console.log(
  JSON.stringify({
    rows,
    bad,
    rows_per_second: Math.round(rows / seconds),
    rows_per_cpu_second: Math.round((rows * 1e6) / (cpu.user + cpu.system)),
    rss_growth_mb: Math.round((peak - steady) / 1e6),
  }),
)
