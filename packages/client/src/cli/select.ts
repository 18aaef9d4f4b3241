import { suggest, UsageError } from './errors.ts'

/**
 * Returns the parts of a value at a path such as `entries[].set_number` or `minifigs[0]`. The syntax is that of jq,
 * without the dot at the start.
 */
export function select(value: unknown, path: string): unknown[] {
  const steps = path.replace(/^\./, '').match(/\w+|\[\d*\]/g) ?? []
  if (steps.join('') !== path.replaceAll('.', '')) {
    throw new UsageError(`"${path}" isn’t a path. Write it like entries[].set_number or minifigs[0].`)
  }
  return steps.reduce((values, step) => values.flatMap((part) => take(part, step, path)), [value])
}

function take(part: unknown, step: string, path: string): unknown[] {
  if (step.startsWith('[')) {
    if (!Array.isArray(part)) throw new UsageError(`There is no list where "${path}" has ${step}.`)
    return step === '[]' ? part : [(part as unknown[])[Number(step.slice(1, -1))] ?? null]
  }
  const names = typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.keys(part) : []
  if (names.includes(step)) return [(part as Record<string, unknown>)[step]]
  const known = names.length === 0 ? '' : `${suggest(step, names)} There are: ${names.join(', ')}.`
  throw new UsageError(`There is no "${step}" where "${path}" looks for it.${known}`)
}
