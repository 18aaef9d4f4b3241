import { Link, redirect, type RouterContextProvider } from 'react-router'
import { findThemeName, findThemes } from '@brickmark/core/market/values/theme-queries'
import { findSealedValues } from '@brickmark/core/market/values/value-queries'
import { searchMinifigs } from '@brickmark/core/catalog/minifig-search-queries'
import { findSetsWithSimilarTitle, searchSets } from '@brickmark/core/catalog/set-search-queries'
import { barcodeKey } from '@brickmark/core/catalog/barcode'
import { setNumberAliases } from '@brickmark/core/catalog/set-number'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ApiSnippets } from '../ui/api-snippets.tsx'
import { Delta, Money } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { PageMeta } from '../ui/page-meta.tsx'
import { Picture } from '../ui/picture.tsx'
import { SearchBox } from './search-box.tsx'
import { SetLink } from '../ui/set-link.tsx'
import { Table } from '../ui/table.tsx'
import { cleanText } from '../request/input.server.ts'
import { getServices } from '../request/context.server.ts'
import { limitPages, showsValues } from '../request/visitor.server.ts'
import { themeTint } from '@brickmark/art/palettes'
import type { Route } from './+types/search.ts'

const MAX_RESULTS = 25
const MAX_QUERY_LENGTH = 200

export const middleware = [limitPages]

/** Searches sets and minifigs; redirects if the query identifies exactly one, or is the name of a theme. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = getServices(context)
  const query = cleanText(new URL(request.url).searchParams.get('q')).slice(0, MAX_QUERY_LENGTH)
  if (query.length < 2)
    return { query, isMisspelled: false, isValued: false, sets: [], minifigs: [], themes: await loadThemes(context) }
  const [exactMatches, minifigs] = await Promise.all([
    searchSets(db, query, MAX_RESULTS),
    searchMinifigs(db, query, MAX_RESULTS),
  ])
  const [first, ...others] = exactMatches
  if (first && isExactMatch(query, first.set_number, others.length)) {
    throw redirect(`/set/${encodeURIComponent(first.set_number)}`)
  }
  const figure = minifigs.find(({ minifig_number }) => minifig_number.toLowerCase() === query.toLowerCase())
  if (figure) throw redirect(`/minifig/${encodeURIComponent(figure.minifig_number)}`)
  const theme = await findThemeName(db, query)
  if (theme !== undefined) throw redirect(`/theme/${encodeURIComponent(theme)}`)
  const isMisspelled = exactMatches.length + minifigs.length === 0
  const sets = isMisspelled ? await findSetsWithSimilarTitle(db, query, MAX_RESULTS) : exactMatches
  const isValued = showsValues(context)
  const numbers = sets.map(({ set_number }) => set_number)
  const values = isValued ? await findSealedValues(db, numbers) : new Map<string, number>()
  return {
    query,
    isMisspelled,
    isValued,
    sets: sets.map(({ set_number, title, theme, release_year, msrp_cents }) => ({
      setNumber: set_number,
      title,
      theme,
      year: release_year,
      msrp: msrp_cents,
      value: values.get(set_number) ?? null,
    })),
    minifigs,
    themes: [],
  }
}

async function loadThemes(context: Readonly<RouterContextProvider>) {
  const isValued = showsValues(context)
  return (await findThemes(getServices(context).db)).map(({ theme, sets, example, year_change }) => ({
    theme,
    sets,
    example,
    tint: themeTint(theme),
    change: isValued ? year_change : null,
  }))
}

/** Whether the query identifies this set: its exact number, or an alias or barcode without other matches. */
function isExactMatch(query: string, number: string, others: number): boolean {
  if (query === number) return true
  const isBarcode = barcodeKey(query.replaceAll(/[ -]/g, '')) !== undefined
  return others === 0 && (isBarcode || setNumberAliases(query).includes(number))
}

export default function Search({ loaderData }: Route.ComponentProps) {
  const { query, isMisspelled, isValued, sets, minifigs, themes } = loaderData
  const total = themes.reduce((sum, theme) => sum + theme.sets, 0)
  return (
    <Page
      title="Browse sets"
      description={
        themes.length === 0
          ? 'Find sets by number, name or barcode, and minifigs by number or name.'
          : `${total.toLocaleString('en-US')} sets in ${themes.length} themes.`
      }
    >
      <PageMeta
        title="Browse sets"
        description="Find the market value of a set by its number, its name or its barcode, or browse by theme."
        path="/search"
      />
      <Card>
        <SearchBox key={query} query={query} autoFocus />
      </Card>
      {themes.length > 0 && <Themes themes={themes} />}
      {query.length >= 2 && sets.length + minifigs.length === 0 && (
        <EmptyState title="No results">Try fewer words, or the set number printed on the box.</EmptyState>
      )}
      {isMisspelled && sets.length > 0 && (
        <Notice tone="accent">No exact match for “{query}”. These names come closest.</Notice>
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
              { key: 'year', title: 'Year', right: true, cell: (set) => set.year ?? '—' },
              { key: 'msrp', title: 'Retail price', right: true, cell: (set) => <Money cents={set.msrp} /> },
              ...(isValued
                ? [
                    {
                      key: 'value',
                      title: 'Value, sealed',
                      right: true,
                      cell: (set: FoundSet) => <Money cents={set.value} />,
                    },
                  ]
                : []),
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
              { key: 'category', title: 'Category', cell: (minifig) => minifig.category ?? '—' },
              { key: 'year', title: 'Year', right: true, cell: (minifig) => minifig.year_released ?? '—' },
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

type FoundSet = Awaited<ReturnType<typeof loader>>['sets'][number]

type Theme = Awaited<ReturnType<typeof loadThemes>>[number]

function Themes({ themes }: { themes: Theme[] }) {
  return (
    <section aria-labelledby="themes">
      <h2 id="themes" className="mb-3 text-lg">
        Themes
      </h2>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
        {themes.map(({ theme, sets, example, tint, change }) => (
          <li key={theme} className="relative overflow-hidden rounded-card border border-line bg-card shadow-card">
            <Picture kind="sets" number={example} size="banner" tint={tint} />
            <div className="p-3">
              <Link
                to={`/theme/${encodeURIComponent(theme)}`}
                className="font-medium text-ink no-underline after:absolute after:inset-0 hover:underline"
              >
                {theme}
              </Link>
              <p className="flex justify-between gap-2 text-sm text-ink-soft">
                <span>{sets === 1 ? '1 set' : `${sets.toLocaleString('en-US')} sets`}</span>
                {change !== null && <Delta ratio={change} />}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {themes.some(({ change }) => change !== null) && (
        <p className="mt-2 text-sm text-ink-soft">
          Change of the theme’s <Link to="/how-values-work#brick-index">Brick Index</Link> over one year.
        </p>
      )}
    </section>
  )
}
