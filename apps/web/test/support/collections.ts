import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import type { Database } from '@brickmark/core/db/database'
import { issueKey } from '@brickmark/core/account/api-key-commands'
import { addCollection, addLot, addSet, addValue, PEPPER } from '@brickmark/tests/support/fixtures'
import type { TestWeb } from './web.ts'

/**
 * Seeds a small synthetic catalog: values in both conditions, one set without a value, one number with several
 * variants.
 */
export async function seedCatalog(db: Database): Promise<void> {
  await addSet(db, {
    set_number: '90001-1',
    title: 'Tidewater Lighthouse',
    release_date: '2023-03-01',
    msrp_cents: 7999,
    upc: '673419000017',
    ean: '5702019000013',
  })
  await addSet(db, { set_number: '90002-1', title: 'Café at the Corner', theme: 'Town' })
  await addSet(db, { set_number: '90003-1', title: 'Unvalued Ferry' })
  for (const variant of [1, 2, 3]) {
    await addSet(db, { set_number: `90010-${variant}`, title: `Mystery Figure ${variant}`, theme: 'Figures' })
    await addValue(db, {
      set_number: `90010-${variant}`,
      value_cents: 800,
      range_low_cents: 500,
      range_high_cents: 900,
    })
  }
  await addValue(db, { set_number: '90001-1', value_cents: 11240 })
  await addValue(db, { set_number: '90001-1', condition: 'used', value_cents: 8110, range_high_cents: 9900 })
  await addValue(db, { set_number: '90002-1', value_cents: 9005 })
}

/** Adds 2,500 sets with a value, 10001-1 to 12500-1, for accounts with thousands of lots. */
export async function addManySets(db: Database): Promise<void> {
  await sql`
    insert into catalog.set (set_number, title, theme)
    select n || '-1', 'Invented set ' || n, 'Bulk' from generate_series(10001, 12500) n`.execute(db)
  await sql`
    insert into market.set_value (set_number, condition, value_cents, range_low_cents, range_high_cents, data_tier, calculated_at)
    select n || '-1', 'sealed', n, 100, 100000, 'market', now() from generate_series(10001, 12500) n`.execute(db)
}

/** Seeds two collections with gains, losses, a gift, a lot without a value and a sold-out lot. */
export async function seedAccount(db: Database, { accountId: account_id }: { accountId: number }) {
  const stock = await addCollection(db, account_id, { name: 'Stock', is_default: true })
  const shelf = await addCollection(db, account_id, { name: 'Shelf' })
  const lot = { account_id, collection_id: stock, set_number: '90001-1' }
  const first = await addLot(db, { ...lot, quantity: 2, purchase_price_cents: 6450, notes: 'box dented' })
  await addLot(db, { ...lot, status: 'listed', purchase_price_cents: 0 })
  await addLot(db, { ...lot, condition: 'used', quantity: 3, purchase_price_cents: 10001 })
  await addLot(db, { ...lot, set_number: '90003-1', purchase_price_cents: 1200 })
  const sold = await addLot(db, { ...lot, quantity: 0, purchase_price_cents: 100 })
  await addLot(db, { ...lot, collection_id: shelf, set_number: '90002-1', purchase_price_cents: 9005 })
  return { stock, shelf, first, sold }
}

/** Creates an API key for the account, to compare a page with the API. */
export async function createApiKey(web: TestWeb, accountId: number): Promise<string> {
  const { key } = await issueKey(web.db, [PEPPER], { accountId, name: 'test' })
  return key
}

/** Reads a table as one record per row, from column title to cell text. */
export async function readTable(page: Page, caption: string): Promise<Record<string, string>[]> {
  const table = page.getByRole('table', { name: caption })
  const cells = await table.evaluate((element) =>
    [...element.querySelectorAll('tr')].map((row) =>
      [...row.querySelectorAll<HTMLElement>('th, td')].map((cell) => cell.innerText),
    ),
  )
  const [titles = [], ...rows] = cells
  return rows.map((row) =>
    Object.fromEntries(titles.map((title, index) => [title.replace(/ [↑↓]$/, ''), row[index]?.trim() ?? ''])),
  )
}

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'never' })

/** Formats an amount from the API as the page must show it. */
export function formatMoney(usd: number | null): string {
  return usd === null ? '—\nNot available' : DOLLARS.format(usd)
}

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a date from the API as the page must show it. */
export function formatDay(date: string): string {
  return DATE.format(new Date(date))
}

/** Formats a gain from the API as the page must show it. */
export function formatGain(usd: number | null): string {
  return usd === null ? formatMoney(null) : withSign(usd, DOLLARS.format(Math.abs(usd)))
}

/** Formats a percentage from the API as the page must show it. */
export function formatPercent(pct: number): string {
  return withSign(pct, PERCENT.format(Math.abs(pct) / 100))
}

function withSign(number: number, text: string): string {
  return number > 0 ? `▲+${text}` : number < 0 ? `▼−${text}` : `±${text}`
}

/** Returns all lots of an account as stored. */
export function findLots(db: Database, accountId: number) {
  return db.selectFrom('portfolio.lot').selectAll().where('account_id', '=', accountId).orderBy('id').execute()
}
