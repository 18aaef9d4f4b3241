import {
  data,
  Outlet,
  redirect,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { findSellingFees } from '@brickmark/core/market/fee-schedule-queries'
import { findSale } from '@brickmark/core/portfolio/ledger-sale-queries'
import { changeSale } from '@brickmark/core/portfolio/ledger-sale-commands'
import { readSale } from '@brickmark/core/portfolio/sale-form'
import { ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Page } from '../components/page.tsx'
import { SaleForm } from '../components/sale-form.tsx'
import { lastDay } from '../server/edit-lots.ts'
import { idIn, plainText } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'
import { findSaleSurroundings, typedSaleOf, type TypedSale } from '../server/sales.ts'

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  return readAs(servicesOf(context).db, accountId, async (as) => {
    const sale = await findSale(as, accountId, idIn(params['id']))
    if (!sale) throw data('not found', 404)
    const surroundings = await findSaleSurroundings(as, accountId, sale.set_number, sale.id)
    const typed: TypedSale = {
      platform: sale.platform,
      date: sale.sale_date,
      quantity: String(sale.quantity),
      gross: sale.gross_proceeds_usd,
      'platform-fees': sale.platform_fees_usd,
      'payment-fees': sale.payment_fees_usd,
      shipping: sale.shipping_cost_usd,
      lot: sale.lots.length === 0 ? 'none' : 'kept',
      cost: sale.lots.length === 0 ? (sale.cost_usd ?? '') : '',
    }
    return {
      id: sale.id,
      number: sale.set_number,
      title: sale.title,
      typed,
      version: sale.version,
      surroundings: { ...surroundings, kept: sale.lots },
    }
  })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { accountId } = signedIn(context)
  const id = idIn(params['id'])
  const form = await request.formData()
  const typed = typedSaleOf(form)
  if (form.get('intent') === 'preview') return { typed, problem: undefined }
  const outcome = await writeAs(servicesOf(context).db, accountId, async (as) => {
    const fees = await findSellingFees(as)
    const kept = (await findSale(as, accountId, id))?.lots ?? []
    return changeSale(as, accountId, id, plainText(form.get('seen')), (lots) =>
      readSale((name) => typed[name], { lots, kept, fees, today: lastDay() }),
    )
  })
  if (outcome === undefined) throw data('not found', 404)
  return typeof outcome === 'string' ? data({ typed, problem: outcome }, 400) : redirect('/sales?done=changed')
}

export default function Sale() {
  const { id, number, title, typed, version, surroundings } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  return (
    <Page
      title="Edit a sale"
      actions={
        <>
          <ButtonLink to="/sales">All sales</ButtonLink>
          <ButtonLink to={`/sales/${id}/delete`} look="danger" preventScrollReset>
            Delete…
          </ButtonLink>
        </>
      }
    >
      <title>Edit a sale · Brickmark</title>
      <Card title={`${number} ${title}`}>
        <SaleForm
          key={id}
          typed={result?.typed ?? typed}
          seen={version}
          surroundings={surroundings}
          submit="Save"
          problem={result?.problem}
        />
      </Card>
      <Outlet />
    </Page>
  )
}
