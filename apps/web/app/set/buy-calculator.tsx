import { useState } from 'react'
import { Form, useSearchParams } from 'react-router'
import {
  evaluateDeal,
  MAX_FEE_BASIS_POINTS,
  maxBuyPrice,
  netProceeds,
  type SellingCosts,
} from '@brickmark/core/portfolio/buy-price'
import { parsePrice } from '@brickmark/core/portfolio/lot'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { TextField } from '../ui/field.tsx'
import { Delta, Money } from '../ui/money.tsx'
import { Table } from '../ui/table.tsx'

export type Offer = { source: string; price: number }

/**
 * Calculates the maximum purchase price for a target ROI and compares it with current offers. Updates on every
 * keystroke; without JavaScript, submitting the form computes the same on the server.
 */
export function BuyCalculator({
  value,
  low,
  offers,
  costs,
  boxWeightLbs,
  returnTo,
}: {
  value: number
  low: number | null
  offers: Offer[]
  /** Initial values of the fields for fees and shipping. */
  costs: SellingCosts
  /** Which shipping a saved figure is for; null if the weight is unknown. */
  boxWeightLbs: number | null
  /** The page to return to after saving them. */
  returnTo: string
}) {
  const [search] = useSearchParams()
  const defaults = {
    sell: (value / 100).toFixed(2),
    roi: '30',
    fee: (costs.feeBasisPoints / 100).toFixed(2),
    fixed: (costs.fixedFee / 100).toFixed(2),
    ship: (costs.shipping / 100).toFixed(2),
  }
  const [values, setTyped] = useState(() =>
    Object.fromEntries(Object.entries(defaults).map(([name, text]) => [name, search.get(name) ?? text])),
  )
  const fields = Object.fromEntries(Object.keys(defaults).map((name) => [name, parsePrice(values[name] ?? '')]))
  const { sell, roi, fee, fixed, ship } = fields
  const field = (name: string, label: string) => ({
    name,
    label,
    inputMode: 'decimal' as const,
    required: true,
    value: values[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => setTyped({ ...values, [name]: event.target.value }),
    error: priceError(name, fields[name]),
  })
  return (
    <Card title="Buy calculator">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)]">
        <Form preventScrollReset className="grid content-start gap-3">
          {search.has('condition') && <input type="hidden" name="condition" value={search.get('condition')!} />}
          <div className="grid grid-cols-2 gap-3">
            <TextField {...field('roi', 'Target ROI (%)')} />
            <TextField {...field('sell', 'Sale price ($)')} />
            <TextField {...field('fee', 'Fees (%)')} />
            <TextField {...field('fixed', 'Fixed fee ($)')} />
            <TextField {...field('ship', 'Shipping ($)')} />
            <div className="self-end">
              <Button>Calculate</Button>
            </div>
            <div className="col-span-2">
              <input type="hidden" name="weight" value={boxWeightLbs ?? ''} />
              <Button formMethod="post" formAction="/selling-costs" name="to" value={returnTo}>
                Save fees and shipping as my default
              </Button>
            </div>
          </div>
        </Form>
        {sell !== undefined && roi !== undefined && fee !== undefined && fixed !== undefined && ship !== undefined ? (
          <BuyResult
            net={netProceeds(sell, { feeBasisPoints: fee, fixedFee: fixed, shipping: ship })}
            netLow={low === null ? null : netProceeds(low, { feeBasisPoints: fee, fixedFee: fixed, shipping: ship })}
            roiPct={roi / 100}
            offers={offers}
          />
        ) : (
          <p className="text-ink-soft">Fill in all fields to see the most you should pay.</p>
        )}
      </div>
    </Card>
  )
}

function priceError(name: string, value: number | undefined): string | undefined {
  if (value === undefined) return 'Enter a number, e.g. 12.50.'
  return name === 'fee' && value > MAX_FEE_BASIS_POINTS ? 'Enter at most 100.' : undefined
}

function BuyResult({
  net,
  netLow,
  roiPct,
  offers,
}: {
  net: number
  netLow: number | null
  roiPct: number
  offers: Offer[]
}) {
  const maxPrice = maxBuyPrice(net, roiPct)
  const conservativeMax = netLow === null ? null : maxBuyPrice(netLow, roiPct)
  return (
    <div>
      <p className="text-lg">
        {maxPrice === null ? (
          'After fees and shipping, there’s no price that hits your target.'
        ) : (
          <>
            Pay up to{' '}
            <strong className="text-2xl tracking-tight text-accent">
              <Money cents={maxPrice} />
            </strong>{' '}
            to reach {roiPct}% ROI.
          </>
        )}
      </p>
      <p className="mb-3 text-sm text-ink-soft">
        You’d net <Money cents={net} /> per sale.
        {conservativeMax !== null && (
          <>
            {' '}
            Conservative (low end of range): <Money cents={conservativeMax} />.
          </>
        )}
      </p>
      {offers.length > 0 && (
        <Table
          caption="Current offers"
          rows={offers}
          rowKey={(offer) => offer.source}
          columns={[
            { key: 'from', title: 'Offer', cell: (offer) => offer.source },
            { key: 'price', title: 'Price', right: true, cell: (offer) => <Money cents={offer.price} /> },
            {
              key: 'profit',
              title: 'Profit',
              right: true,
              cell: (offer) => <Delta cents={evaluateDeal(offer.price, net).profit} />,
            },
            {
              key: 'roi',
              title: 'ROI',
              right: true,
              cell: (offer) => <Roi pct={evaluateDeal(offer.price, net).roiPct} />,
            },
            {
              key: 'verdict',
              title: 'Verdict',
              right: true,
              cell: (offer) =>
                maxPrice !== null && offer.price <= maxPrice ? (
                  <Badge tone="gain">Buy</Badge>
                ) : (
                  <Badge>Too expensive</Badge>
                ),
            },
          ]}
        />
      )}
    </div>
  )
}

function Roi({ pct }: { pct: number | null }) {
  return <Delta ratio={pct === null ? null : pct / 100} />
}
