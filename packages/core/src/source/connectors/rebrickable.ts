import { displayValue } from '../feeds/field-parsers.ts'
import type { CatalogRow, ParsedRow } from '../feeds/feed-rows.ts'
import {
  batched,
  CatalogRowBuilder,
  withoutInvisible,
  type CatalogOrigin,
  type CatalogRowCounts,
} from './catalog-row-builder.ts'
import { findDownload, readDownload } from './rebrickable-files.ts'

/** Result counts; complete once the last batch has been read. */
export type RebrickableCounts = CatalogRowCounts & {
  /** Products left out because they aren't sets: gear, books, and boxes without pieces. */
  others: number
}

/** `stated_on` is the day of the downloads. */
export type RebrickableOptions = CatalogOrigin & {
  /** Whether to read products that aren't sets, too. */
  withOthers?: boolean
}

/** The themes, with everything below them, of products that aren't sets. */
const OTHER_THEMES = ['Gear', 'Books']

/**
 * Reads the catalog from a folder of Rebrickable downloads: sets, then minifigs, then set contents. Only themes,
 * inventories and the numbers of sets and minifigs are held in memory. The `raw` text of a rejected row is NDJSON in
 * the catalog feed format, so that it can be corrected and ingested again.
 */
export function readRebrickable(
  folder: string,
  options: RebrickableOptions,
): { batches: AsyncGenerator<ParsedRow<CatalogRow>[]>; counts: RebrickableCounts } {
  const counts = { sets: 0, minifigs: 0, contains: 0, aliases: 0, others: 0, rejected: 0 }
  return { batches: batched(readRows(folder, new CatalogRowBuilder(options, counts), options, counts)), counts }
}

type Row = ParsedRow<CatalogRow>

async function* readRows(
  folder: string,
  rows: CatalogRowBuilder,
  { withOthers = false }: RebrickableOptions,
  counts: RebrickableCounts,
): AsyncGenerator<Row> {
  const sets = new Set<string>()
  yield* readSets(folder, rows, { sets, withOthers, counts })
  if (findDownload(folder, 'minifigs.csv') === undefined) return
  const minifigs = new Set<string>()
  yield* readMinifigs(folder, rows, minifigs)
  if (findDownload(folder, 'minifig-numbers.csv') !== undefined) yield* readMinifigNumbers(folder, rows)
  yield* readSetMinifigs(folder, rows, { sets, minifigs })
}

async function* readSets(
  folder: string,
  rows: CatalogRowBuilder,
  { sets, withOthers, counts }: { sets: Set<string>; withOthers: boolean; counts: RebrickableCounts },
): AsyncGenerator<Row> {
  const themes = await readThemes(folder)
  for await (const { line, values } of readDownload(folder, 'sets.csv')) {
    const path = themePath(themes, values.theme_id)
    if (path.length === 0) {
      yield rows.reject('sets.csv', line, `theme_id ${displayValue(values.theme_id)} is not in themes.csv`, values)
      continue
    }
    if (!withOthers && (OTHER_THEMES.includes(path.at(-1)!) || values.num_parts === '0')) {
      counts.others++
      continue
    }
    // Rebrickable has only the year; January 1 would be made up, so leave the release date blank.
    const row = rows.build('sets.csv', line, {
      record: 'set',
      set_number: values.set_num,
      title: withoutInvisible(values.name),
      theme: path.at(-1) ?? '',
      subtheme: path.length > 1 ? (path[0] ?? '') : '',
      pieces: values.num_parts,
      release_year: values.year,
      image_url: values.img_url,
    })
    if ('row' in row) sets.add(values.set_num)
    yield row
  }
}

type Themes = Map<string, { name: string; parent: string }>

async function readThemes(folder: string): Promise<Themes> {
  const themes: Themes = new Map()
  for await (const { values } of readDownload(folder, 'themes.csv')) {
    themes.set(values.id, { name: values.name, parent: values.parent_id })
  }
  return themes
}

/**
 * Returns the names from a theme up to its top-level parent. Stops after ten, in case a corrupt file contains a cycle.
 */
function themePath(themes: Themes, id: string): string[] {
  const path: string[] = []
  let theme = themes.get(id)
  while (theme !== undefined && path.length < 10) {
    path.push(theme.name)
    theme = themes.get(theme.parent)
  }
  return path
}

/** Reads the numbers that the operator knows from marketplaces. */
async function* readMinifigNumbers(folder: string, rows: CatalogRowBuilder): AsyncGenerator<Row> {
  for await (const { line, values } of readDownload(folder, 'minifig-numbers.csv')) {
    const { fig_num: minifig_number, minifig_number: alias } = values
    yield rows.build('minifig-numbers.csv', line, { record: 'alias', minifig_number, alias })
  }
}

async function* readMinifigs(folder: string, rows: CatalogRowBuilder, minifigs: Set<string>): AsyncGenerator<Row> {
  for await (const { line, values } of readDownload(folder, 'minifigs.csv')) {
    const minifig_number = values.fig_num
    const name = withoutInvisible(values.name)
    const row = rows.build('minifigs.csv', line, { record: 'minifig', minifig_number, name, image_url: values.img_url })
    // Set contents may only refer to accepted minifigs.
    if ('row' in row) minifigs.add(minifig_number)
    yield row
  }
}

async function* readSetMinifigs(
  folder: string,
  rows: CatalogRowBuilder,
  known: { sets: Set<string>; minifigs: Set<string> },
): AsyncGenerator<Row> {
  const inventories = await latestInventories(folder, known.sets)
  for await (const { line, values } of readDownload(folder, 'inventory_minifigs.csv')) {
    const set_number = inventories.get(values.inventory_id)
    const { fig_num: minifig_number, quantity } = values
    if (set_number === undefined || !known.minifigs.has(minifig_number)) continue
    yield rows.build('inventory_minifigs.csv', line, { record: 'contains', set_number, minifig_number, quantity })
  }
}

/**
 * Maps inventory ids to sets, using each set's highest inventory version; older versions list the contents of earlier
 * boxes.
 */
async function latestInventories(folder: string, sets: Set<string>): Promise<Map<string, string>> {
  const latest = new Map<string, { id: string; version: number }>()
  for await (const { values } of readDownload(folder, 'inventories.csv')) {
    if (!sets.has(values.set_num)) continue
    const version = Number(values.version)
    const other = latest.get(values.set_num)
    if (other === undefined || version > other.version) latest.set(values.set_num, { id: values.id, version })
  }
  return new Map([...latest].map(([set, inventory]) => [inventory.id, set]))
}
