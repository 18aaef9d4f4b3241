import { data, redirect } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { findSale } from '@brickmark/core/portfolio/sale-queries'
import { deleteSale } from '@brickmark/core/portfolio/sale-commands'
import { Dialog } from '../ui/dialog.tsx'
import { formatDate } from '../ui/format-date.ts'
import { Form } from '../ui/form.tsx'
import { parseId } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/sale-delete.ts'

export async function loader({ params, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const id = parseId(params.id)
  const sale = await readAs(getServices(context).db, accountId, (tx) => findSale(tx, accountId, id))
  if (!sale) throw data('not found', 404)
  return { id, title: sale.title, date: sale.date, quantity: sale.quantity, fromLots: sale.lots.length > 0 }
}

export async function action({ params, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const id = parseId(params.id)
  const back = await writeAs(getServices(context).db, accountId, (tx) => deleteSale(tx, accountId, id))
  if (back === undefined) throw data('not found', 404)
  return redirect(`/sales?done=deleted&back=${back}`)
}

export default function SaleDelete({ loaderData }: Route.ComponentProps) {
  const { id, title, date, quantity, fromLots } = loaderData
  const units = `${quantity.toLocaleString('en-US')} ${quantity === 1 ? 'unit' : 'units'}`
  return (
    <Dialog title="Delete this sale?" closePath={`/sales/${id}`}>
      <title>Delete sale · Brickmark</title>
      <Form submitLabel="Delete sale" variant="danger">
        <p>
          {units} of {title}, sold on {formatDate(date)}.{' '}
          {fromLots
            ? `The ${quantity === 1 ? 'unit goes' : 'units go'} back to the ${quantity === 1 ? 'lot it' : 'lots they'} came from.`
            : 'It isn’t linked to a lot, so your collections won’t change.'}
        </p>
      </Form>
    </Dialog>
  )
}
