import { data, type RouterContextProvider } from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { confirmOwnValue, updateLot, updateLots } from '@brickmark/core/portfolio/lot-commands'
import { deleteLotView, saveLotView } from '@brickmark/core/portfolio/lot-view-commands'
import { findLotKind } from '@brickmark/core/portfolio/lot-queries'
import { isCondition } from '@brickmark/core/catalog/condition'
import { isLotStatus, parseLot, parsePrice } from '@brickmark/core/portfolio/lot'
import { toViewQuery } from './lot-list.ts'
import { cleanText, parseId } from '../request/input.server.ts'
import { latestPossibleDate } from '../request/today.server.ts'
import { parseLotSelection, requireOwnedCollection } from './collection.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'

type Result =
  | { saved: number }
  | { view: string }
  | { done: string }
  | { intent: string; problem: string; status: 400 | 409 }

const STALE_LOT_ERROR =
  'This lot changed since you opened it, so nothing was saved. Review the latest version and try again.'

/** Handles the forms of a collection page. The URL holds the id of the edited lot and the filter. */
export async function handleLotAction(
  context: Readonly<RouterContextProvider>,
  id: string | undefined,
  form: FormData,
  search: URLSearchParams,
): Promise<Result> {
  const { accountId } = requireUser(context)
  const { db } = getServices(context)
  const field = (name: string) => cleanText(form.get(name))
  const intent = field('intent')
  if (intent === 'edit') {
    const lotId = Number(search.get('edit'))
    const version = field('seen')
    const outcome = await writeAs(db, accountId, async (tx) => {
      const collectionId = await requireOwnedCollection(tx, accountId, id)
      const kind = Number.isSafeInteger(lotId) ? await findLotKind(tx, accountId, lotId) : undefined
      if (kind === undefined) return 'gone'
      const lot = parseLot(field, latestPossibleDate(), kind)
      if (typeof lot === 'string') return { problem: lot }
      return updateLot(tx, accountId, collectionId, lotId, { lot, expectedVersion: version })
    })
    if (typeof outcome === 'object') return { intent, problem: outcome.problem, status: 400 }
    if (outcome === 'gone') throw data('not found', 404)
    if (outcome === 'stale') return { intent, problem: STALE_LOT_ERROR, status: 409 }
    return { saved: lotId }
  }
  if (intent === 'confirm-value') {
    const lotId = parseId(field('confirmed'))
    await writeAs(db, accountId, async (tx) =>
      confirmOwnValue(tx, accountId, await requireOwnedCollection(tx, accountId, id), lotId),
    )
    return { saved: lotId }
  }
  if (intent === 'save-view') {
    const query = toViewQuery(search)
    const problem = await writeAs(db, accountId, async (tx) =>
      saveLotView(tx, accountId, await requireOwnedCollection(tx, accountId, id), { name: field('view-name'), query }),
    )
    return problem === undefined ? { view: query } : { intent, problem, status: 400 }
  }
  if (intent === 'delete-view') {
    const view = parseId(field('view'))
    await writeAs(db, accountId, async (tx) =>
      deleteLotView(tx, accountId, await requireOwnedCollection(tx, accountId, id), view),
    )
    return { view: '' }
  }
  if (intent !== 'bulk') return { intent, problem: 'Something went wrong. Please try again.', status: 400 }

  const selection = parseLotSelection(form, search)
  if ('ids' in selection && selection.ids.length === 0)
    return { intent, problem: 'Select at least one lot.', status: 400 }
  const [condition, status, price, moveTo] = ['set-condition', 'set-status', 'set-price', 'move-to'].map(field) as [
    string,
    string,
    string,
    string,
  ]
  const change = {
    condition: isCondition(condition) ? condition : undefined,
    status: isLotStatus(status) ? status : undefined,
    price: parsePrice(price),
    moveTo: moveTo === '' ? undefined : parseId(moveTo),
  }
  if (price !== '' && change.price === undefined)
    return { intent, problem: 'Enter a valid price, e.g. 12.50.', status: 400 }
  if (Object.values(change).every((value) => value === undefined))
    return { intent, problem: 'Choose at least one change.', status: 400 }
  const count = await writeAs(db, accountId, async (tx) => {
    const collectionId = await requireOwnedCollection(tx, accountId, id)
    if (moveTo !== '') await requireOwnedCollection(tx, accountId, moveTo)
    return updateLots(tx, accountId, collectionId, selection, change)
  })
  return { done: `${count.toLocaleString('en-US')} ${count === 1 ? 'lot' : 'lots'} updated.` }
}
