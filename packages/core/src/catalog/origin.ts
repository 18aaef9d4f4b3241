/** Where an attribute comes from: a source, and the day it stated it for. */
export type Origin = { source: string; on: string }

/** A source of an item's attributes, with what has to be said about it. */
export type ItemSource = {
  name: string
  attribution: string | null
  attribution_url: string | null
  /** The latest day of its attributes, 'YYYY-MM-DD'. */
  on: string
  attributes: string[]
}

type Credit = { id: string; name: string; attribution: string | null; attribution_url: string | null }

/** Groups the attributes of an item by source: that with the most attributes first. */
export function groupBySource(origins: Record<string, Origin | null>, credits: Credit[]): ItemSource[] {
  const sources = new Map<string, ItemSource>()
  for (const [attribute, origin] of Object.entries(origins)) {
    if (origin === null) continue
    const credit = credits.find(({ id }) => id === origin.source)
    if (credit === undefined) continue
    const { name, attribution, attribution_url } = credit
    const known = sources.get(origin.source) ?? { name, attribution, attribution_url, on: origin.on, attributes: [] }
    const on = origin.on > known.on ? origin.on : known.on
    sources.set(origin.source, { ...known, on, attributes: [...known.attributes, attribute] })
  }
  return [...sources.values()].toSorted((a, b) => b.attributes.length - a.attributes.length)
}
