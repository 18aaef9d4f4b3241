import { searchMinifigs } from '@brickmark/core/catalog/minifig-search-queries'
import { findSetsWithSimilarTitle, searchSets } from '@brickmark/core/catalog/set-search-queries'
import { cleanText } from '../request/input.server.ts'
import { getServices } from '../request/context.server.ts'
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
  return Response.json([
    ...found.map(({ set_number, title, theme, release_year }) => ({
      to: `/set/${encodeURIComponent(set_number)}`,
      picture: `/pictures/sets/${encodeURIComponent(set_number)}`,
      title,
      detail: [set_number, theme, release_year].filter((part) => part !== null).join(' · '),
    })),
    ...minifigs.map(({ minifig_number, name, category }) => ({
      to: `/minifig/${encodeURIComponent(minifig_number)}`,
      picture: `/pictures/minifigs/${encodeURIComponent(minifig_number)}`,
      title: name,
      detail: [minifig_number, category].filter((part) => part !== null).join(' · '),
    })),
  ])
}
