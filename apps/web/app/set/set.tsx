import { Bell, Plus } from 'lucide-react'
import { data, Link } from 'react-router'
import { isCondition } from '@brickmark/core/catalog/condition'
import { SET_STATUS } from '@brickmark/core/catalog/set-status'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { BuyCalculator, type Offer } from './buy-calculator.tsx'
import { Card } from '../ui/card.tsx'
import { ApiSnippets } from '../ui/api-snippets.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { formatDate } from '../ui/format-date.ts'
import { formatUsd } from '@brickmark/core/primitives/format-money'
import { Money } from '../ui/money.tsx'
import { PageMeta } from '../ui/page-meta.tsx'
import { CatalogNotFound } from './catalog-not-found.tsx'
import { Picture } from '../ui/picture.tsx'
import { ItemSources } from './item-sources.tsx'
import { RetailerCard } from './retailer-card.tsx'
import { SetLots } from './set-lots.tsx'
import { WatchButton } from './watch-button.tsx'
import { ValueBlock } from '../ui/value-block.tsx'
import { VALUE_RANGES, ValueHistory, type ValueRange } from '../ui/value-history.tsx'
import { cleanText } from '../request/input.server.ts'
import { loadSetPage, type SetPageData } from './set.server.ts'
import { limitPages } from '../request/visitor.server.ts'
import type { Route } from './+types/set.ts'

export const middleware = [limitPages]

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams
  const [condition, range] = [search.get('condition') ?? '', search.get('range') ?? '']
  const page = await loadSetPage(context, request, params.number, {
    condition: isCondition(condition) ? condition : 'sealed',
    range: range in VALUE_RANGES ? (range as ValueRange) : '3y',
  })
  return page ?? data({ missing: cleanText(params.number).slice(0, 40) }, 404)
}

export default function SetPage({ loaderData: data }: Route.ComponentProps) {
  if ('missing' in data) return <CatalogNotFound kind="set" number={data.missing} />
  const { set, values, months, condition, range, own, similar, sources } = data
  return (
    <div className="mx-auto grid max-w-[1180px] grid-cols-[minmax(0,1fr)] gap-4">
      <SetMeta data={data} />
      <SetHeader data={data} />
      {months !== null && (
        <ValueHistory
          number={set.number}
          condition={condition}
          range={range}
          months={months}
          current={values[condition]}
          retail={set.msrp}
        />
      )}
      {own ? <OwnDetails set={set} sealed={values.sealed} own={own} /> : <SignUpCard isValued={months !== null} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        <Minifigs minifigs={set.minifigs} tint={set.tint} />
        <SimilarSets sets={similar} tint={set.tint} theme={set.theme} />
      </div>
      <ItemSources sources={sources} />
      <ApiSnippets
        path={`/set/${set.number}`}
        cost={1}
        sheetsFormula={`=BRICK_VALUE("${set.number}")`}
        cliCommand={`brickmark set ${set.number}`}
        setNumber={set.number}
      />
    </div>
  )
}

/** What a signed-in user sees besides the set itself: what to pay, retail prices and the lots of the account. */
function OwnDetails({
  set,
  sealed,
  own: { retail, lots, costs, boxWeightLbs },
}: {
  set: SetPageData['set']
  sealed: SetPageData['values']['sealed']
  own: NonNullable<SetPageData['own']>
}) {
  return (
    <>
      {sealed && sealed.value !== null && (
        <BuyCalculator
          key={set.number}
          value={sealed.value}
          low={sealed.low}
          offers={currentOffers(set, retail)}
          costs={costs}
          boxWeightLbs={boxWeightLbs}
          returnTo={`/set/${encodeURIComponent(set.number)}`}
        />
      )}
      {retail.retailers.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
          {retail.retailers.map((shop) => (
            <RetailerCard key={shop.retailer} retailer={shop} from={retail.from} />
          ))}
        </div>
      )}
      {retail.net !== null && (
        <p className="rounded-card bg-accent-soft px-4 py-3 text-sm">
          Selling through {retail.retailers.find(({ retailer }) => retailer === 'retailer_a')?.name} would net you{' '}
          <strong>
            <Money cents={retail.net} />
          </strong>{' '}
          after fees at {retail.lowestOffer === null ? 'its current price' : 'today’s lowest FBA price'}.
          {retail.lowestOffer !== null &&
            retail.sellers !== null &&
            ` ${retail.sellers} FBA ${retail.sellers === 1 ? 'seller' : 'sellers'} right now.`}
        </p>
      )}
      <Card title="Your lots" actions={lots.length > 0 && <Link to="/collections">View collections</Link>}>
        <SetLots lots={lots} />
      </Card>
    </>
  )
}

function SignUpCard({ isValued }: { isValued: boolean }) {
  return (
    <section className="flex flex-wrap items-center justify-between gap-4 rounded-card bg-accent-soft p-5">
      <div>
        <h2 className="text-lg">
          {isValued ? 'Current prices, what to pay, and your own copies' : 'See what it’s worth'}
        </h2>
        <p className="mt-1 max-w-prose text-ink-soft">
          {isValued
            ? 'Sign in to see prices at two retailers, work out the most you should pay, and track what you own.'
            : 'Sign in to see its market value with range, evidence and history, and prices at two retailers.'}
        </p>
      </div>
      <ButtonLink to="/sign-up" variant="main">
        Create account
      </ButtonLink>
    </section>
  )
}

function SetMeta({ data: { set, values } }: { data: SetPageData }) {
  const facts = [set.theme, set.pieces === null ? null : `${set.pieces.toLocaleString('en-US')} pieces`]
  const sealed = values.sealed?.value ?? null
  const used = values.used?.value ?? null
  const worth = [
    sealed === null ? null : `sealed ${formatUsd(sealed)}`,
    used === null ? null : `used ${formatUsd(used)}`,
  ].filter((part) => part !== null)
  return (
    <PageMeta
      title={`${set.number} ${set.title}`}
      description={`${set.title} (${set.number}): ${facts.filter((fact) => fact !== null).join(', ')}.${worth.length > 0 ? ` Market value ${worth.join(', ')}, with range, evidence and history.` : ''}`}
      path={`/set/${encodeURIComponent(set.number)}`}
      image={`/pictures/sets/${encodeURIComponent(set.number)}/preview.png`}
      product={{
        '@type': 'Product',
        name: set.title,
        sku: set.number,
        category: set.theme,
        ...(set.upc !== null && { gtin12: set.upc }),
        ...(set.ean !== null && { gtin13: set.ean }),
        ...(set.released !== null && { releaseDate: set.released }),
      }}
    />
  )
}

function SetHeader({ data: { set, isIllustration, values, months, pageUrl, own } }: { data: SetPageData }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[292px_minmax(0,1fr)] lg:gap-6">
      <Picture kind="sets" number={set.number} size="stage" tint={set.tint} isIllustration={isIllustration} />
      <div className="grid content-start gap-3">
        <nav aria-label="Breadcrumb" className="text-sm text-ink-soft">
          <Link to="/search">Browse</Link> / <Link to={`/theme/${encodeURIComponent(set.theme)}`}>{set.theme}</Link>
        </nav>
        <h1 tabIndex={-1} className="text-3xl tracking-tight">
          {set.title}
        </h1>
        <SetFacts set={set} />
        {months !== null && (
          <div className="grid divide-line rounded-card border border-line bg-card shadow-card max-sm:divide-y sm:grid-cols-2 sm:divide-x">
            <ValueBlock label="Sealed" estimate={values.sealed} />
            <ValueBlock label="Used" estimate={values.used} />
          </div>
        )}
        {own && (
          <div className="flex flex-wrap gap-2">
            <ButtonLink
              to={own.collectionId === null ? '/collections' : `/collections/${own.collectionId}/add?set=${set.number}`}
              variant="main"
            >
              <Plus aria-hidden="true" className="size-4" /> Add to collection
            </ButtonLink>
            <WatchButton
              kind="set"
              number={set.number}
              isWatched={own.isWatched}
              returnTo={`/set/${encodeURIComponent(set.number)}`}
            />
            <ButtonLink to={`/alerts/rules?set=${encodeURIComponent(set.number)}`}>
              <Bell aria-hidden="true" className="size-4" /> Alert
            </ButtonLink>
            {own.lots.length > 0 && <ButtonLink to={`/sales/new?item=${set.number}`}>Record sale</ButtonLink>}
            <CopyButton text={pageUrl} label="Copy link" />
          </div>
        )}
      </div>
    </div>
  )
}

/** Returns the prices to compare with: current retail prices, and the set’s retail price while it is on sale. */
function currentOffers(set: SetPageData['set'], retail: NonNullable<SetPageData['own']>['retail']): Offer[] {
  const retailOffers = retail.retailers.flatMap(({ name, price }) => (price === null ? [] : [{ source: name, price }]))
  const isOnSale = set.status !== SET_STATUS.retired && set.status !== SET_STATUS.unknown
  if (set.msrp === null || !isOnSale) return retailOffers
  return [...retailOffers, { source: 'Retail price', price: set.msrp }]
}

const STATUS_LABELS = {
  [SET_STATUS.upcoming]: 'Upcoming',
  [SET_STATUS.available]: 'Available',
  [SET_STATUS.retiringSoon]: 'Retiring soon',
  [SET_STATUS.retired]: 'Retired',
  [SET_STATUS.unknown]: 'Availability unknown',
}

function SetFacts({ set }: { set: SetPageData['set'] }) {
  const facts: [name: string, value: React.ReactNode][] = [
    ['Number', set.number],
    ['Theme', set.subtheme === null ? set.theme : `${set.theme}, ${set.subtheme}`],
    ['Pieces', set.pieces?.toLocaleString('en-US') ?? 'Unknown'],
    ['Retail price', <Money key="msrp" cents={set.msrp} />],
    ['Released', set.released === null ? (set.releaseYear ?? 'Unknown') : formatDate(set.released)],
    ...(set.upc === null ? [] : ([['UPC', set.upc]] satisfies [string, string][])),
  ]
  return (
    <section aria-label="Set details" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <Badge tone={set.status === SET_STATUS.retiringSoon ? 'warn' : 'plain'}>
        {STATUS_LABELS[set.status]}
        {set.retires !== null && ` ${formatDate(set.retires)}`}
      </Badge>
      <dl className="flex flex-wrap gap-x-4 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dt className="text-ink-soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Minifigs({ minifigs, tint }: { minifigs: SetPageData['set']['minifigs']; tint: string }) {
  if (minifigs.length === 0) return null
  return (
    <Card title="Minifigs">
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {minifigs.map(({ number, name, quantity, value }) => (
          <li key={number} className="min-w-0 text-sm">
            <Picture kind="minifigs" number={number} size="tile" tint={tint} />
            <p className="mt-1.5 font-medium">
              {quantity > 1 && `${quantity} × `}
              <Link to={`/minifig/${encodeURIComponent(number)}`} className="text-ink no-underline hover:underline">
                {name}
              </Link>
            </p>
            <p className="text-ink-soft">{number}</p>
            {value !== null && <Money cents={value} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function SimilarSets({ sets, tint, theme }: { sets: SetPageData['similar']; tint: string; theme: string }) {
  if (sets.length === 0) return null
  return (
    <Card title="Similar sets" actions={<Link to={`/theme/${encodeURIComponent(theme)}`}>All {theme}</Link>}>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {sets.map(({ number, title, value }) => (
          <li key={number} className="min-w-0 text-sm">
            <Picture kind="sets" number={number} size="tile" tint={tint} />
            <p className="mt-1.5 truncate font-medium">
              <Link to={`/set/${number}`} className="text-ink no-underline hover:underline">
                {title}
              </Link>
            </p>
            {value !== null && <Money cents={value} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}
