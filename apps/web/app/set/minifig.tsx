import { Bell } from 'lucide-react'
import { data, redirect } from 'react-router'
import { loadMinifigs, findSetsWithMinifig } from '@brickmark/core/market/values/minifig-record-queries'
import { findMinifigSources } from '@brickmark/core/catalog/origin-queries'
import { findMinifigNumber } from '@brickmark/core/catalog/minifig-search-queries'
import { readAs } from '@brickmark/core/db/database'
import { isWatched } from '@brickmark/core/portfolio/watched-item-queries'
import { sortByNumber } from '@brickmark/core/catalog/set-number'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ApiSnippets } from '../ui/api-snippets.tsx'
import { ItemSources } from './item-sources.tsx'
import { formatUsd } from '@brickmark/core/primitives/format-money'
import { Money } from '../ui/money.tsx'
import { CatalogNotFound } from './catalog-not-found.tsx'
import { Page } from '../ui/page.tsx'
import { PageMeta } from '../ui/page-meta.tsx'
import { Picture } from '../ui/picture.tsx'
import { SetLink } from '../ui/set-link.tsx'
import { Table } from '../ui/table.tsx'
import { WatchButton } from './watch-button.tsx'
import { ValueBlock } from '../ui/value-block.tsx'
import { cleanText } from '../request/input.server.ts'
import { getServices, sessionContext } from '../request/context.server.ts'
import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { themeTint } from '@brickmark/art/palettes'
import { toEstimate } from './set.server.ts'
import { limitPages, showsValues } from '../request/visitor.server.ts'
import type { Route } from './+types/minifig.ts'

export const middleware = [limitPages]

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = getServices(context)
  const requested = cleanText(params.number)
  const number = await findMinifigNumber(db, requested)
  if (number === undefined) return data({ missing: requested.slice(0, 40) }, 404)
  if (number !== params.number) throw redirect(`/minifig/${encodeURIComponent(number)}`)
  const isValued = showsValues(context)
  const user = context.get(sessionContext)
  const [[minifig], sets] = await Promise.all([loadMinifigs(db, [number]), findSetsWithMinifig(db, number)])
  if (!minifig) return data({ missing: number }, 404)
  return {
    number,
    name: minifig.name,
    category: minifig.category,
    color: minifig.color,
    year: minifig.year_released,
    tint: themeTint(minifig.category ?? ''),
    sources: await findMinifigSources(db, number),
    isValued,
    isWatched:
      user === null ? null : await readAs(db, user.accountId, (tx) => isWatched(tx, user.accountId, 'minifig', number)),
    value: isValued ? toEstimate(minifig.value, utcDayOf(new Date())) : undefined,
    sets: sortByNumber(
      sets.map(({ set_number, title, theme, quantity, value_cents }) => ({
        setNumber: set_number,
        title,
        theme,
        quantity,
        value: isValued ? value_cents : null,
      })),
      ({ setNumber }) => setNumber,
    ),
  }
}

export default function Minifig({ loaderData: data }: Route.ComponentProps) {
  if ('missing' in data) return <CatalogNotFound kind="minifig" number={data.missing} />
  const { number, name, category, color, year, tint, isValued, isWatched, value, sets, sources } = data
  const facts: [name: string, value: string | number | null][] = [
    ['Number', number],
    ['Category', category],
    ['Color', color],
    ['First released', year],
  ]
  return (
    <Page
      title={name}
      {...(isWatched !== null && {
        actions: (
          <>
            <WatchButton
              kind="minifig"
              number={number}
              isWatched={isWatched}
              returnTo={`/minifig/${encodeURIComponent(number)}`}
            />
            <ButtonLink to={`/alerts/rules?minifig=${encodeURIComponent(number)}`}>
              <Bell aria-hidden="true" className="size-4" /> Alert
            </ButtonLink>
          </>
        ),
      })}
    >
      <PageMeta
        title={`${number} ${name}`}
        description={`${name} (${number}): the sets it comes in${value?.value ? `, and its market value of ${formatUsd(value.value)}` : ''}.`}
        path={`/minifig/${encodeURIComponent(number)}`}
        image={`/pictures/minifigs/${encodeURIComponent(number)}/preview.png`}
        product={{ '@type': 'Product', name, sku: number, ...(category !== null && { category }) }}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        <section
          aria-label="Minifig details"
          className="flex flex-wrap gap-4 rounded-card border border-line bg-card p-4 shadow-card"
        >
          <span className="w-24 shrink-0 sm:w-32">
            <Picture kind="minifigs" number={number} size="tile" tint={tint} />
          </span>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 gap-y-1">
            {facts
              .filter(([, value]) => value !== null)
              .map(([name, value]) => (
                <div key={name} className="contents">
                  <dt className="text-ink-soft">{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </dl>
        </section>
        {isValued && (
          <div className="rounded-card border border-line bg-card shadow-card">
            <ValueBlock label="Used value" estimate={value} />
          </div>
        )}
      </div>
      <Card title={sets.length === 1 ? 'Appears in 1 set' : `Appears in ${sets.length} sets`}>
        {sets.length === 0 ? (
          <p className="text-ink-soft">Not found in any set yet.</p>
        ) : (
          <Table
            caption="Sets with this minifig"
            rows={sets}
            rowKey={(set) => set.setNumber}
            columns={[
              { key: 'set', title: 'Set', cell: (set) => <SetLink {...set} /> },
              { key: 'theme', title: 'Theme', cell: (set) => set.theme },
              { key: 'quantity', title: 'Qty', right: true, cell: (set) => set.quantity },
              ...(isValued
                ? [
                    {
                      key: 'value',
                      title: 'Set value (sealed)',
                      right: true,
                      cell: (set: (typeof sets)[number]) => <Money cents={set.value} />,
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Card>
      <ItemSources sources={sources} />
      <ApiSnippets
        path={`/minifig/${number}`}
        cost={1}
        sheetsFormula={`=BRICK_VALUE("${number}")`}
        cliCommand={`brickmark minifig ${number}`}
      />
    </Page>
  )
}
