import { data, Outlet, redirect } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { findSellingFees } from '@brickmark/core/market/fees/fee-schedule-queries'
import { findSale } from '@brickmark/core/portfolio/sale-queries'
import { updateSale } from '@brickmark/core/portfolio/sale-commands'
import { parseSale } from '@brickmark/core/portfolio/sale-form'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Page } from '../ui/page.tsx'
import { itemName } from '../ui/item-link.tsx'
import { SaleForm } from './sale-form.tsx'
import { latestPossibleDate } from '../request/today.server.ts'
import { formatDecimal } from '@brickmark/core/primitives/money'
import { parseId, cleanText } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { loadSaleFormContext, readSaleForm, type SaleFormValues } from './sales.server.ts'
import type { Route } from './+types/sale.ts'

export async function loader({ params, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  return readAs(getServices(context).db, accountId, async (tx) => {
    const sale = await findSale(tx, accountId, parseId(params.id))
    if (!sale) throw data('not found', 404)
    const formContext = await loadSaleFormContext(tx, accountId, sale.item, sale.id)
    const values: SaleFormValues = {
      platform: sale.platform,
      date: sale.date,
      quantity: String(sale.quantity),
      gross: formatDecimal(sale.gross),
      'platform-fees': formatDecimal(sale.platformFees),
      'payment-fees': formatDecimal(sale.paymentFees),
      shipping: formatDecimal(sale.shipping),
      lot: sale.lots.length === 0 ? 'none' : 'kept',
      cost: sale.lots.length === 0 && sale.cost !== null ? formatDecimal(sale.cost) : '',
    }
    return {
      id: sale.id,
      name: itemName(sale.item, sale.title),
      values,
      version: sale.version,
      formContext: { ...formContext, previousLotIds: sale.lots },
    }
  })
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const id = parseId(params.id)
  const form = await request.formData()
  const values = readSaleForm(form)
  if (form.get('intent') === 'preview') return { values, error: undefined }
  const result = await writeAs(getServices(context).db, accountId, async (tx) => {
    const fees = await findSellingFees(tx)
    const currentLots = (await findSale(tx, accountId, id))?.lots ?? []
    return updateSale(tx, accountId, id, cleanText(form.get('seen')), (lots) =>
      parseSale((name) => values[name], { lots, previousLotIds: currentLots, fees, today: latestPossibleDate() }),
    )
  })
  if (result === undefined) throw data('not found', 404)
  return typeof result === 'string' ? data({ values, error: result }, 400) : redirect('/sales?done=changed')
}

export default function Sale({ loaderData, actionData: result }: Route.ComponentProps) {
  const { id, name, values, version, formContext } = loaderData
  return (
    <Page
      title="Edit sale"
      actions={
        <>
          <ButtonLink to="/sales">All sales</ButtonLink>
          <ButtonLink to={`/sales/${id}/delete`} variant="danger" preventScrollReset>
            Delete…
          </ButtonLink>
        </>
      }
    >
      <title>Edit sale · Brickmark</title>
      <Card title={name}>
        <SaleForm
          key={id}
          values={result?.values ?? values}
          version={version}
          formContext={formContext}
          submit="Save"
          error={result?.error}
        />
      </Card>
      <Outlet />
    </Page>
  )
}
