import { useEffect, useRef, useState } from 'react'
import { Form, useNavigation } from 'react-router'
import { MAX_UNITS } from '@brickmark/core/portfolio/lot'
import { saleResult } from '@brickmark/core/portfolio/sale'
import { defaultPlatformFee, parseSale, type SaleField, type SaleContext } from '@brickmark/core/portfolio/sale-form'
import { feesInForce, type SellingFeeSchedule } from '@brickmark/core/market/fees/selling-fees'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { formatDate } from '../ui/format-date.ts'
import { SubmissionField } from '../ui/form.tsx'
import { formatUsd } from '@brickmark/core/primitives/format-money'
import { Delta, Money } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { PLATFORM_NAMES, PLATFORM_OPTIONS } from './sale-table.tsx'

type LotOption = SaleContext['lots'][number] & { collection: string }
type SaleFormContext = Omit<SaleContext, 'lots'> & { lots: LotOption[] }

/**
 * Form to record or edit a sale. Net, profit and ROI update as the user types; without JavaScript a button computes
 * them on the server. Both use the same function, which runs again when the sale is saved.
 */
export function SaleForm({
  values,
  version,
  serverDate,
  formContext,
  submission,
  submit,
  error,
}: {
  values: Record<SaleField, string>
  /** Optimistic-locking token of the sale being edited. */
  version?: string
  /** Default date of a new sale: today on the server. */
  serverDate?: string
  formContext: SaleFormContext
  /** Token of a form that adds a sale; a form that edits one has its version instead. */
  submission?: string
  submit: string
  error: string | undefined
}) {
  const [current, setNow] = useState(values)
  const form = useRef<HTMLFormElement>(null)
  const busy = useNavigation().state !== 'idle'
  // Pick up input from before hydration and values restored by the browser.
  useEffect(() => setNow((previous) => readFormValues(form.current, previous)), [])
  const field = (field: SaleField) => current[field]
  const preset = feesInForce(formContext.fees, current.platform, current.date)
  const fee = defaultPlatformFee(field, formContext.fees)
  return (
    <Form
      ref={form}
      method="post"
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
      onChange={() => setNow((previous) => readFormValues(form.current, previous))}
    >
      {error !== undefined && <Notice tone="loss">{error}</Notice>}
      {version !== undefined && <input type="hidden" name="seen" value={version} />}
      {submission !== undefined && <SubmissionField token={submission} />}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <SelectField label="Platform" name="platform" defaultValue={values.platform} options={PLATFORM_OPTIONS} />
        <DateField
          label="Sale date"
          name="date"
          required
          defaultValue={values.date}
          serverDefault={serverDate}
          max={formContext.today}
        />
        <TextField
          label="Quantity"
          name="quantity"
          type="number"
          required
          min={1}
          max={MAX_UNITS}
          defaultValue={values.quantity}
        />
        <TextField
          label="Buyer paid (USD)"
          name="gross"
          required
          inputMode="decimal"
          defaultValue={values.gross}
          hint="Total for all units, including shipping, excluding sales tax."
        />
        <TextField
          label="Platform fees"
          name="platform-fees"
          inputMode="decimal"
          defaultValue={values['platform-fees']}
          placeholder={fee === undefined ? '0.00' : (fee / 100).toFixed(2)}
          hint={
            preset
              ? `Leave blank to use ${describeFees(preset)}${fee === undefined ? '' : `, which is ${formatUsd(fee)}`}.`
              : 'No preset for this platform and date. Leave blank for none.'
          }
        />
        <TextField
          label="Payment fees"
          name="payment-fees"
          inputMode="decimal"
          defaultValue={values['payment-fees']}
          placeholder="0.00"
        />
        <TextField
          label="Shipping cost"
          name="shipping"
          inputMode="decimal"
          defaultValue={values.shipping}
          placeholder="0.00"
        />
        <SelectField label="Lot" name="lot" defaultValue={values.lot} options={lotOptions(formContext)} />
        <TextField
          label="Cost (if not from a lot)"
          name="cost"
          inputMode="decimal"
          defaultValue={values.cost}
          hint="Total for all units. Leave blank if unknown."
        />
      </div>
      <SalePreview sale={parseSale(field, formContext)} />
      <div className="flex flex-wrap gap-2">
        <Button variant="main" disabled={busy} name="intent" value="save">
          {submit}
        </Button>
        <noscript>
          <Button name="intent" value="preview" formNoValidate>
            Calculate
          </Button>
        </noscript>
      </div>
      <FeePresets fees={formContext.fees} />
    </Form>
  )
}

function readFormValues(form: HTMLFormElement | null, previous: Record<SaleField, string>): Record<SaleField, string> {
  if (!form) return previous
  const data = new FormData(form)
  const entries = Object.keys(previous).map((name) => {
    const value = data.get(name)
    return [name, typeof value === 'string' ? value.trim() : '']
  })
  return Object.fromEntries(entries) as Record<SaleField, string>
}

/** Net, cost, profit and ROI of the sale, or what is still missing. */
function SalePreview({ sale }: { sale: ReturnType<typeof parseSale> }) {
  const result = typeof sale === 'string' ? { net: null, profit: null, roiPct: null } : saleResult(sale)
  const cost = typeof sale === 'string' ? null : sale.cost
  const parts = [
    ['Net proceeds', <Money key="net" cents={result.net} />],
    ['Cost', <Money key="cost" cents={cost} />],
    ['Profit', <Delta key="profit" cents={result.profit} />],
    ['ROI', <Delta key="roi" ratio={result.roiPct === null ? null : result.roiPct / 100} />],
  ] as const
  return (
    <div aria-live="polite" className="rounded-card bg-sunken px-4 py-3">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
        {parts.map(([label, value]) => (
          <div key={label}>
            <dt className="text-sm text-ink-soft">{label}</dt>
            <dd className="text-lg font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-1 text-sm text-ink-soft">
        {typeof sale === 'string' ? sale : describeAllocation(sale.allocations)}
      </p>
    </div>
  )
}

function describeAllocation(takes: { lotId: number; quantity: number }[]): string {
  if (takes.length === 0) return 'Not linked to a lot.'
  const parts = takes.map(({ lotId, quantity }) => `${quantity.toLocaleString('en-US')} from lot ${lotId}`)
  return `Uses ${parts.join(', ')}.`
}

function lotOptions({ lots, previousLotIds }: SaleFormContext): [string, string][] {
  const units = (some: LotOption[]) => some.reduce((sum, lot) => sum + lot.quantity, 0).toLocaleString('en-US')
  const oldest = (['sealed', 'used'] as const).flatMap((condition): [string, string][] => {
    const own = lots.filter((lot) => lot.condition === condition)
    return own.length === 0 ? [] : [[condition, `Oldest ${condition} first (${units(own)} available)`]]
  })
  const single = lots.map((lot): [string, string] => [
    String(lot.id),
    [
      `Lot ${lot.id}: ${units([lot])} ${lot.condition ?? 'available'}`,
      lot.date === null ? 'date unknown' : formatDate(lot.date),
      lot.price === null ? 'price unknown' : `${formatUsd(lot.price)} each`,
      lot.collection,
    ].join(', '),
  ])
  const same: [string, string][] = previousLotIds.length === 0 ? [] : [['kept', 'Keep current lots']]
  return [...same, ...oldest, ...single, ['none', 'Not from a lot']]
}

/** Sources of the fee presets, so that users can verify them. */
function FeePresets({ fees }: { fees: SellingFeeSchedule[] }) {
  return (
    <details className="text-sm">
      <summary className="w-fit text-ink-soft underline decoration-line-strong underline-offset-4">
        About fee presets
      </summary>
      <ul className="mt-2 list-disc space-y-1 pl-5">
        {fees.map((fee) => (
          <li key={`${fee.platform} ${fee.validFrom}`}>
            {(PLATFORM_NAMES as Record<string, string>)[fee.platform]} from {fee.validFrom}: {describeFees(fee)}.{' '}
            <span className="text-ink-soft">{fee.source}.</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Formats a fee schedule, e.g. “13.25% + $0.40 ($0.30 up to $10.00)”. */
function describeFees({ shares, minimum, fixed }: SellingFeeSchedule): string {
  const share = shares
    .map(({ upTo, basisPoints }) => `${basisPoints / 100}%${upTo === null ? '' : ` up to ${formatUsd(upTo)}`}`)
    .join(', then ')
  const least = minimum > 0 ? `, at least ${formatUsd(minimum)}` : ''
  const [last, ...lower] = fixed.toReversed()
  const exceptions = lower.map(({ upTo, cents }) => `${formatUsd(cents)} up to ${formatUsd(upTo ?? 0)}`).join(', ')
  const fixedPart = last ? ` + ${formatUsd(last.cents)}${exceptions === '' ? '' : ` (${exceptions})`}` : ''
  return share + least + fixedPart
}
