import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import { createTestAccount, type TestAccount } from '../support/fixtures.ts'

const LOTS = 100
const SALES = 40

/** Seeds accounts with one key (2 billion credits per day), one collection, 100 lots and 40 sales. */
export async function seedAccounts(db: Database, count: number): Promise<TestAccount[]> {
  await sql`insert into account.plan values ('bench', true, 2000000000)`.execute(db)
  const accounts: TestAccount[] = []
  while (accounts.length < count) {
    accounts.push(...(await Promise.all([1, 2, 3, 4].map(() => createTestAccount(db, { plan: 'bench' })))))
  }
  await sql`insert into portfolio.collection (account_id, name, is_default) select id, 'Stock', true from account.account`.execute(
    db,
  )
  await sql`
    insert into portfolio.lot (account_id, collection_id, set_number, condition, quantity, purchase_price_cents, purchase_date)
    select c.account_id, c.id, s.set_number, case when n % 3 = 0 then 'used' else 'sealed' end, 1 + n % 3, 2000 + 100 * n,
           current_date - 30 - n * 11
      from portfolio.collection c, generate_series(1, ${LOTS}::integer) n
      join (select set_number, row_number() over (order by set_number) as place, count(*) over () as many from catalog.set) s
        on s.place = 1 + (n * 37) % s.many`.execute(db)
  await sql`
    insert into portfolio.sale (account_id, set_number, platform, sale_date, quantity, gross_proceeds_cents, platform_fees_cents, cost_cents)
    select account_id, set_number, 'ebay', purchase_date + 20, 1, purchase_price_cents * 7 / 5, 350, purchase_price_cents
      from (select *, row_number() over (partition by account_id order by id) as place from portfolio.lot) l
     where place <= ${SALES}::integer`.execute(db)
  await sql`
    insert into portfolio.sale_lot (account_id, sale_id, lot_id, quantity)
    select s.account_id, s.id, l.id, 1
      from portfolio.sale s
      join portfolio.lot l on l.account_id = s.account_id and l.set_number = s.set_number
       and l.purchase_date + 20 = s.sale_date`.execute(db)
  await sql`vacuum analyze`.execute(db)
  return accounts
}
