import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { DB } from '../db/schema.generated.ts'

type ExportTable = { table: string; columns: string[]; order: string[] }

/** Builds an export table; the compiler checks that the columns exist. */
function exportTable<T extends keyof DB>(
  table: T,
  columns: (keyof DB[T] & string)[],
  order: string[] = ['id'],
): ExportTable {
  return { table, columns, order }
}

/**
 * Contents of the account export: per part, an account table and its columns. Columns are listed explicitly so that no
 * secret can slip in. A test compares the list with the database: a new column must be listed here or in the test's
 * list of omitted columns.
 */
export const EXPORT_TABLES: Record<string, ExportTable> = {
  collections: exportTable('portfolio.collection', ['id', 'name', 'description', 'is_default', 'created_at']),
  views: exportTable('portfolio.lot_view', ['id', 'collection_id', 'name', 'query'], ['collection_id', 'id']),
  shared_collections: exportTable(
    'portfolio.shelf',
    ['collection_id', 'heading', 'shows_value', 'shows_purchase_date', 'shows_notes', 'created_at'],
    ['collection_id'],
  ),
  lots: exportTable('portfolio.lot', [
    'id',
    'collection_id',
    'set_number',
    'minifig_number',
    'custom_name',
    'own_value_cents',
    'own_value_date',
    'review_months',
    'condition',
    'status',
    'quantity',
    'purchase_price_cents',
    'purchase_date',
    'notes',
    'import_id',
    'created_at',
    'deleted_at',
  ]),
  sales: exportTable('portfolio.sale', [
    'id',
    'set_number',
    'minifig_number',
    'custom_name',
    'platform',
    'sale_date',
    'quantity',
    'gross_proceeds_cents',
    'platform_fees_cents',
    'payment_fees_cents',
    'shipping_cost_cents',
    'cost_cents',
  ]),
  sale_lots: exportTable('portfolio.sale_lot', ['sale_id', 'lot_id', 'quantity'], ['sale_id', 'lot_id']),
  sale_orders: exportTable(
    'portfolio.sale_order',
    ['platform', 'order_number', 'line', 'sale_id'],
    ['platform', 'order_number', 'line'],
  ),
  watchlist: exportTable('portfolio.watched_item', [
    'id',
    'set_number',
    'minifig_number',
    'target_cents',
    'created_at',
  ]),
  selling_costs: exportTable(
    'portfolio.selling_costs',
    ['fee_basis_points', 'fixed_fee_cents', 'shipping_cents'],
    ['account_id'],
  ),
  alert_rules: exportTable('alert.rule', [
    'id',
    'kind',
    'set_number',
    'minifig_number',
    'collection_id',
    'threshold',
    'is_paused',
    'created_at',
    'watched_item_id',
  ]),
  alerts: exportTable('alert.alert', [
    'id',
    'rule_id',
    'change_id',
    'at',
    'kind',
    'item_kind',
    'item_number',
    'retailer',
    'facts',
  ]),
  alert_email: exportTable(
    'alert.mail_settings',
    ['frequency', 'time_zone', 'quiet_from', 'quiet_to', 'daily_at', 'bounced_at', 'quota_mail'],
    ['account_id'],
  ),
  webhook_endpoints: exportTable('webhook.endpoint', [
    'id',
    'url',
    'created_at',
    'disabled_at',
    'disabled_reason',
    'old_salt_until',
    'last_attempt_at',
    'last_status_code',
  ]),
  webhook_events: exportTable('webhook.event', ['id', 'at', 'type', 'data']),
  webhook_deliveries: exportTable(
    'webhook.delivery',
    ['event_id', 'endpoint_id', 'at', 'status', 'attempts', 'next_attempt_at'],
    ['event_id', 'endpoint_id'],
  ),
  webhook_attempts: exportTable(
    'webhook.attempt',
    ['event_id', 'endpoint_id', 'at', 'duration_ms', 'status_code', 'response'],
    ['event_id', 'endpoint_id', 'at'],
  ),
  push_browsers: exportTable(
    'webhook.push_subscription',
    ['endpoint_id', 'client', 'last_success_at'],
    ['endpoint_id'],
  ),
  imports: exportTable('portfolio.import', [
    'id',
    'status',
    'file_name',
    'fingerprint',
    'content',
    'answers',
    'created_at',
    'imported_at',
    'format',
    'lots',
    'units',
    'skipped',
    'skipped_csv',
    'created_collection_ids',
    'undone_at',
    'kept',
  ]),
  keys: exportTable('account.api_key', ['id', 'name', 'last4', 'slot', 'created_at', 'expires_at', 'revoked_at']),
  last_requests: exportTable(
    'account.api_key_last_request',
    ['api_key_id', 'at', 'request_id', 'request', 'status', 'error_code', 'error_message', 'client'],
    ['api_key_id'],
  ),
  units: exportTable('account.api_key_quota', ['api_key_id', 'day', 'used', 'daily_limit', 'last_at'], ['api_key_id']),
  units_history: exportTable(
    'account.api_key_quota_history',
    ['api_key_id', 'day', 'used', 'daily_limit', 'last_at'],
    ['day', 'api_key_id'],
  ),
  requests: exportTable(
    'account.api_key_usage',
    ['api_key_id', 'day', 'status', 'requests', 'endpoints'],
    ['day', 'api_key_id', 'status'],
  ),
  history: exportTable('account.audit_log', ['id', 'at', 'actor', 'action', 'detail']),
}

/** Returns all data stored about an account and its user, without secrets or hashes of secrets. */
export async function findAccountExport(db: Database, accountId: number, userId: string) {
  const parts: Record<string, unknown[]> = {}
  for (const [name, { table, columns, order }] of Object.entries(EXPORT_TABLES)) {
    const { rows } = await sql`
      select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
       where account_id = ${accountId} order by ${sql.join(order.map((column) => sql.ref(column)))}`.execute(db)
    parts[name] = rows
  }
  const account = await db
    .selectFrom('account.account')
    .select(['id', 'name', 'plan', 'created_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const person = await db
    .selectFrom('auth.user')
    .select(['id', 'name', 'email', 'email_verified', 'image', 'two_factor_enabled', 'operator'])
    .select(['created_at', 'updated_at', 'terms_version', 'terms_accepted_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const sessions = await db
    .selectFrom('auth.session')
    .select(['created_at', 'updated_at', 'expires_at', 'ip_address', 'user_agent'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const devices = await db
    .selectFrom('auth.known_device')
    .select(['created_at', 'last_used_at', 'client'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const passkeys = await db
    .selectFrom('auth.passkey')
    .select(['id', 'name', 'device_type', 'backed_up', 'transports', 'aaguid', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return { account, person, sessions, devices, passkeys, ...parts }
}

/** Counts what deleting the account would delete. */
export async function countAccountRows(db: Database, accountId: number) {
  const { rows } = await sql<{
    collections: number
    lots: number
    units: number
    sales: number
    imports: number
    watched: number
    keys: number
  }>`
    select (select count(*) from portfolio.collection where account_id = ${accountId}) as collections,
           (select count(*) from portfolio.lot where account_id = ${accountId} and quantity > 0) as lots,
           (select coalesce(sum(quantity), 0) from portfolio.lot where account_id = ${accountId}) as units,
           (select count(*) from portfolio.sale where account_id = ${accountId}) as sales,
           (select count(*) from portfolio.import where account_id = ${accountId}) as imports,
           (select count(*) from portfolio.watched_item where account_id = ${accountId}) as watched,
           (select count(*) from account.api_key where account_id = ${accountId} and revoked_at is null
              and (expires_at is null or expires_at > now())) as keys`.execute(db)
  return rows[0]!
}
