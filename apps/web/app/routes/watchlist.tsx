import { Form, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { ChoiceLinks } from '../components/segmented-links.tsx'
import { Empty } from '../components/empty-state.tsx'
import { Field } from '../components/field.tsx'
import { GetThisAs } from '../components/api-snippets.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { WatchTable } from '../components/watchlist-table.tsx'
import { watchPage } from '../server/watchlist.ts'

export async function loader({ request, context }: LoaderFunctionArgs) {
  return watchPage(context, new URL(request.url).searchParams)
}

const WITHIN: [value: string, label: string][] = [
  ['', 'All'],
  ['3h', '3 hours'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
]

export default function Watch() {
  const { held, rows, total, offset, limit, asked, wrong } = useLoaderData<typeof loader>()
  const seen = rows.flatMap(({ a, b }) => [a?.checkedAt, b?.checkedAt]).filter((at) => at !== undefined)
  const query = new URLSearchParams(asked)
  return (
    <Page
      title="Watch"
      lead="What the retailers ask now for the sets you hold."
      asOf={seen.sort().at(-1)}
      {...(held > 0 && {
        actions: (
          <ChoiceLinks
            label="How long ago"
            chosen={asked['changed_within'] ?? ''}
            choices={WITHIN}
            to={(value) => to({ ...asked, changed_within: value })}
          />
        ),
      })}
    >
      <title>Watch · Brickmark</title>
      {held === 0 ? (
        <Empty
          title="Nothing to watch yet"
          action={
            <>
              <ButtonLink to="/import" look="main">
                Import a file
              </ButtonLink>
              <ButtonLink to="/collections">Start a collection</ButtonLink>
            </>
          }
        >
          Every set you hold is watched at two retailers by itself: price, who sells, the lowest seen, and what selling
          it there would leave you.
        </Empty>
      ) : (
        <>
          {/* Opened by what was asked for, so that an address shows what it filters by. */}
          <details
            key={`filter ${query}`}
            open={query.size > 0 || Object.keys(wrong).length > 0}
            className="rounded-card border border-line bg-card px-4 py-3 sm:px-5"
          >
            <summary className="w-fit font-medium">Filter by time, ASIN or code</summary>
            <Form
              key={query.toString()}
              className="mt-3 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_1.3fr_1fr_1fr_auto]"
            >
              <Field
                label="Changed within"
                name="changed_within"
                defaultValue={asked['changed_within']}
                placeholder="24h"
                error={wrong['changed_within']}
              />
              <Field
                label="Changed since, UTC"
                name="since"
                type="datetime-local"
                defaultValue={asked['since']?.slice(0, 16)}
                error={wrong['since']}
              />
              <Field label="ASIN" name="asin" defaultValue={asked['asin']} placeholder="One or several" />
              <Field label="UPC or EAN" name="upc" defaultValue={asked['upc']} placeholder="One or several" />
              <Button>Filter</Button>
            </Form>
          </details>
          {rows.length === 0 ? (
            <Empty
              title={query.size === 0 ? 'No retailer sells what you hold' : 'No price matches'}
              {...(query.size > 0 && { action: <ButtonLink to="/watch">Show all</ButtonLink> })}
            >
              {query.size === 0
                ? 'As soon as one is seen to, its price shows here.'
                : 'Ask for a longer time, or show everything again.'}
            </Empty>
          ) : (
            <Card title={total === 1 ? '1 set' : `${total.toLocaleString('en-US')} sets`}>
              <WatchTable rows={rows} />
              <p className="mt-3 text-sm text-ink-soft">
                Net at exit: what selling one through the first retailer’s warehouse now would leave you after its fees,
                and against what you paid.
              </p>
              <Pager
                offset={offset}
                limit={limit}
                total={total}
                to={(next) => to({ ...asked, offset: String(next) })}
              />
            </Card>
          )}
        </>
      )}
      <GetThisAs
        path={`/brickfolio/retail-watch${query.size === 0 ? '' : `?${query.toString().replaceAll("'", '%27')}`}`}
        units={1}
        command={['brickmark watch', ...Object.entries(asked).map(option)].join(' ')}
      />
    </Page>
  )
}

function to(filter: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  return query.size === 0 ? '/watch' : `/watch?${query}`
}

/** As the command line calls it; a value that a shell would take apart is quoted. */
function option([name, value]: [string, string]): string {
  const quoted = /^[\w:.,-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
  return `--${name.replace('_', '-')} ${quoted}`
}
