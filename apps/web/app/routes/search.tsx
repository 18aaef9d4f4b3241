import { Link, redirect, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { searchMinifigs } from '@brickmark/core/catalog/minifig-search-queries'
import { searchSets } from '@brickmark/core/catalog/set-search-queries'
import { barcodeKey } from '@brickmark/core/catalog/barcode'
import { setNumberAliases } from '@brickmark/core/catalog/set-number'
import { Card } from '../components/card.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ApiSnippets } from '../components/api-snippets.tsx'
import { Money } from '../components/money.tsx'
import { Page } from '../components/page.tsx'
import { SearchBox } from '../components/search-box.tsx'
import { SetLink } from '../components/set-link.tsx'
import { Table } from '../components/table.tsx'
import { cleanText } from '../server/collection.ts'
import { getServices } from '../server/context.ts'

const MAX_RESULTS = 25
const MAX_QUERY_LENGTH = 200

/** Searches sets and minifigs; redirects if the query identifies exactly one. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db } = getServices(context)
  const query = cleanText(new URL(request.url).searchParams.get('q')).slice(0, MAX_QUERY_LENGTH)
  if (query.length < 2) return { query, sets: [], minifigs: [] }
  const [sets, minifigs] = await Promise.all([
    searchSets(db, query, MAX_RESULTS),
    searchMinifigs(db, query, MAX_RESULTS),
  ])
  const [first, ...others] = sets
  if (first && isExactMatch(query, first.set_number, others.length)) {
    throw redirect(`/set/${encodeURIComponent(first.set_number)}`)
  }
  const figure = minifigs.find(({ minifig_number }) => minifig_number.toLowerCase() === query.toLowerCase())
  if (figure) throw redirect(`/minifig/${encodeURIComponent(figure.minifig_number)}`)
  return {
    query,
    sets: sets.map(({ set_number, title, theme, release_year, msrp_cents }) => ({
      setNumber: set_number,
      title,
      theme,
      year: release_year,
      msrp: msrp_cents,
    })),
    minifigs,
  }
}

/** Whether the query identifies this set: its exact number, or an alias or barcode without other matches. */
function isExactMatch(query: string, number: string, others: number): boolean {
  if (query === number) return true
  const isBarcode = barcodeKey(query.replaceAll(/[ -]/g, '')) !== undefined
  return others === 0 && (isBarcode || setNumberAliases(query).includes(number))
}

export default function Search() {
  const { query, sets, minifigs } = useLoaderData<typeof loader>()
  return (
    <Page title="Search" description="Find any set or minifig by number, name or barcode.">
      <title>Search · Brickmark</title>
      <Card>
        <SearchBox key={query} query={query} autoFocus />
      </Card>
      {query.length >= 2 && sets.length + minifigs.length === 0 && (
        <EmptyState title="No results">Try fewer words, or the set number printed on the box.</EmptyState>
      )}
      {sets.length > 0 && (
        <Card title={sets.length === MAX_RESULTS ? `Sets (first ${MAX_RESULTS})` : 'Sets'}>
          <Table
            caption="Matching sets"
            rows={sets}
            rowKey={(set) => set.setNumber}
            columns={[
              { key: 'set', title: 'Set', cell: (set) => <SetLink {...set} /> },
              { key: 'theme', title: 'Theme', cell: (set) => set.theme },
              { key: 'year', title: 'Year', right: true, cell: (set) => set.year ?? '–' },
              { key: 'msrp', title: 'Retail price', right: true, cell: (set) => <Money cents={set.msrp} /> },
            ]}
          />
        </Card>
      )}
      {minifigs.length > 0 && (
        <Card title={minifigs.length === MAX_RESULTS ? `Minifigs (first ${MAX_RESULTS})` : 'Minifigs'}>
          <Table
            caption="Matching minifigs"
            rows={minifigs}
            rowKey={(minifig) => minifig.minifig_number}
            columns={[
              {
                key: 'name',
                title: 'Minifig',
                cell: ({ minifig_number, name }) => (
                  <span>
                    <Link
                      to={`/minifig/${encodeURIComponent(minifig_number)}`}
                      className="text-ink underline decoration-line-strong underline-offset-4"
                    >
                      {name}
                    </Link>
                    <span className="block text-xs font-normal text-ink-soft">{minifig_number}</span>
                  </span>
                ),
              },
              { key: 'category', title: 'Category', cell: (minifig) => minifig.category ?? '–' },
              { key: 'year', title: 'Year', right: true, cell: (minifig) => minifig.year_released ?? '–' },
            ]}
          />
        </Card>
      )}
      {query.length >= 2 && (
        <ApiSnippets
          path={`/catalog/sets/search?q=${encodeURIComponent(query).replaceAll("'", '%27')}`}
          cost={1}
          cliCommand={`brickmark search ${query.replaceAll(/[^\p{L}\p{N} -]/gu, '')}`}
        />
      )}
    </Page>
  )
}
