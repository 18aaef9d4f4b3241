/** Formats a count with its noun, e.g. 1 copy or 1,200 copies. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`
}
