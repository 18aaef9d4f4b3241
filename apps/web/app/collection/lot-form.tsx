import { Minus, Plus, ScanBarcode, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { MAX_NOTES, MAX_UNITS, parsePrice, parseQuantity, type LotStatus } from '@brickmark/core/portfolio/lot'
import type { Condition } from '@brickmark/core/catalog/condition'
import { valueLot } from '@brickmark/core/portfolio/portfolio'
import { Button } from '../ui/button.tsx'
import { countOf } from '../ui/count-of.ts'
import { DateField } from '../ui/date-field.tsx'
import { SelectField } from '../ui/field.tsx'
import { SubmissionField } from '../ui/form.tsx'
import { Delta, Money, NotAvailable } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { Picture } from '../ui/picture.tsx'
import type { AddableSet } from './lot-add.server.ts'
import { CONDITIONS, STATUSES } from './lot-table.tsx'

/** What has been entered; undefined if it isn't valid, and a price of null if it is left blank. */
type Entered = { quantity: number | undefined; price: number | null | undefined; condition: string }

/** Enters the purchase of a set, and says what it has gained before it is added. */
export function LotForm({
  set,
  heading,
  closePath,
  kept,
  today,
  maxDate,
  submission,
  error,
}: {
  set: AddableSet
  heading: RefObject<HTMLHeadingElement | null>
  closePath: string
  /** Of the lot that was added before. */
  kept: { condition: Condition; status: LotStatus; date: string | null } | undefined
  today: string
  maxDate: string
  submission: string
  error: string | undefined
}) {
  const { state, formData } = useNavigation()
  const isSubmitting = state !== 'idle' && formData !== undefined
  const form = useRef<HTMLFormElement>(null)
  const initial: Entered = { quantity: 1, price: null, condition: kept?.condition ?? 'sealed' }
  const [entered, setEntered] = useState(initial)
  const update = () => setEntered(readEntered(form.current!))
  // The browser may have restored what was entered before.
  useEffect(update, [])
  return (
    <section
      aria-label={set.title}
      className="scroll-mt-4 rounded-card border border-line bg-card p-4 shadow-card max-[1120px]:rounded-stage max-[1120px]:shadow-floating sm:p-5"
    >
      <div className="mb-4 flex items-center gap-3">
        <Picture kind="sets" number={set.number} tint={set.tint} />
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="text-lg break-words outline-none">
            {set.title}
          </h2>
          <p className="text-xs text-ink-soft">
            {set.number}
            {set.copies > 0 && ` · you have ${countOf(set.copies, 'copy', 'copies')}`}
          </p>
        </div>
        <Link
          to={closePath}
          preventScrollReset
          aria-label="Choose another set"
          className="grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </Link>
      </div>
      <Form ref={form} method="post" preventScrollReset onInput={update} className="grid grid-cols-2 gap-3.5">
        {error !== undefined && (
          <div className="col-span-2">
            <Notice tone="loss">{error}</Notice>
          </div>
        )}
        <input type="hidden" name="set" value={set.number} />
        <SubmissionField token={submission} />
        <ConditionField selected={initial.condition} />
        <CopiesField onStep={update} />
        <PriceField />
        <DateField
          label="Bought"
          name="date"
          defaultValue={kept ? (kept.date ?? '') : today}
          serverDefault={kept ? undefined : today}
          max={maxDate}
        />
        <SelectField label="Status" name="status" options={STATUSES} defaultValue={kept?.status} />
        <details className="col-span-2">
          <summary className="min-h-6 w-fit font-medium text-accent">Add a note</summary>
          <textarea
            name="notes"
            aria-label="Notes"
            rows={2}
            maxLength={MAX_NOTES}
            className="mt-2 w-full rounded-control border border-line-strong bg-card px-3 py-2 text-ink max-md:text-lg"
          />
        </details>
        <Summary set={set} entered={entered} />
        <div className="col-span-2 grid gap-2.5 whitespace-nowrap sm:grid-cols-[minmax(0,1fr)_auto]">
          <Button variant="main" disabled={isSubmitting}>
            <span className="noscript:hidden">
              {entered.quantity === undefined ? 'Add' : `Add ${countOf(entered.quantity, 'copy', 'copies')}`}
            </span>
            {/* Without JavaScript, the number of copies would stay what it was at first. */}
            <span className="hidden noscript:inline">Add to collection</span>
          </Button>
          <span className="grid noscript:hidden">
            <Button name="next" value="scan" disabled={isSubmitting}>
              <ScanBarcode aria-hidden="true" className="size-4" /> Add and scan next
            </Button>
          </span>
        </div>
      </Form>
    </section>
  )
}

function readEntered(form: HTMLFormElement): Entered {
  const fields = new FormData(form)
  const text = (name: string) => {
    const value = fields.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    quantity: parseQuantity(text('quantity')),
    price: text('price') === '' ? null : parsePrice(text('price')),
    condition: text('condition'),
  }
}

function ConditionField({ selected }: { selected: string }) {
  return (
    <fieldset className="col-span-2">
      <legend className="mb-1 font-medium">Condition</legend>
      <div className="flex rounded-control bg-sunken p-[3px]">
        {CONDITIONS.map(([value, label]) => (
          <label
            key={value}
            className="relative grid min-h-8 flex-1 place-items-center rounded-[7px] text-ink-soft has-checked:bg-raised has-checked:font-semibold has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:min-h-10"
          >
            <input
              type="radio"
              name="condition"
              value={value}
              defaultChecked={value === selected}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function CopiesField({ onStep }: { onStep: () => void }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const step = (direction: 'stepUp' | 'stepDown') => () => {
    input.current![direction]()
    onStep()
  }
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-medium">
        Copies
      </label>
      <span className="flex min-h-10 overflow-hidden rounded-control border border-line-strong">
        <StepButton label="One copy less" onClick={step('stepDown')}>
          <Minus aria-hidden="true" className="size-4" />
        </StepButton>
        <input
          ref={input}
          id={id}
          name="quantity"
          type="number"
          required
          min={1}
          max={MAX_UNITS}
          defaultValue={1}
          className="w-full min-w-0 flex-1 [appearance:textfield] bg-card text-center font-medium text-ink -outline-offset-2 max-md:text-lg [&::-webkit-inner-spin-button]:appearance-none"
        />
        <StepButton label="One copy more" onClick={step('stepUp')}>
          <Plus aria-hidden="true" className="size-4" />
        </StepButton>
      </span>
    </div>
  )
}

function StepButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="grid w-10 shrink-0 place-items-center text-ink-soft -outline-offset-2 hover:bg-sunken noscript:hidden"
    >
      {children}
    </button>
  )
}

function PriceField() {
  const id = useId()
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-medium">
        Paid each
      </label>
      <span className="relative grid">
        <span aria-hidden="true" className="absolute top-2.5 left-3 text-ink-faint">
          $
        </span>
        <input
          id={id}
          name="price"
          inputMode="decimal"
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          className="min-h-10 w-full rounded-control border border-line-strong bg-card pr-3 pl-7 text-ink max-md:text-lg"
        />
      </span>
      <p id={`${id}-hint`} className="text-xs text-ink-soft">
        0 for gifts, blank if unknown.
      </p>
    </div>
  )
}

/** What the copies are worth and cost, and the difference. Needs JavaScript to follow what is entered. */
function Summary({ set, entered: { quantity, price, condition } }: { set: AddableSet; entered: Entered }) {
  const unitValue = condition === 'used' ? set.used : set.sealed
  const copies = quantity ?? null
  const { value, gain } = valueLot({ quantity: copies ?? 0, unitCost: price ?? null, unitValue })
  return (
    <dl
      aria-live="polite"
      className="col-span-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1.5 rounded-control bg-sunken px-3.5 py-3 text-sm noscript:hidden"
    >
      <dt className="text-ink-soft">Worth today</dt>
      <dd className="text-right">
        {unitValue === null ? (
          'No value yet'
        ) : copies === null ? (
          <NotAvailable />
        ) : (
          <>
            {copies > 1 && (
              <>
                {copies.toLocaleString('en-US')} × <Money cents={unitValue} /> ={' '}
              </>
            )}
            <b className="font-semibold">
              <Money cents={value} />
            </b>
          </>
        )}
      </dd>
      <dt className="text-ink-soft">You paid</dt>
      <dd className="text-right">
        <Money cents={copies === null || price === null || price === undefined ? null : copies * price} />
      </dd>
      <dt className="text-ink-soft">Gain so far</dt>
      <dd className="text-right">
        <Delta cents={copies === null ? null : gain} />
      </dd>
    </dl>
  )
}
