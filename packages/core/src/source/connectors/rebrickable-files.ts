import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { decompress } from '../feeds/decompress.ts'
import { FeedRejectedError } from '../feeds/feed-rejected-error.ts'

/** The columns used from each download. Others are ignored, because Rebrickable may add some. */
const COLUMNS = {
  'sets.csv': ['set_num', 'name', 'year', 'theme_id', 'num_parts', 'img_url'],
  'themes.csv': ['id', 'name', 'parent_id'],
  'minifigs.csv': ['fig_num', 'name', 'img_url'],
  'inventories.csv': ['id', 'version', 'set_num'],
  'inventory_minifigs.csv': ['inventory_id', 'fig_num', 'quantity'],
  'minifig-numbers.csv': ['fig_num', 'minifig_number'],
} as const

type Files = typeof COLUMNS
export type RebrickableFile = keyof Files
export type RebrickableRecord<F extends RebrickableFile> = { line: number; values: Record<Files[F][number], string> }

/** Returns the path of a download in a folder, gzipped or not, or undefined if it is missing. */
export function findDownload(folder: string, file: RebrickableFile): string | undefined {
  return [join(folder, file), join(folder, `${file}.gz`)].find((path) => existsSync(path))
}

/** Yields the records of a download. Rejects a file that is missing, corrupt or has other columns. */
export async function* readDownload<F extends RebrickableFile>(
  folder: string,
  file: F,
): AsyncGenerator<RebrickableRecord<F>> {
  const path = findDownload(folder, file)
  if (path === undefined) throw new FeedRejectedError(`${folder} contains neither ${file} nor ${file}.gz.`)
  // These are regular CSV files with line breaks in quoted fields, and small (sets.csv has 26,000 rows), so csv-parse
  // is fast enough.
  const parser = parse({
    bom: true,
    columns: (header) => checkHeader(file, header),
    info: true,
    max_record_size: 65_536,
  })
  const source = Readable.from(decompress(createReadStream(path)))
  source.on('error', (error) => parser.destroy(error))
  try {
    let line = 0
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<CsvRecord<F>>) {
      line = info.lines
      yield { line, values: record }
    }
    if (line === 0 && parser.info.lines < 2) throw new FeedRejectedError('it is empty')
  } catch (error) {
    if (!(error instanceof FeedRejectedError || error instanceof CsvError)) throw error
    throw new FeedRejectedError(`${path} was rejected: ${error.message.replace(/\.$/, '')}.`)
  } finally {
    source.destroy()
  }
}

type CsvRecord<F extends RebrickableFile> = {
  record: RebrickableRecord<F>['values']
  info: { lines: number }
}

function checkHeader(file: RebrickableFile, header: string[]): string[] {
  const names = header.map((name) => name.trim().toLowerCase())
  const missing = COLUMNS[file].filter((column) => !names.includes(column))
  if (missing.length > 0) throw new FeedRejectedError(`${file} has no column ${missing.join(', ')}`)
  return names
}
