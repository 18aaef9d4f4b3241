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
       insert into source.licence (licence_id, terms) values ($3, $4)
       on conflict (licence_id) do update set terms = excluded.terms returning licence_id)
     insert into source.source (source_id, name, licence_id, rank) select $1, $2, licence_id, $5 from declared
     on conflict (source_id) do update set name = excluded.name, licence_id = excluded.licence_id, rank = excluded.rank`,
    [source, name, licence, terms, rank],
  )
}
