import type pg from 'pg'

/** Declares a data source and its license; rows from undeclared sources are rejected. */
export async function declareSource(
  pool: pg.Pool,
  {
    source,
    name,
    licence,
    terms,
    rank,
  }: { source: string; name: string; licence: string; terms: string; rank: number },
): Promise<void> {
  await pool.query(
    `with declared as (
       insert into source.licence (id, terms) values ($3, $4)
       on conflict (id) do update set terms = excluded.terms returning id)
     insert into source.source (id, name, licence_id, rank) select $1, $2, id, $5 from declared
     on conflict (id) do update set name = excluded.name, licence_id = excluded.licence_id, rank = excluded.rank`,
    [source, name, licence, terms, rank],
  )
}
