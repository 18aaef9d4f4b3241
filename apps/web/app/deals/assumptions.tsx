import { Form } from 'react-router'
import { SHIPPING_BOUNDS_KG, type AccountSellingCosts } from '@brickmark/core/portfolio/selling-costs'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'

/** Fees and shipping that the deals are ranked by: tried in the address, or saved for the account. */
export function Assumptions({
  costs,
  errors,
  search,
}: {
  costs: AccountSellingCosts
  errors: Record<string, string>
  search: URLSearchParams
}) {
  const amount = (name: string, label: string, cents: number) => (
    <TextField
      name={name}
      label={label}
      inputMode="decimal"
      required
      defaultValue={search.get(name) ?? (cents / 100).toFixed(2)}
      error={errors[name]}
    />
  )
  const kept = [...search].filter(([name]) => !/^(fee|fixed|ship\d|from|open)$/.test(name))
  return (
    <details className="relative" open={Object.keys(errors).length > 0}>
      <summary className="w-fit cursor-pointer rounded-control border border-line-strong bg-card px-4 py-2 font-medium text-ink">
        Assumptions
      </summary>
      <Form
        key={JSON.stringify(costs)}
        className="right-0 z-10 mt-2 grid w-full grid-cols-2 gap-3 rounded-card border border-line bg-raised p-4 shadow-card sm:absolute sm:w-96"
      >
        {kept.map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        {amount('fee', 'Fee (%)', costs.feeBasisPoints)}
        {amount('fixed', 'Per order ($)', costs.fixedFee)}
        <fieldset className="col-span-2 grid grid-cols-2 gap-3">
          <legend className="mb-1 font-medium">Shipping by box weight ($)</legend>
          {costs.shippingByWeight.map((cents, index) => (
            <div key={index}>{amount(`ship${index}`, weightLabel(index), cents)}</div>
          ))}
        </fieldset>
        <p className="col-span-2 text-sm text-ink-soft">
          Used for deals, the buy calculator and alerts about returns. A box of unknown weight counts as a heavy one.
        </p>
        <div className="col-span-2 flex flex-wrap gap-2">
          <Button>Try</Button>
          <Button formMethod="post" formAction="/selling-costs" name="to" value={`/deals?${new URLSearchParams(kept)}`}>
            Save as my default
          </Button>
        </div>
      </Form>
    </details>
  )
}

function weightLabel(index: number): string {
  const bound = SHIPPING_BOUNDS_KG[index]
  return bound === undefined ? `over ${SHIPPING_BOUNDS_KG.at(-1)} kg` : `up to ${bound} kg`
}
