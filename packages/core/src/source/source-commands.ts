import type pg from 'pg'

/** Declares a data source and its license; rows from undeclared sources are rejected. */
export async function declareSource(
  pool: pg.Pool,
  {
    source,
    name,
    license,
    terms,
    rank,
  }: { source: string; name: string; license: string; terms: string; rank: number },
): Promise<void> {
  await pool.query(
    `with declared as (
       insert into source.license (id, terms) values ($3, $4)
       on conflict (id) do update set terms = excluded.terms returning id)
     insert into source.source (id, name, license_id, rank) select $1, $2, id, $5 from declared
     on conflict (id) do update set name = excluded.name, license_id = excluded.license_id, rank = excluded.rank`,
    [source, name, license, terms, rank],
  )
}
