/** Both sides round a percentage in their own way; nobody can tell a hundredth apart. */
const PERCENT_TOLERANCE = 0.0101

/** Where two JSON values differ, at most one place, as a sentence; empty when they are the same. */
export function findDifference(actual: unknown, expected: unknown, path = 'data'): string[] {
  if (actual === expected) return []
  if (typeof actual === 'number' && typeof expected === 'number' && /_(pct|percent)$/.test(path)) {
    if (Math.abs(actual - expected) < PERCENT_TOLERANCE) return []
  }
  if (Array.isArray(actual) && Array.isArray(expected)) return listDifference(actual, expected, path)
  if (isObject(actual) && isObject(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      if (!(key in actual)) return [`${path}.${key} is missing`]
      if (!(key in expected)) return [`${path}.${key} should not be there`]
      const found = findDifference(actual[key], expected[key], `${path}.${key}`)
      if (found.length > 0) return found
    }
    return []
  }
  return [`${path} is ${preview(actual)}, the tables say ${preview(expected)}`]
}

function listDifference(actual: unknown[], expected: unknown[], path: string): string[] {
  if (actual.length !== expected.length) return [`${path} has ${actual.length} items, the tables ${expected.length}`]
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
