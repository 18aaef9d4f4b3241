import { useState } from 'react'
import { Form, useSearchParams } from 'react-router'
import { dealAt, highestBuy, netOf } from '@brickmark/core/portfolio/buy-price'
import { readPrice } from '@brickmark/core/portfolio/lot'
import { Badge } from './badge.tsx'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { Field } from './field.tsx'
import { Delta, Money } from './money.tsx'
import { Table } from './table.tsx'

export type Offer = { from: string; price: number }

/** What a marketplace keeps of a sale: a share in basis points and a fixed part in cents. */
export type UsualFees = { share: number; fixed: number }

/**
 * What one could pay for a set and still make the return one wants, with what is asked now beside it. With script it
 * follows every key; without it the button asks the server, which computes the same.
 */
export function BuyCard({
  value,
  low,
  offers,
  fees,
}: {
  value: number
  low: number | null
  offers: Offer[]
  /** What the fields begin with; whoever sells elsewhere types their own. */
  fees: UsualFees
}) {
  const [search] = useSearchParams()
  const begin = {
    sell: (value / 100).toFixed(2),
    roi: '30',
    fee: (fees.share / 100).toFixed(2),
    fixed: (fees.fixed / 100).toFixed(2),
    ship: '0',
  }
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(Object.entries(begin).map(([name, text]) => [name, search.get(name) ?? text])),
  )
  const fields = Object.fromEntries(Object.keys(begin).map((name) => [name, readPrice(typed[name] ?? '')]))
  const { sell, roi, fee, fixed, ship } = fields
  const field = (name: string, label: string) => ({
    name,
    label,
    inputMode: 'decimal' as const,
    required: true,
    value: typed[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => setTyped({ ...typed, [name]: event.target.value }),
    error: fields[name] === undefined ? 'A number like 12.50.' : undefined,
  })
  return (
    <Card title="Should you buy it?">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)]">
        <Form preventScrollReset className="grid content-start gap-3">
          {search.has('condition') && <input type="hidden" name="condition" value={search.get('condition')!} />}
          <div className="grid grid-cols-2 gap-3">
            <Field {...field('roi', 'Return wanted, %')} />
            <Field {...field('sell', 'You sell it for, $')} />
            <Field {...field('fee', 'Fees, %')} />
            <Field {...field('fixed', 'Fixed fee, $')} />
            <Field {...field('ship', 'Shipping, $')} />
            <div className="self-end">
              <Button>Work it out</Button>
            </div>
          </div>
        </Form>
        {sell !== undefined && roi !== undefined && fee !== undefined && fixed !== undefined && ship !== undefined ? (
          <Answer
            net={netOf(sell, { feeBasisPoints: fee, fixedFee: fixed, shipping: ship })}
            netLow={low === null ? null : netOf(low, { feeBasisPoints: fee, fixedFee: fixed, shipping: ship })}
            roiPct={roi / 100}
            offers={offers}
          />
        ) : (
          <p className="text-ink-soft">Fill in all fields to see what you could pay.</p>
        )}
      </div>
    </Card>
  )
}

function Answer({
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
  const most = highestBuy(net, roiPct)
  const safe = netLow === null ? null : highestBuy(netLow, roiPct)
  return (
    <div>
      <p className="text-lg">
        {most === null ? (
          'Fees and shipping leave nothing to buy it with.'
        ) : (
          <>
            Pay at most{' '}
            <strong className="text-2xl tracking-tight text-accent">
              <Money cents={most} />
            </strong>{' '}
            for your {roiPct} % ROI.
          </>
        )}
      </p>
      <p className="mb-3 text-sm text-ink-soft">
        A sale leaves you <Money cents={net} />.
        {safe !== null && (
          <>
            {' '}
            To be safe at the low end of the range: <Money cents={safe} />.
          </>
        )}
      </p>
      {offers.length > 0 && (
        <Table
          caption="What is asked now"
          rows={offers}
          rowKey={(offer) => offer.from}
          columns={[
            { key: 'from', title: 'Bought at', cell: (offer) => offer.from },
            { key: 'price', title: 'Price', right: true, cell: (offer) => <Money cents={offer.price} /> },
            {
              key: 'profit',
              title: 'Profit',
              right: true,
              cell: (offer) => <Delta cents={dealAt(offer.price, net).profit} />,
            },
            { key: 'roi', title: 'ROI', right: true, cell: (offer) => <Roi pct={dealAt(offer.price, net).roiPct} /> },
            {
              key: 'verdict',
              title: 'Verdict',
              right: true,
              cell: (offer) =>
                most !== null && offer.price <= most ? <Badge tone="gain">Buy</Badge> : <Badge>Too dear</Badge>,
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
