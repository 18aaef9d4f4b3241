import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import { issueKey } from '@brickmark/core/account/api-key-commands'
import { addCollection, addLot, addSale, PEPPER } from './fixtures.ts'

type Owner = { accountId: number; userId: string }

/**
 * Adds at least one row for the account to every table that references an account or a user, with `canary` in every
 * text. Requires the set 90001-1 and a user with a password. Returns the account's key.
 */
export async function seedFullAccount(
  db: Database,
  { accountId: account_id, userId: user_id }: Owner,
  canary: string,
): Promise<{ key: string; keyId: number }> {
  const done = { status: 'done', format: 'brickmark', lots: 1, units: 2, skipped: 1, skipped_csv: `row,${canary}` }
  const uploaded = { account_id, file_name: `${canary}.csv`, fingerprint: canary }
  const { id: import_id } = await db
    .insertInto('portfolio.import')
    .values({ ...uploaded, ...done, imported_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: draft_id } = await db
    .insertInto('portfolio.import')
    .values({ ...uploaded, content: `draft ${canary}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = { row_number: 2, state: 'skipped', reason: `Set ${canary} not found`, excerpt: canary }
  await db
    .insertInto('portfolio.import_row')
    .values({ account_id, import_id: draft_id, ...row })
    .execute()
  await db
    .insertInto('portfolio.watched_item')
    .values({ account_id, set_number: '90001-1', target_cents: 100 })
    .execute()
  const item = { item_kind: 'set', item_number: '90001-1', retailer: '' }
  const { id: rule_id } = await db
    .insertInto('alert.rule')
    .values({ account_id, kind: 'price_at_most', set_number: '90001-1', threshold: 101 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('alert.met_rule')
    .values({ account_id, rule_id, ...item, since: new Date() })
    .execute()
  await db
    .insertInto('alert.alert')
    .values({ account_id, rule_id, ...item, kind: 'price_at_most', change_id: 1, at: new Date(), facts: { price: 99 } })
    .execute()
  await db.insertInto('alert.mail_settings').values({ account_id, quiet_from: 22, quiet_to: 7 }).execute()
  await db.insertInto('alert.daily_total').values({ account_id, day: '2026-01-01', saved: 1, left_out: 0 }).execute()
  await db.insertInto('alert.inbox').values({ account_id, read_to: 1 }).execute()
  await db.insertInto('alert.mail_schedule').values({ account_id, first_alert_id: 1 }).execute()
  const { id: endpoint_id } = await db
    .insertInto('webhook.endpoint')
    .values({ account_id, url: `https://hooks.example.com/${canary}`, salt: randomBytes(16) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: event_id } = await db
    .insertInto('webhook.event')
    .values({ account_id, type: 'test', data: {} })
    .returning('id')
    .executeTakeFirstOrThrow()
  const delivery = { account_id, event_id, endpoint_id }
  await db
    .insertInto('webhook.delivery')
    .values({ ...delivery, status: 'delivered', next_attempt_at: null })
    .execute()
  await db
    .insertInto('webhook.attempt')
    .values({ ...delivery, at: new Date(), duration_ms: 1, status_code: 200, response: canary })
    .execute()
  const { id: browser_id } = await db
    .insertInto('webhook.endpoint')
    .values({ account_id, url: `https://push.example.com/${canary}`, salt: Buffer.alloc(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('webhook.push_subscription')
    .values({
      account_id,
      endpoint_id: browser_id,
      p256dh: randomBytes(65),
      auth: randomBytes(16),
      client: canary,
      device_hash: randomBytes(32),
    })
    .execute()
  await db
    .insertInto('portfolio.selling_costs')
    .values({ account_id, fee_basis_points: 1325, fixed_fee_cents: 40, shipping_cents: [0, 0, 0, 0] })
    .execute()
  await db.insertInto('portfolio.form_submission').values({ account_id, token: randomUUID() }).execute()
  const collection_id = await addCollection(db, account_id, { name: `Stock ${canary}`, is_default: true })
  const lot = { account_id, collection_id, set_number: '90001-1', quantity: 2, notes: `bought from ${canary}` }
  await db
    .insertInto('portfolio.lot_view')
    .values({ account_id, collection_id, name: `View ${canary}`.slice(0, 40), query: `q=${canary}` })
    .execute()
  const shows = { shows_value: true, shows_purchase_date: true, shows_notes: true }
  const secrets = { salt: randomBytes(32), token_hash: randomBytes(32) }
  await db
    .insertInto('portfolio.shelf')
    .values({ account_id, collection_id, heading: `Shelf ${canary}`.slice(0, 100), ...shows, ...secrets })
    .execute()
  const lot_id = await addLot(db, { ...lot, import_id, imported_as: canary })
  const sale_id = await addSale(db, { account_id, set_number: '90001-1', cost_cents: 6000 })
  await db.insertInto('portfolio.sale_lot').values({ account_id, sale_id, lot_id, quantity: 1 }).execute()
  const order = { platform: 'ebay', order_number: canary, line: canary }
  await db
    .insertInto('portfolio.sale_order')
    .values({ account_id, sale_id, ...order })
    .execute()
  const { id: keyId, key } = await issueKey(db, [PEPPER], { accountId: account_id, name: `key ${canary}` })
  const notice = { account_id, api_key_id: keyId, day: '2026-01-01', percent: 80 }
  await db.insertInto('account.quota_notice').values(notice).execute()
  await sql`
    insert into account.api_key_quota (account_id, api_key_id, day, used, daily_limit, last_cost, last_count, last_granted)
    values (${account_id}, ${keyId}, (now() at time zone 'utc')::date, 7, 1000, 1, 1, 1)`.execute(db)
  await sql`
    insert into account.api_key_quota_history (account_id, api_key_id, day, used, daily_limit, last_at)
    values (${account_id}, ${keyId}, (now() at time zone 'utc')::date - 1, 5, 1000, now() - interval '1 day')`.execute(
    db,
  )
  const request = { status: 200, requests: 7, at: new Date(), request_id: randomUUID(), request: `GET /${canary}` }
  const notes = JSON.stringify([{ account_id, api_key_id: keyId, ...request, client: canary }])
  await sql`select account.record_requests(${notes})`.execute(db)
  const now = new Date()
  const times = { created_at: now, updated_at: now, expires_at: new Date(now.getTime() + 3_600_000) }
  await db
    .insertInto('auth.session')
    .values({
      id: randomUUID(),
      user_id,
      token: `token ${canary}`,
      user_agent: canary,
      ip_address: '10.1.2.3',
      ...times,
    })
    .execute()
  await db
    .insertInto('auth.verification')
    .values({ id: randomUUID(), identifier: `reset-password:${randomUUID()}`, value: user_id, ...times })
    .execute()
  await db
    .insertInto('auth.two_factor')
    .values({ id: randomUUID(), user_id, secret: `secret ${canary}`, backup_codes: canary })
    .execute()
  const hash = randomBytes(32)
  await db.insertInto('auth.known_device').values({ user_id, device_hash: hash, client: canary }).execute()
  await db.insertInto('auth.used_code').values({ user_id, code_hash: hash }).execute()
  const device = { public_key: canary, credential_id: `device ${canary}`, counter: 0, device_type: 'singleDevice' }
  await db
    .insertInto('auth.passkey')
    .values({ id: randomUUID(), user_id, name: canary, ...device, backed_up: false, created_at: now })
    .execute()
  return { key, keyId }
}

/** Counts the rows of this account and user in every table that references an account or a user by a column. */
export async function countRowsByTable(db: Database, { accountId, userId }: Owner): Promise<Record<string, number>> {
  const { rows: columns } = await sql<{ name: string; column_name: string }>`
    select format('%I.%I', c.table_schema, c.table_name) as name, c.column_name
      from information_schema.columns c
      join pg_class t on t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
     where (c.column_name in ('account_id', 'user_id') or t.oid = 'account.account'::regclass and c.column_name = 'id')
       and t.relkind in ('r', 'p') and not t.relispartition
       and c.table_schema !~ '^pg_' and t.oid <> 'account.deleted_account'::regclass
     order by 1`.execute(db)
  const counts: Record<string, number> = {}
  for (const { name, column_name } of columns) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.raw(name)}
       where ${sql.ref(column_name)}::text in (${String(accountId)}, ${userId})`.execute(db)
    counts[name] = (counts[name] ?? 0) + rows[0]!.count
  }
  return counts
}

/** Returns every row in the database that contains one of these texts in any column. */
export async function findTextAnywhere(db: Database, texts: string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.raw(name)} t where t::text ilike any (${texts.map((text) => `%${text}%`)})`.execute(
      db,
    )
    found.push(...rows.map(({ row }) => `${name}: ${row}`))
  }
  return found
}
