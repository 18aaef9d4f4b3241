import type pg from 'pg'
import { CLAIMED_MINIFIG, CLAIMED_SET, type ClaimedItem } from './catalog-claim.ts'

/** The claims that may be kept and shown today: those of sources in use, under licenses that allow it. */
const SHOWN_CLAIM = `
  source.withdrawn_at is null and license.shown
  and (license.max_display_age is null or claim.stated_on + license.max_display_age >= current_date)
  and (license.retention is null or claim.stated_on + license.retention >= current_date)`

const JOIN_LICENSE = `
  join source.source on source.id = claim.source_id
  join source.license on license.id = source.license_id`

/**
 * Lets one transaction at a time change claims: of two at once, each would resolve an item without what the other hasn't
 * committed yet. Comes first in a transaction, before any row is locked.
 */
export async function lockClaims(client: pg.ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('catalog claims', 0))`)
}

/**
 * Saves the staged rows of a kind as claims of their sources and resolves the items they changed. A blank attribute keeps
 * what its source said before; a row that is older than its source's last changes nothing. Returns how many claims
 * changed.
 */
export async function saveClaims(client: pg.ClientBase, record: 'set' | 'minifig'): Promise<number> {
  const item = record === 'set' ? CLAIMED_SET : CLAIMED_MINIFIG
  const { key, claims, attributes } = item
  const names = Object.keys(attributes)
  const values = Object.entries(attributes).map(([name, type]) => `${name}::${type}`)
  const merged = names.map((name) => `coalesce(excluded.${name}, t.${name})`)
  await createTouched(client)
  const { rowCount } = await client.query(`
    with saved as (
      insert into ${claims} as t (${key}, source_id, stated_on, ${names.join(', ')})
      select distinct on (${key}, source_id) ${key}, source_id, coalesce(stated_on::date, current_date), ${values.join(', ')}
        from staged where reason is null and record = '${record}'
       order by ${key}, source_id, row_number desc
      on conflict (${key}, source_id) do update
        set stated_on = excluded.stated_on, ${names.map((name, index) => `${name} = ${merged[index]}`).join(', ')}
      where excluded.stated_on >= t.stated_on
        and (t.stated_on, ${names.map((name) => `t.${name}`).join(', ')}) is distinct from (excluded.stated_on, ${merged.join(', ')})
      returning ${key})
    insert into touched select ${key} from saved`)
  await resolveTouched(client, item)
  return rowCount ?? 0
}

/**
 * Does the same for the contents of sets. Contents that a source stated on an earlier day than the new ones are replaced: a
 * minifig that it no longer lists is gone.
 */
export async function saveContentClaims(client: pg.ClientBase): Promise<number> {
  await createTouched(client)
  await client.query(`
    with newest as (
      select set_number, source_id, max(coalesce(stated_on::date, current_date)) as stated_on
        from staged where reason is null and record = 'contains' group by set_number, source_id),
    replaced as (
      delete from source.set_minifig_claim t using newest n
       where t.set_number = n.set_number and t.source_id = n.source_id and t.stated_on < n.stated_on
         and not exists (select from staged s
                          where s.reason is null and s.record = 'contains' and s.set_number = t.set_number
                            and s.source_id = t.source_id and s.minifig_number = t.minifig_number)
      returning t.set_number)
    insert into touched select distinct set_number from replaced`)
  const { rowCount } = await client.query(`
    with saved as (
      insert into source.set_minifig_claim as t (set_number, minifig_number, source_id, stated_on, quantity)
      select distinct on (set_number, minifig_number, source_id)
             set_number, minifig_number, source_id, coalesce(stated_on::date, current_date), quantity::integer
        from staged where reason is null and record = 'contains'
         and not exists (select from source.set_minifig_claim later
                          where later.set_number = staged.set_number and later.source_id = staged.source_id
                            and later.stated_on > coalesce(staged.stated_on::date, current_date))
       order by set_number, minifig_number, source_id, row_number desc
      on conflict (set_number, source_id, minifig_number) do update
        set stated_on = excluded.stated_on, quantity = excluded.quantity
      where excluded.stated_on >= t.stated_on
        and (t.stated_on, t.quantity) is distinct from (excluded.stated_on, excluded.quantity)
      returning set_number)
    insert into touched select set_number from saved`)
  await resolveTouchedContents(client)
  return rowCount ?? 0
}

/** Resolves the claims about some items again, after claims were deleted or what their licenses allow has changed. */
export async function resolveClaims(
  client: pg.ClientBase,
  { sets, minifigs }: { sets: string[]; minifigs: string[] },
): Promise<void> {
  await createTouched(client, sets)
  await resolveTouched(client, CLAIMED_SET)
  await resolveTouchedContents(client)
  await createTouched(client, minifigs)
  await resolveTouched(client, CLAIMED_MINIFIG)
}

async function createTouched(client: pg.ClientBase, numbers: string[] = []): Promise<void> {
  await client.query('drop table if exists touched')
  await client.query('create temporary table touched (number text) on commit drop')
  if (numbers.length > 0) await client.query('insert into touched select unnest($1::text[])', [numbers])
}

/**
 * Sets every attribute of the touched items to the claim of the source with the highest rank, and records which source that
 * is. An attribute that no source claims any longer becomes blank. An attribute that was stored before origins were
 * stays until a source claims it.
 */
async function resolveTouched(
  client: pg.ClientBase,
  { key, claims, catalog, origins, attributes, placeholders }: ClaimedItem,
): Promise<void> {
  const names = Object.keys(attributes)
  const winner = (name: string, what: string) =>
    `(array_agg(${what} order by position) filter (where ${name} is not null))[1]`
  const picked = names.map((name) => `${winner(name, name)} as ${name}`)
  const origin = names.map(
    (name) => `'${name}', ${winner(name, `jsonb_build_object('source', source_id, 'on', stated_on)`)}`,
  )
  const resolved = names.map((name) => {
    const stored = `case when not coalesce(former.origins, '{}') ? '${name}' then stored.${name} end`
    const placeholder = placeholders[name]?.replace(key, `item.${key}`)
    return `coalesce(picked.${name}, ${stored}${placeholder === undefined ? '' : `, ${placeholder}`}) as ${name}`
  })
  await client.query('drop table if exists resolved')
  await client.query(`
    create temporary table resolved on commit drop as
    with ranked as (
      select claim.*, row_number() over (
               partition by claim.${key} order by source.rank desc, claim.stated_on desc, claim.source_id) as position
        from ${claims} claim ${JOIN_LICENSE}
       where claim.${key} in (select number from touched) and ${SHOWN_CLAIM}),
    picked as (
      select ${key}, ${picked.join(', ')}, jsonb_strip_nulls(jsonb_build_object(${origin.join(', ')})) as origins
        from ranked group by ${key})
    select item.${key}, ${resolved.join(', ')},
           -- Attributes without a claim stay named, as null: what is stored for them isn't from before origins were.
           coalesce((select jsonb_object_agg(name, null::jsonb) from jsonb_object_keys(former.origins) name), '{}')
             || coalesce(picked.origins, '{}') as origins
      from (select distinct number as ${key} from touched) item
      left join picked using (${key})
      left join ${catalog} stored using (${key})
      left join ${origins} former using (${key})`)
  // The year is that of the date, whichever source states the date.
  if ('release_year' in attributes)
    await client.query(
      `update resolved set release_year = extract(year from release_date),
              origins = origins || jsonb_build_object('release_year', origins -> 'release_date')
        where release_date is not null`,
    )
  await client.query(`
    insert into ${catalog} as t (${key}, ${names.join(', ')})
    select ${key}, ${names.join(', ')} from resolved order by ${key}
    on conflict (${key}) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
    where (${names.map((name) => `t.${name}`).join(', ')}) is distinct from (${names.map((name) => `excluded.${name}`).join(', ')})`)
  await client.query(`
    insert into ${origins} as t (${key}, origins) select ${key}, origins from resolved order by ${key}
    on conflict (${key}) do update set origins = excluded.origins where t.origins <> excluded.origins`)
}

/** Replaces the contents of the touched sets by those that the source with the highest rank lists. */
async function resolveTouchedContents(client: pg.ClientBase): Promise<void> {
  await client.query('drop table if exists winner')
  await client.query(`
    create temporary table winner on commit drop as
    select distinct on (claim.set_number) claim.set_number, claim.source_id,
           jsonb_build_object('source', claim.source_id, 'on', claim.stated_on) as origin
      from source.set_minifig_claim claim ${JOIN_LICENSE}
     where claim.set_number in (select number from touched) and ${SHOWN_CLAIM}
     order by claim.set_number, source.rank desc, claim.stated_on desc, claim.source_id`)
  await client.query('drop table if exists contents')
  await client.query(`
    create temporary table contents on commit drop as
    select set_number, minifig_number, quantity from source.set_minifig_claim join winner using (set_number, source_id)`)
  await client.query(`
    delete from catalog.set_minifig stored using catalog.set_origin origin
     where stored.set_number in (select number from touched)
       and origin.set_number = stored.set_number and origin.minifigs is not null
       and not exists (select from contents c where c.set_number = stored.set_number and c.minifig_number = stored.minifig_number)`)
  await client.query(`
    insert into catalog.set_minifig as t (set_number, minifig_number, quantity)
    select set_number, minifig_number, quantity from contents order by 1, 2
    on conflict (set_number, minifig_number) do update set quantity = excluded.quantity
    where t.quantity <> excluded.quantity`)
  await client.query(`
    insert into catalog.set_origin as t (set_number, minifigs) select set_number, origin from winner
    on conflict (set_number) do update set minifigs = excluded.minifigs
    where t.minifigs is distinct from excluded.minifigs`)
  await client.query(`
    update catalog.set_origin set minifigs = null
     where minifigs is not null and set_number in (select number from touched except select set_number from winner)`)
}
