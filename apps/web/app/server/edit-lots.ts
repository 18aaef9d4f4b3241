import { data, type RouterContextProvider } from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { changeLot, changeLots } from '@brickmark/core/portfolio/lot-commands'
import { isCondition } from '@brickmark/core/catalog/condition'
import { isLotStatus, readLot, readPrice } from '@brickmark/core/portfolio/lot'
import { idIn, lotSelectionOf, ownCollectionId, plainText } from './collection.ts'
import { servicesOf, signedIn } from './context.ts'

type Result = { saved: number } | { done: string } | { intent: string; problem: string; status: 400 | 409 }

const STALE = 'Nothing was saved: this lot has changed since you opened it. Look at it, then save again.'

/** Today in UTC, YYYY-MM-DD. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** The last day that has begun anywhere: on which something can have been bought or sold where somebody sits. */
export function lastDay(): string {
  return new Date(Date.now() + FARTHEST_EAST_MS).toISOString().slice(0, 10)
}

const FARTHEST_EAST_MS = 14 * 3_600_000

/** Does what one of the forms of a collection's page asks for. The address says which lot is edited, and the filter. */
export async function changeCollectionLots(
  context: Readonly<RouterContextProvider>,
  id: string | undefined,
  form: FormData,
  search: URLSearchParams,
): Promise<Result> {
  const { accountId } = signedIn(context)
  const { db } = servicesOf(context)
  const field = (name: string) => plainText(form.get(name))
  const intent = field('intent')
  if (intent === 'edit') {
    const lotId = Number(search.get('edit'))
    const lot = readLot(field, lastDay())
    if (typeof lot === 'string') return { intent, problem: lot, status: 400 }
    const seen = field('seen')
    const outcome = await writeAs(db, accountId, async (as) => {
      const brickfolioId = await ownCollectionId(as, accountId, id)
      return Number.isSafeInteger(lotId) ? changeLot(as, accountId, brickfolioId, lotId, { lot, seen }) : 'gone'
    })
    if (outcome === 'gone') throw data('not found', 404)
    if (outcome === 'stale') return { intent, problem: STALE, status: 409 }
    return { saved: lotId }
  }
  if (intent !== 'bulk') return { intent, problem: 'That was not understood.', status: 400 }

  const selection = lotSelectionOf(form, search)
  if ('ids' in selection && selection.ids.length === 0)
    return { intent, problem: 'Tick at least one lot first.', status: 400 }
  const [condition, status, price, moveTo] = ['set-condition', 'set-status', 'set-price', 'move-to'].map(field) as [
    string,
    string,
    string,
    string,
  ]
  const change = {
    condition: isCondition(condition) ? condition : undefined,
    status: isLotStatus(status) ? status : undefined,
    price: readPrice(price),
    moveTo: moveTo === '' ? undefined : idIn(moveTo),
  }
  if (price !== '' && change.price === undefined)
    return { intent, problem: 'The price must be an amount like 12.50.', status: 400 }
  if (Object.values(change).every((one) => one === undefined))
    return { intent, problem: 'Choose what to change.', status: 400 }
  const count = await writeAs(db, accountId, async (as) => {
    const brickfolioId = await ownCollectionId(as, accountId, id)
    if (moveTo !== '') await ownCollectionId(as, accountId, moveTo)
    return changeLots(as, accountId, brickfolioId, selection, change)
  })
  return { done: `${count.toLocaleString('en-US')} ${count === 1 ? 'lot is' : 'lots are'} changed.` }
}
