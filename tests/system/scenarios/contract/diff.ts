/** API and oracle round percentages independently, so a difference of 0.01 is tolerated. */
const PERCENT_TOLERANCE = 0.0101

/** Describes the first difference between two JSON values; empty if they are equal. */
export function findDifference(actual: unknown, expected: unknown, path = 'data'): string[] {
  if (actual === expected) return []
  if (typeof actual === 'number' && typeof expected === 'number' && /_(pct|percent)$/.test(path)) {
    if (Math.abs(actual - expected) < PERCENT_TOLERANCE) return []
  }
  if (Array.isArray(actual) && Array.isArray(expected)) return listDifference(actual, expected, path)
  if (isObject(actual) && isObject(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      if (!(key in actual)) return [`${path}.${key} is missing`]
      if (!(key in expected)) return [`${path}.${key} is unexpected`]
      const found = findDifference(actual[key], expected[key], `${path}.${key}`)
      if (found.length > 0) return found
    }
    return []
  }
  return [`${path} is ${preview(actual)}, expected ${preview(expected)}`]
}

function listDifference(actual: unknown[], expected: unknown[], path: string): string[] {
  if (actual.length !== expected.length) return [`${path} has ${actual.length} items, expected ${expected.length}`]
  for (const [index, item] of expected.entries()) {
    const found = findDifference(actual[index], item, `${path}[${index}]`)
    if (found.length > 0) return found
  }
  return []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function preview(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 120)
}
