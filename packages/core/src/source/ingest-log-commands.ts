import type pg from 'pg'

export type IngestCounts = { accepted: number; repeated: number; quarantined: number }

/** Inserts the log entry of an ingest; `closeIngestLog` fills in the counts in the same transaction. */
export async function openIngestLog(
  client: pg.ClientBase,
  { feed, fileName }: { feed: string; fileName: string },
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `insert into source.import (feed, file_name, fingerprint, accepted, repeated, quarantined)
     values ($1, $2, '', 0, 0, 0) returning id`,
    [feed, fileName],
  )
  return rows[0]!.id
}

export async function closeIngestLog(
  client: pg.ClientBase,
  importId: number,
  counts: IngestCounts,
  fingerprint: string,
): Promise<void> {
  await client.query(
    `update source.import set accepted = $2, repeated = $3, quarantined = $4, fingerprint = $5, finished_at = now()
      where id = $1`,
    [importId, counts.accepted, counts.repeated, counts.quarantined, fingerprint],
  )
}

/** Keeps the staged rows of an import, which waits for an operator. */
export async function holdStagedRows(client: pg.ClientBase, importId: number, reason: string): Promise<void> {
  await client.query(
    `insert into source.held_row (import_id, row_number, staged)
     select $1, row_number, to_jsonb(staged) - 'reason' - 'raw' - 'row_number' from staged where reason is null`,
    [importId],
  )
  await client.query('update source.import set held_at = now(), held_reason = $2 where id = $1', [importId, reason])
}

/** Moves rejected staged rows to the quarantine; returns how many. */
export async function quarantineRejectedRows(client: pg.ClientBase, importId: number, feed: string): Promise<number> {
  const { rowCount } = await client.query(
    `insert into source.quarantine (import_id, feed, row_number, reason, raw, staged)
     select $1, $2, row_number, reason, raw, case when raw is null then to_jsonb(staged) - 'reason' - 'raw' end
       from staged where reason is not null order by row_number`,
    [importId, feed],
  )
  return rowCount ?? 0
}

/** Rejects staged rows whose source is undeclared, withdrawn or declared under another license. */
export async function rejectUnknownSources(client: pg.ClientBase): Promise<void> {
  await client.query(`
    update staged set reason = case
        when not exists (select from source.source s where s.id = staged.source_id)
          then format('source %s is not declared; declare it with ops source add', staged.source_id)
        when exists (select from source.source s where s.id = staged.source_id and s.withdrawn_at is not null)
          then format('source %s was withdrawn', staged.source_id)
        else format('license %s is not the one source %s is declared under', staged.license_id, staged.source_id) end
     where reason is null
       and not exists (select from source.source s
                        where s.id = staged.source_id and s.license_id = staged.license_id and s.withdrawn_at is null)`)
}
