import { describe, expect, test } from 'vitest'
import { renderChart } from '../src/cli/chart.ts'
import { csvLine } from '../src/cli/csv.ts'
import { suggest } from '../src/cli/errors.ts'
import { table } from '../src/cli/table.ts'
import { openTerminal } from '../src/cli/terminal.ts'

function fakeProcess(isTTY: boolean, env: Record<string, string> = {}) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    isTTY,
    columns: 40,
    write(text: string) {
      written[name] += text
    },
  })
  const terminal = openTerminal({
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env,
  } as unknown as typeof process)
  return { terminal, written }
}

describe('color and progress', () => {
  test.each([
    [true, {}, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
  ])('terminal %s, environment %j: color %s', (isTTY, env, colored) => {
    const { terminal } = fakeProcess(isTTY, env)
    expect(terminal.style('green', 'up') !== 'up').toBe(colored)
  })

  test('shows and overwrites progress on a terminal only', () => {
    const seen = fakeProcess(true)
    seen.terminal.progress('1 of 2')
    seen.terminal.out('row')
    expect(seen.written).toEqual({ stdout: 'row\n', stderr: '1 of 2\r\u001b[K' })
    const piped = fakeProcess(false)
    piped.terminal.progress('1 of 2')
    expect(piped.written.stderr).toBe('')
  })
})

describe('tables', () => {
  const columns = [
    { title: 'Name', text: (row: string) => row, shrink: true },
    { title: 'Condition', text: () => 'sealed', optional: true },
    { title: 'Value', text: () => '$1.00', right: true },
  ]

  test('truncates columns that do not fit, then drops them', () => {
    const { terminal } = fakeProcess(true, { NO_COLOR: '1' })
    const name = 'A name that is far too long for this terminal'
    expect(table(terminal, [name], columns)).toEqual([
      'Name                    Condition  Value',
      'A name that is far to…  sealed     $1.00',
    ])
    expect(table({ ...terminal, width: 30 }, [name], columns)).toEqual([
      'Name                     Value',
      'A name that is far too…  $1.00',
    ])
  })

  test('strips control characters and aligns by grapheme', () => {
    const { terminal } = fakeProcess(false)
    const [, first, second] = table(terminal, ['\u001b[2Jgone', 'Café\u0301 🇸🇪'], columns)
    expect(first).toBe(' [2Jgone  sealed     $1.00')
    expect(second!.indexOf('sealed')).toBeGreaterThan(0)
    expect(first).not.toContain('\u001b')
  })
})

describe('charts', () => {
  const points = (...values: (number | null)[]) => values.map((value, index) => ({ label: `m${index}`, value }))
  const round = (value: number) => value.toFixed(0)

  test('draws a rising line with its axis', () => {
    const lines = renderChart(points(10, 20), 12, round)
    expect(lines[0]).toBe('20 ┤     ╭')
    expect(lines[9]).toBe('10 ┤─╯')
    expect(lines.at(-1)).toBe('    m0  m1')
  })

  test('keeps gaps, and draws nothing for fewer than two values', () => {
    expect(renderChart(points(1, null, 1, 2), 80, round)[9]).toContain(' ')
    expect(renderChart(points(5), 80, round)).toEqual([])
    expect(renderChart(points(null, null), 80, round)).toEqual([])
  })

  test('draws a constant value as a straight line', () => {
    expect(renderChart(points(7, 7, 7), 80, round).filter((line) => line.includes('─────────'))).toHaveLength(2)
  })
})

test.each([
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t=1"`],
  [-1.5, '-1.5'],
  ['a "b", c', '"a ""b"", c"'],
  [['hbr001', 'hbr002'], 'hbr001 hbr002'],
  [[{ a: 1 }], '"[{""a"":1}]"'],
  [null, ''],
  [true, 'true'],
])('CSV: %j becomes %s', (value, cell) => {
  expect(csvLine([value])).toBe(cell)
})

test('suggests only similar names', () => {
  expect(suggest('titel', ['title', 'theme'])).toBe(' Did you mean "title"?')
  expect(suggest('zzzzzzzz', ['title', 'theme'])).toBe('')
})
