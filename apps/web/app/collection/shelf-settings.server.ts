import { redirect } from 'react-router'
import { writeAs, type Database } from '@brickmark/core/db/database'
import { appendAuditLog } from '@brickmark/core/account/audit-log-commands'
import { MAX_COLLECTION_NAME } from '@brickmark/core/portfolio/lot'
import { deleteShelf, replaceShelfLink, saveShelf } from '@brickmark/core/portfolio/shelf-commands'
import { findShelfSettings } from '@brickmark/core/portfolio/shelf-queries'
import type { Services } from '../../host/services.ts'
import { cleanText } from '../request/input.server.ts'
import { findCollection, requireOwnedCollection } from './collection.server.ts'

/** What a collection's shelf shows and its link. The link is null if WEB_SECRET was changed since it was made. */
export async function loadShelf(tx: Database, { config }: Services, accountId: number, collectionId: number) {
  const settings = await findShelfSettings(tx, accountId, collectionId, config.secret)
  if (settings === undefined) return null
  const { token, ...shelf } = settings
  return { ...shelf, url: token === undefined ? null : `${config.publicUrl}/shelf/${token}` }
}

/** Handles the forms that share a collection; undefined for any other form of the page. */
export async function changeShelf(
  { db, config }: Services,
  accountId: number,
  { id, form }: { id: string; form: FormData },
): Promise<Response | undefined> {
  const change = CHANGES.get(cleanText(form.get('intent')))
  if (change === undefined) return undefined
  await writeAs(db, accountId, async (tx) => {
    const collectionId = await requireOwnedCollection(tx, accountId, id)
    if (!(await change.run(tx, accountId, collectionId, { form, secret: config.secret }))) return
    const detail = { collection_id: collectionId }
    await appendAuditLog(tx, { accountId, actor: 'owner', action: change.action, detail })
  })
  return redirect(`/collections/${id}/settings`)
}

type Change = (
  tx: Database,
  accountId: number,
  collectionId: number,
  input: { form: FormData; secret: string },
) => Promise<boolean>

const share: Change = async (tx, accountId, collectionId, { form, secret }) => {
  const heading = cleanText(form.get('heading')).slice(0, MAX_COLLECTION_NAME)
  const { collection } = await findCollection(tx, accountId, String(collectionId))
  await saveShelf(tx, accountId, collectionId, {
    secret,
    heading: heading === '' ? collection.name : heading,
    showsValue: form.get('value') === 'yes',
    showsPurchaseDate: form.get('date') === 'yes',
    showsNotes: form.get('notes') === 'yes',
  })
  return true
}

/** By the intent of the form. Returning true means that something changed. */
const CHANGES = new Map<string, { action: string; run: Change }>([
  ['share', { action: 'collection.shared', run: share }],
  [
    'new-link',
    {
      action: 'collection.link-replaced',
      run: (tx, accountId, collectionId, { secret }) => replaceShelfLink(tx, accountId, collectionId, secret),
    },
  ],
  ['unshare', { action: 'collection.unshared', run: deleteShelf }],
])
