import type { z } from 'zod'

/** One sentence about the first thing that is wrong with a request, for the person who wrote it. */
export function explain(part: 'Path' | 'Query' | 'Body', error: z.ZodError, allowed: string[]): string {
  const [issue] = error.issues
  const thing = part === 'Body' ? 'field' : 'parameter'
  if (issue?.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => `\`${key.slice(0, 60)}\``).join(', ')
    const known = allowed.length === 0 ? `This endpoint takes no ${thing}s.` : `Allowed: ${allowed.join(', ')}.`
    return `Unknown ${thing}${issue.keys.length > 1 ? 's' : ''} ${unknown}. ${known}`
  }
  const [name, place] = issue?.path ?? []
  if (name === undefined) return `The body ${issue?.message ?? 'is not valid'}.`
  const where = place === undefined ? '' : ` at place ${Number(place) + 1}`
  return `The ${thing} \`${String(name)}\`${where} ${issue?.message ?? 'is not valid'}.`
}
