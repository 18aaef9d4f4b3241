import { sql } from 'kysely'
import type { Condition } from '../catalog/condition.ts'
import { readAs, type Database } from '../db/database.ts'
import { hashShelfToken, shelfToken } from './shelf-token.ts'

/** Returns what a collection's shelf shows and its token; undefined if it isn't shared. */
export async function findShelfSettings(db: Database, accountId: number, collectionId: number, secret: string) {
  const row = await db
    .selectFrom('portfolio.shelf')
    .select(['heading', 'shows_value', 'shows_purchase_date', 'shows_notes', 'salt', 'token_hash'])
    .where('account_id', '=', accountId)
    .where('collection_id', '=', collectionId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const token = shelfToken(secret, row.salt)
  return {
    heading: row.heading,
    showsValue: row.shows_value,
    showsPurchaseDate: row.shows_purchase_date,
    showsNotes: row.shows_notes,
    // After the secret was changed, old links still work but nobody can derive them.
    token: hashShelfToken(token).equals(row.token_hash) ? token : undefined,
  }
}

/**
 * Returns one page of the collection that was shared with this token; undefined if there is none. What its owner didn't choose
 * isn't read.
 */
export async function findShelf(
  db: Database,
  token: string,
  { withValues, limit, offset }: { withValues: boolean; limit: number; offset: number },
) {
  const hash = hashShelfToken(token)
  const { rows } = await sql<{ account_id: number; collection_id: number }>`
    select account_id, collection_id from portfolio.find_shelf(${hash})`.execute(db)
  const [shared] = rows
  if (shared === undefined) return undefined
  const { account_id: accountId, collection_id: collectionId } = shared
  return readAs(db, accountId, async (tx) => {
    const [shelves, lots] = await Promise.all([
      sql<{
        heading: string
        showsValue: boolean
        showsPurchaseDate: boolean
        showsNotes: boolean
        lots: number
        units: number
        value: number | null
        asOf: Date | null
      }>`
        select shelf.heading, shelf.shows_value and ${withValues} as "showsValue",
               shelf.shows_purchase_date as "showsPurchaseDate", shelf.shows_notes as "showsNotes",
               count(lot.id) as lots, coalesce(sum(lot.quantity), 0) as units,
               case when shelf.shows_value and ${withValues}
                 then sum(lot.quantity::bigint * lot.value_cents)::bigint end as value,
               case when shelf.shows_value and ${withValues} then max(lot.calculated_at) end as "asOf"
          from portfolio.shelf
          left join portfolio.lot_item lot
            on lot.account_id = shelf.account_id and lot.collection_id = shelf.collection_id and lot.quantity > 0
         where shelf.account_id = ${accountId} and shelf.collection_id = ${collectionId} and shelf.token_hash = ${hash}
         group by shelf.account_id, shelf.collection_id`.execute(tx),
      sql<{
        item: string
        title: string
        quantity: number
        condition: Condition | null
        value: number | null
        date: string | null
        notes: string | null
      }>`
        select case when lot.custom_name is null then lot.item else 'custom:' end as item, lot.title, lot.quantity, lot.condition,
               case when shelf.shows_value and ${withValues} then lot.value_cents end as value,
               case when shelf.shows_purchase_date then lot.purchase_date end as date,
               case when shelf.shows_notes then lot.notes end as notes
          from portfolio.shelf
          join portfolio.lot_item lot on lot.account_id = shelf.account_id and lot.collection_id = shelf.collection_id
         where shelf.account_id = ${accountId} and shelf.collection_id = ${collectionId} and shelf.token_hash = ${hash}
           and lot.quantity > 0
         order by lot.title, lot.id limit ${limit} offset ${offset}`.execute(tx),
    ])
    const shelf = shelves.rows[0]
    return shelf && { ...shelf, rows: lots.rows }
  })
}
