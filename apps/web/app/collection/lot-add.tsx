import { Check, ChevronDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { findSetByNumber } from '@brickmark/core/catalog/set-search-queries'
import { countOf } from '../ui/count-of.ts'
import { Money } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Picture } from '../ui/picture.tsx'
import { submitLot } from './add-lot.server.ts'
import { AddTabs } from './add-tabs.tsx'
import { BarcodeScanner } from './barcode-scanner.tsx'
import { loadLotAdd, type AddableSet } from './lot-add.server.ts'
import { LotForm } from './lot-form.tsx'
import { SetPicker } from './set-picker.tsx'
import type { Route } from './+types/lot-add.ts'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  return loadLotAdd(context, request, params.id)
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return submitLot(context, params.id, await request.formData(), 'set', async (tx, field) => {
    const set = await findSetByNumber(tx, field('set'))
    return set ? { set_number: set.set_number } : `Set ${field('set')} not found.`
  })
}

export default function LotAdd({ loaderData, actionData: result }: Route.ComponentProps) {
  const { id, name, others, query, isBarcode, isFoundByBarcode, selectedSet, total, added } = loaderData
  const { today, maxDate, submission } = loaderData
  const navigate = useNavigate()
  const searchInput = useRef<HTMLInputElement>(null)
  const formHeading = useFocusOnForm(selectedSet?.number)
  const hrefWith = (params: Record<string, string>) =>
    `/collections/${id}/add?${new URLSearchParams({ ...params, ...(added && { after: String(added.id) }) })}`
  const focusSearch = () => searchInput.current?.focus()
  return (
    <Page title="Add set">
      <title>Add set · Brickmark</title>
      <CollectionMenu id={id} name={name} others={others} query={query} set={selectedSet?.number} />
      <AddTabs collectionId={id} selected="set" />
      {added && !selectedSet && (
        <Notice tone="gain">
          Added {countOf(added.quantity, 'copy', 'copies')} of {added.title}.{' '}
          <Link to={`/collections/${id}#lot-${added.id}`}>Show in {name}</Link>
        </Notice>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 min-[1121px]:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <BarcodeScanner
            startsAfter={added?.id}
            hasFound={selectedSet !== undefined}
            onRead={(code) => void navigate(hrefWith({ q: code }), { preventScrollReset: true })}
            onTypeInstead={focusSearch}
          />
          {isFoundByBarcode && <FoundSet set={selectedSet!} />}
          {isBarcode && total === 0 && (
            <Notice tone="warn" title={`No set has the barcode ${query}`}>
              The catalog may not know it yet. Search for the set by its number or name.
            </Notice>
          )}
          <SetPicker
            data={loaderData}
            input={searchInput}
            // On a narrow screen, the form takes the place of the results.
            isCollapsed={selectedSet !== undefined}
            hrefWith={hrefWith}
          />
        </div>
        {selectedSet ? (
          <div className="min-[1121px]:sticky min-[1121px]:top-[4.5rem]">
            <LotForm
              key={selectedSet.number}
              set={selectedSet}
              heading={formHeading}
              closePath={hrefWith(isFoundByBarcode || query === '' ? {} : { q: query })}
              kept={added}
              {...{ today, maxDate, submission }}
              error={result?.actionError}
            />
          </div>
        ) : (
          <p className="hidden rounded-card border border-dashed border-line-strong px-6 py-10 text-center text-ink-soft min-[1121px]:block">
            Choose a set to enter how many copies you have and what you paid.
          </p>
        )}
      </div>
    </Page>
  )
}

/** Says which collection the set goes to, and leads to the others. */
function CollectionMenu({
  id,
  name,
  others,
  query,
  set,
}: {
  id: number
  name: string
  others: { id: number; name: string }[]
  query: string
  set: string | undefined
}) {
  const kept = new URLSearchParams({ ...(query !== '' && { q: query }), ...(set !== undefined && { set }) })
  if (others.length === 0)
    return (
      <p className="-mt-4 text-ink-soft">
        to <Link to={`/collections/${id}`}>{name}</Link>
      </p>
    )
  return (
    <div className="-mt-4 flex min-w-0 items-center gap-1 text-ink-soft">
      to
      <details className="relative min-w-0">
        <summary
          aria-label={`Collection: ${name}`}
          className="flex min-h-6 list-none items-center gap-1 font-medium text-accent"
        >
          <span className="truncate">{name}</span> <ChevronDown aria-hidden="true" className="size-4 shrink-0" />
        </summary>
        <ul className="absolute left-0 z-10 mt-1 max-h-80 w-60 max-w-[calc(100vw-4rem)] overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-floating">
          {others.map((other) => (
            <li key={other.id}>
              <Link
                to={`/collections/${other.id}/add?${kept}`}
                className="block truncate rounded-control px-3 py-2 text-ink no-underline hover:bg-sunken"
              >
                {other.name}
              </Link>
            </li>
          ))}
          <li className="mt-1 border-t border-line pt-1">
            <Link
              to={`/collections/${id}`}
              className="block truncate rounded-control px-3 py-2 text-ink-soft no-underline hover:bg-sunken"
            >
              Open {name}
            </Link>
          </li>
        </ul>
      </details>
    </div>
  )
}

/** The set that a barcode belongs to. */
function FoundSet({ set: { number, title, theme, tint, sealed } }: { set: AddableSet }) {
  return (
    <section
      role="status"
      className="flex items-center gap-3 rounded-card border border-gain bg-card px-4 py-3 shadow-card"
    >
      <Picture kind="sets" number={number} tint={tint} />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5 text-xs font-medium text-gain">
          <Check aria-hidden="true" className="size-3.5" /> Found by barcode
        </p>
        <p className="font-medium break-words">{title}</p>
        <p className="text-xs text-ink-soft">
          {number} · {theme}
        </p>
      </div>
      <p className="text-right">
        <span className="block text-lg font-medium">
          <Money cents={sealed} />
        </span>
        <span className="text-xs text-ink-soft">sealed</span>
      </p>
    </section>
  )
}

/** Moves focus to the form when a set has been chosen, and scrolls to it if it begins in the lower half of the screen. */
function useFocusOnForm(number: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (number === undefined) return undefined
    // After every navigation, the root moves focus to the heading of the page.
    const timer = setTimeout(() => {
      heading.current?.focus({ preventScroll: true })
      const form = heading.current?.closest('section')
      if (form && form.getBoundingClientRect().top > window.innerHeight / 2) form.scrollIntoView()
    })
    return () => clearTimeout(timer)
  }, [number])
  return heading
}
