import { data, Link, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { isCondition } from '@brickmark/core/catalog/condition'
import { SET_STATUS } from '@brickmark/core/catalog/set-status'
import { Badge } from '../components/badge.tsx'
import { BuyCalculator, type Offer } from '../components/buy-calculator.tsx'
import { Card } from '../components/card.tsx'
import { ApiSnippets } from '../components/api-snippets.tsx'
import { Money } from '../components/money.tsx'
import { CatalogNotFound } from '../components/catalog-not-found.tsx'
import { Page } from '../components/page.tsx'
import { Thumbnail } from '../components/thumbnail.tsx'
import { RetailerCard } from '../components/retailer-card.tsx'
import { SearchBox } from '../components/search-box.tsx'
import { SetLots } from '../components/set-lots.tsx'
import { ValueCard } from '../components/value-card.tsx'
import { ValueHistory } from '../components/value-history.tsx'
import { cleanText } from '../server/collection.ts'
import { loadSetPage, type SetPageData } from '../server/set.ts'

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const requested = new URL(request.url).searchParams.get('condition') ?? ''
  const page = await loadSetPage(context, request, params['number'], isCondition(requested) ? requested : 'sealed')
  return page ?? data({ missing: cleanText(params['number'] ?? '').slice(0, 40) }, 404)
}

export default function SetPage() {
  const data = useLoaderData<typeof loader>()
  if ('missing' in data) return <CatalogNotFound kind="set" number={data.missing} />
  const { set, values, months, condition, retail, lots, fees } = data
  const { sealed } = values
  return (
    <Page title={set.title} actions={<SearchBox />}>
      <title>{`${set.number} ${set.title} · Brickmark`}</title>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <SetDetails set={set} />
        <ValueCard label="Sealed" value={values.sealed} />
        <ValueCard label="Used" value={values.used} />
      </div>
      <ValueHistory number={set.number} condition={condition} months={months} current={values[condition]} />
      {sealed && sealed.value !== null && (
        <BuyCalculator
          key={set.number}
          value={sealed.value}
          low={sealed.low}
          offers={currentOffers(set, retail)}
          fees={fees}
        />
      )}
      <Card title="Your lots" actions={lots.length > 0 && <Link to="/collections">Your collections</Link>}>
        <SetLots lots={lots} />
      </Card>
      {retail.retailers.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2">
          {retail.retailers.map((shop) => (
            <RetailerCard key={shop.retailer} retailer={shop} from={retail.from} />
          ))}
        </div>
      )}
      {retail.net !== null && (
        <p className="text-sm text-ink-soft">
          Sold through the warehouse of {retail.retailers.find(({ retailer }) => retailer === 'retailer_a')?.name} at
          today’s lowest offer it would bring you <Money cents={retail.net} /> after its fees
          {retail.sellers !== null &&
            `; ${retail.sellers} ${retail.sellers === 1 ? 'seller offers' : 'sellers offer'} so`}
          .
        </p>
      )}
      <Minifigs minifigs={set.minifigs} />
      <ApiSnippets
        path={`/set/${set.number}`}
        cost={1}
        sheetsFormula={`=BRICK_VALUE("${set.number}")`}
        cliCommand={`brickmark set ${set.number}`}
      />
    </Page>
  )
}

/** Returns the prices to compare with: current retail prices, and the recommended one while the set is on sale. */
function currentOffers(set: SetPageData['set'], retail: SetPageData['retail']): Offer[] {
  const retailOffers = retail.retailers.flatMap(({ name, price }) => (price === null ? [] : [{ source: name, price }]))
  if (set.msrp === null || set.status === SET_STATUS.retired) return retailOffers
  return [...retailOffers, { source: 'Retail price', price: set.msrp }]
}

const STATUS_LABELS = {
  [SET_STATUS.upcoming]: 'Upcoming',
  [SET_STATUS.available]: 'Available',
  [SET_STATUS.retiringSoon]: 'Retiring soon',
  [SET_STATUS.retired]: 'Retired',
}

function SetDetails({ set }: { set: SetPageData['set'] }) {
  const facts: [name: string, value: React.ReactNode][] = [
    ['Number', set.number],
    ['Theme', set.subtheme === null ? set.theme : `${set.theme}, ${set.subtheme}`],
    ['Pieces', set.pieces?.toLocaleString('en-US') ?? 'Unknown'],
    ['Retail price', <Money key="msrp" cents={set.msrp} />],
    ['Released', set.released ?? 'Unknown'],
    ...(set.retires === null ? [] : ([['Retirement', set.retires]] satisfies [string, string][])),
    ...(set.upc === null ? [] : ([['UPC', set.upc]] satisfies [string, string][])),
  ]
  return (
    <section aria-label="The set" className="flex gap-4 rounded-card border border-line bg-card px-4 py-3">
      <Thumbnail url={set.image} title={set.title} />
      <div className="min-w-0">
        <Badge tone={set.status === SET_STATUS.retiringSoon ? 'warn' : 'plain'}>{STATUS_LABELS[set.status]}</Badge>
        <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-soft">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}

function Minifigs({ minifigs }: { minifigs: SetPageData['set']['minifigs'] }) {
  if (minifigs.length === 0) return null
  return (
    <Card title="Minifigs in the box">
      <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
        {minifigs.map(({ number, name, quantity, value }) => (
          <li key={number} className="flex items-baseline justify-between gap-3 text-sm">
            <span className="min-w-0">
              {quantity > 1 && `${quantity} × `}
              <Link to={`/minifig/${encodeURIComponent(number)}`}>{name}</Link>{' '}
              <span className="text-ink-soft">{number}</span>
            </span>
            <Money cents={value} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
