import { Plus } from 'lucide-react'
import { Fragment, type RefObject } from 'react'
import { Form as GetForm, Link } from 'react-router'
import { Button } from '../ui/button.tsx'
import { countOf } from '../ui/count-of.ts'
import { Delta, Money } from '../ui/money.tsx'
import { Picture } from '../ui/picture.tsx'
import { describeHistory } from '../ui/value-block.tsx'
import type { AddableSet, LotAddData } from './lot-add.server.ts'

/** Searches for a set by number, name or barcode, and lists what matches. */
export function SetPicker({
  data: { query, isBarcode, selectedSet, results, total, isTotalKnown, added },
  input,
  isCollapsed,
  hrefWith,
}: {
  data: LotAddData
  input: RefObject<HTMLInputElement | null>
  /** Hides the results on narrow screens. */
  isCollapsed: boolean
  hrefWith: (params: Record<string, string>) => string
}) {
  return (
    <section aria-label="Search" className="rounded-card border border-line bg-card shadow-card">
      {/* A new key fills the field with a barcode that was scanned. */}
      <GetForm key={query} className="flex items-center gap-2 px-3 py-2">
        {added && <input type="hidden" name="after" value={added.id} />}
        <input
          ref={input}
          type="search"
          name="q"
          required
          minLength={2}
          defaultValue={query}
          autoComplete="off"
          autoFocus={selectedSet === undefined}
          aria-label="Set number, name or barcode"
          placeholder="Number, name or barcode"
          className="h-10 min-w-0 flex-1 rounded-control bg-card px-2 text-lg placeholder:text-ink-faint"
        />
        <Button variant={selectedSet || results.length > 0 ? 'plain' : 'main'}>Search</Button>
      </GetForm>
      <div className={isCollapsed ? 'max-[1120px]:hidden' : ''}>
        <ul aria-label="Matching sets">
          {results.map((set) => (
            <Result
              key={set.number}
              set={set}
              query={query}
              isSelected={set.number === selectedSet?.number}
              path={hrefWith({ q: query, set: set.number })}
            />
          ))}
        </ul>
        {results.length > 0 && (
          <p className="border-t border-line px-4 py-3 text-xs text-ink-soft">
            {describeCount(results.length, total, isTotalKnown)} · sealed value and its change in 1 year
            {results.length < total && (
              <>
                {' · '}
                <Link preventScrollReset to={hrefWith({ q: query, all: 'yes' })}>
                  Show {isTotalKnown ? 'all' : total}
                </Link>
              </>
            )}
          </p>
        )}
        {query.length >= 2 && total === 0 && !isBarcode && !selectedSet && (
          <p role="status" className="border-t border-line px-4 py-6 text-center text-ink-soft">
            No set matches. Try fewer words, or the set number printed on the box.
          </p>
        )}
      </div>
    </section>
  )
}

function describeCount(shown: number, total: number, isTotalKnown: boolean): string {
  if (shown < total) return `${shown} of ${isTotalKnown ? total : `more than ${total - 1}`}`
  return isTotalKnown ? countOf(total, 'set') : `First ${total}`
}

function Result({
  set: { number, title, theme, year, tint, sealed, yearChange, copies },
  query,
  isSelected,
  path,
}: {
  set: AddableSet
  query: string
  isSelected: boolean
  path: string
}) {
  return (
    <li
      className={`relative flex items-center gap-3 border-t border-line px-4 py-2.5 text-sm ${isSelected ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
    >
      <Picture kind="sets" number={number} tint={tint} />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">
          <Highlighted text={title} query={query} />
        </p>
        <p className="text-xs text-ink-soft">
          {number}
          <span className="max-md:hidden"> · {theme}</span>
          {year !== null && ` · ${year}`}
        </p>
      </div>
      <p className="text-right max-md:max-w-24">
        <span className="block font-medium">{sealed === null ? 'No value yet' : <Money cents={sealed} />}</span>
        <span className="text-xs text-ink-soft">
          {yearChange !== null &&
            (yearChange.ratio === null ? describeHistory(yearChange.months) : <Delta ratio={yearChange.ratio} />)}
        </span>
      </p>
      {/* The whole row is the target. */}
      <Link
        to={path}
        preventScrollReset
        aria-label={`Add ${number} ${title}${copies === 0 ? '' : `, you have ${copies.toLocaleString('en-US')}`}`}
        aria-current={isSelected ? 'true' : undefined}
        className={`grid size-9 shrink-0 place-items-center rounded-control font-semibold no-underline after:absolute after:inset-0 max-md:size-10 ${
          copies === 0 ? 'border border-line-strong bg-card text-ink' : 'bg-accent-soft text-accent'
        }`}
      >
        {copies === 0 ? (
          <Plus aria-hidden="true" className="size-4" />
        ) : copies > 999 ? (
          '999+'
        ) : (
          copies.toLocaleString('en-US')
        )}
      </Link>
    </li>
  )
}

/** A title with the words of the query in color. Accents make a difference here, unlike in the search. */
function Highlighted({ text, query }: { text: string; query: string }) {
  const words = query.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return text
  const pattern = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')
  // With a group, split returns the matches too, at odd places.
  return text.split(new RegExp(`(${pattern})`, 'iu')).map((part, index) =>
    index % 2 === 1 ? (
      <mark key={index} className="bg-transparent text-accent">
        {part}
      </mark>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
