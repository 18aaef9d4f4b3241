import { searchMinifigs } from '@brickmark/core/catalog/minifig-search-queries'
import { findSetsWithSimilarTitle, searchSets } from '@brickmark/core/catalog/set-search-queries'
import { findSealedValues } from '@brickmark/core/market/values/value-queries'
import { formatUsd } from '@brickmark/core/primitives/format-money'
import { cleanText } from '../request/input.server.ts'
import { getServices, sessionContext } from '../request/context.server.ts'
import { allowVisitors, limitSearches } from '../request/visitor.server.ts'
import type { Route } from './+types/suggestions.ts'

const MAX_SETS = 6
const MAX_MINIFIGS = 2
const MAX_QUERY_LENGTH = 60

export const middleware = [allowVisitors, limitSearches]

/** Suggestions for a search field: the first sets and minifigs that match. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = getServices(context)
  const query = cleanText(new URL(request.url).searchParams.get('q')).slice(0, MAX_QUERY_LENGTH)
  if (query.length < 2) return Response.json([])
  const [sets, minifigs] = await Promise.all([searchSets(db, query, MAX_SETS), searchMinifigs(db, query, MAX_MINIFIGS)])
  const found = sets.length + minifigs.length > 0 ? sets : await findSetsWithSimilarTitle(db, query, MAX_SETS)
  // Visitors could read the whole market this way.
  const isValued = context.get(sessionContext) !== null
  const values = isValued
    ? await findSealedValues(
        db,
        found.map(({ set_number }) => set_number),
      )
    : new Map<string, number>()
  const valueOf = (number: string) => {
    const value = values.get(number)
    return value === undefined ? null : formatUsd(value)
  }
  return Response.json([
    ...found.map(({ set_number, title, theme, release_year }) => ({
      to: `/set/${encodeURIComponent(set_number)}`,
      picture: `/pictures/sets/${encodeURIComponent(set_number)}`,
      title,
      detail: [set_number, theme, release_year, valueOf(set_number)].filter((part) => part !== null).join(' · '),
    })),
    ...minifigs.map(({ minifig_number, name, category }) => ({
      to: `/minifig/${encodeURIComponent(minifig_number)}`,
      picture: `/pictures/minifigs/${encodeURIComponent(minifig_number)}`,
      title: name,
      detail: [minifig_number, category].filter((part) => part !== null).join(' · '),
    })),
  ])
}
