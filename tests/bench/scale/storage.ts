import pg from 'pg'

/** Current WAL position of the server, in bytes. */
export async function walBytes(url: string): Promise<number> {
  const [row] = await query<{ bytes: string }>(url, `select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`)
  return Number(row!.bytes)
}

export type Sizes = {
  database_gb: number
  catalog_mb: number
  bytes_per_lot: number
  bytes_per_sale: number
  bytes_per_key: number
  bytes_per_key_and_day: number
}

/** Measures the disk space per row, including indexes and dependent tables. */
export async function measureSizes(url: string): Promise<Sizes> {
  const [row] = await query<Record<keyof Sizes, string>>(
    url,
    `with size as (
       select n.nspname as schema, c.relname as name, pg_total_relation_size(c.oid) as bytes
         from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r'),
     of as (select (select sum(bytes) from size where schema = 'portfolio' and name like 'lot%') as lot,
                   (select sum(bytes) from size where schema = 'portfolio' and name like 'sale%') as sale,
                   (select sum(bytes) from size where schema = 'account' and name in ('api_key', 'api_key_directory', 'api_key_quota')) as key,
                   (select sum(bytes) from size where schema = 'account' and name like 'api_key_quota_history%') as day,
                   (select sum(bytes) from size where schema in ('catalog', 'market')) as catalog)
     select round(pg_database_size(current_database()) / 1e9, 2) as database_gb, round(catalog / 1e6) as catalog_mb,
            round(lot / (select count(*) from portfolio.lot)) as bytes_per_lot,
            round(sale / (select count(*) from portfolio.sale)) as bytes_per_sale,
            round(key / (select count(*) from account.api_key)) as bytes_per_key,
            round(day / (select count(*) from account.api_key_quota_history)) as bytes_per_key_and_day
       from of`,
  )
  return Object.fromEntries(Object.entries(row!).map(([name, value]) => [name, Number(value)])) as Sizes
}

async function query<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}
