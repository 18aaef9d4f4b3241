import { redirect, type RouterContextProvider } from 'react-router'
import { readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { describeExceededLimit } from '@brickmark/core/portfolio/account-limit-queries'
import { findCollections } from '@brickmark/core/portfolio/collection-queries'
import { submitOnce } from '@brickmark/core/portfolio/form-submission-commands'
import type { ItemKind } from '@brickmark/core/portfolio/item'
import { addLot, type CatalogItem } from '@brickmark/core/portfolio/lot-commands'
import { parseLot } from '@brickmark/core/portfolio/lot'
import { actionError } from '../request/action-result.server.ts'
import { requireOwnedCollection } from './collection.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { newSubmission, readSubmission } from '../request/form.server.ts'
import { cleanText } from '../request/input.server.ts'
import { latestPossibleDate, today } from '../request/today.server.ts'

type Context = Readonly<RouterContextProvider>

/** Loads what every form that adds a lot needs: the collection, the days and a token. Throws 404 for a foreign collection. */
export async function loadAddForm(context: Context, collectionId: string | undefined) {
  const { accountId } = requireUser(context)
  const { id, name } = await readAs(getServices(context).db, accountId, async (tx) => {
    const id = await requireOwnedCollection(tx, accountId, collectionId)
    return (await findCollections(tx, accountId)).find((collection) => collection.id === id)!
  })
  return { id, name, today: today(), maxDate: latestPossibleDate(), submission: newSubmission() }
}

/** Adds the lot of a submitted form. `findItem` returns the item of the catalog that it names, or a message if there is none. */
export async function submitLot(
  context: Context,
  collectionId: string | undefined,
  form: FormData,
  kind: ItemKind,
  findItem: (tx: Database, field: (name: string) => string) => Promise<CatalogItem | undefined | string>,
) {
  const { accountId } = requireUser(context)
  const field = (name: string) => cleanText(form.get(name))
  const lot = parseLot(field, latestPossibleDate(), kind)
  const result = await writeAs(getServices(context).db, accountId, async (tx) => {
    const id = await requireOwnedCollection(tx, accountId, collectionId)
    const item = await findItem(tx, field)
    if (typeof item === 'string') return item
    if (typeof lot === 'string') return lot
    return submitOnce(tx, accountId, readSubmission(form), async () => {
      const exceeded = await describeExceededLimit(tx, accountId, 'lots', 1)
      return exceeded ?? addLot(tx, accountId, id, item, lot)
    })
  })
  if (typeof result === 'string') return actionError(result)
  if (field('next') === 'scan')
    return redirect(`/collections/${collectionId}/add${result === undefined ? '' : `?after=${result}`}`)
  return redirect(`/collections/${collectionId}${result === undefined ? '' : `#lot-${result}`}`)
}
