import { expect, test } from 'vitest'
import { ProgressBar } from './progress-bar.ts'

function watch(isTTY: boolean) {
  const written: string[] = []
  let time = 0
  const output = { isTTY, columns: 120, write: (text: string) => written.push(text) }
  const progress = new ProgressBar('sales.csv', output, () => time)
  return { written, progress, at: (ms: number) => (time = ms) }
}

test('prints a line every five seconds and a summary if the output is not a terminal', () => {
  const { written, progress, at } = watch(false)
  for (let ms = 0; ms <= 10_000; ms += 100) {
    at(ms)
    progress.report(ms, 40_000, ms)
  }
  progress.finish(10_000)
  expect(written).toEqual([
    'sales.csv: 13 %, 5,000 rows, 1,000 rows/s, 35 s left\n',
    'sales.csv: 25 %, 10,000 rows, 1,000 rows/s, 30 s left\n',
    'sales.csv: 10,000 rows in 10.0 s (1,000 rows/s)',
    '\n',
  ])
})

test('redraws a bar on a terminal', () => {
  const { written, progress, at } = watch(true)
  at(1000)
  progress.report(500, 1000, 100)
  at(2000)
  progress.report(1000, 1000, 200)
  expect(written[0]).toBe('sales.csv [████████████············]  50 %  100 rows, 100 rows/s, 1 s left')
  expect(written[1]).toBe('\r\u001B[Ksales.csv [████████████████████████] 100 %  200 rows, 100 rows/s, 0 s left')
})
