import { data, Link } from 'react-router'
import { setStatus, SET_STATUS } from '@brickmark/core/catalog/set-status'
import { findSetsOfTheme, type ThemeOrder } from '@brickmark/core/market/values/theme-queries'
import { formatDay, utcDayOf } from '@brickmark/core/primitives/calendar'
import { Badge } from '../ui/badge.tsx'
import { Money } from '../ui/money.tsx'
import { Page } from '../ui/page.tsx'
import { PageMeta } from '../ui/page-meta.tsx'
import { Pager } from '../ui/pager.tsx'
import { Picture } from '../ui/picture.tsx'
import { SegmentedLinks } from '../ui/segmented-links.tsx'
import { cleanText, parseOffset } from '../request/input.server.ts'
import { getServices } from '../request/context.server.ts'
import { limitPages, showsValues } from '../request/visitor.server.ts'
import { themeTint } from '@brickmark/art/palettes'
import type { Route } from './+types/theme-sets.ts'

const PAGE_SIZE = 36
const ORDERS: [ThemeOrder, string][] = [
  ['value', 'Value'],
  ['newest', 'Newest'],
  ['name', 'Name'],
]

export const middleware = [limitPages]

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const theme = cleanText(params.name)
  const search = new URL(request.url).searchParams
  const isValued = showsValues(context)
  const order = ORDERS.find(([name]) => name === search.get('sort'))?.[0] ?? (isValued ? 'value' : 'newest')
  const offset = parseOffset(search.get('from'))
  const { sets, total } = await findSetsOfTheme(getServices(context).db, theme, { order, offset, limit: PAGE_SIZE })
  if (sets.length === 0) throw data(null, 404)
  const today = formatDay(utcDayOf(new Date()))
  return {
    theme,
    order,
    offset,
    total,
    isValued,
    tint: themeTint(theme),
    sets: sets.map((set) => ({
      number: set.set_number,
      title: set.title,
      pieces: set.pieces,
      year: set.release_year,
      retired: setStatus(set, today) === SET_STATUS.retired,
      value: isValued ? set.value_cents : null,
    })),
  }
}

export default function ThemeSets({ loaderData }: Route.ComponentProps) {
  const { theme, order, offset, total, isValued, tint, sets } = loaderData
  const path = `/theme/${encodeURIComponent(theme)}`
  return (
    <Page
      title={theme}
      description={total === 1 ? '1 set' : `${total.toLocaleString('en-US')} sets`}
      actions={
        <SegmentedLinks
          label="Sort by"
          selected={order}
          options={ORDERS.filter(([name]) => isValued || name !== 'value')}
          hrefFor={(sort) => `${path}?sort=${sort}`}
        />
      }
    >
      <PageMeta
        title={theme}
        description={`All ${total.toLocaleString('en-US')} sets of ${theme}${isValued ? ' with their market values' : ''}.`}
        path={path}
        image={`/pictures/sets/${encodeURIComponent(sets[0]!.number)}/preview.png`}
      />
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
        {sets.map(({ number, title, pieces, year, retired, value }) => (
          <li key={number} className="relative rounded-card border border-line bg-card p-3 text-sm shadow-card">
            <Picture kind="sets" number={number} size="tile" tint={tint} />
            <p className="mt-2 font-medium">
              <Link
                to={`/set/${encodeURIComponent(number)}`}
                className="text-ink no-underline after:absolute after:inset-0 hover:underline"
              >
                {title}
              </Link>
            </p>
            <p className="text-xs text-ink-soft">
              {[number, pieces === null ? null : `${pieces.toLocaleString('en-US')} pieces`, year]
                .filter((part) => part !== null)
                .join(' · ')}
            </p>
            <p className="mt-1 flex items-center justify-between gap-2">
              {isValued && <Money cents={value} />}
              {retired && <Badge>Retired</Badge>}
            </p>
          </li>
        ))}
      </ul>
      <Pager offset={offset} limit={PAGE_SIZE} total={total} to={(from) => `${path}?sort=${order}&from=${from}`} />
      {isValued && <p className="text-sm text-ink-soft">Values of sealed sets.</p>}
    </Page>
  )
}
