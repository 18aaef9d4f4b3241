import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readAs, type Database } from '@brickmark/core/db/database'
import { DatabaseBusyError } from '@brickmark/core/db/fair-queue'
import {
  CHUNK_BYTES,
  DATASETS,
  findExport,
  findLatestExports,
  readExportChunk,
  type ExportFile,
} from '@brickmark/core/export/export-queries'
import { defineEndpoint } from '../../endpoint.ts'
import { notFound } from '../../errors.ts'
import { FileSlice } from '../../file-slice.ts'
import { integerField, openEnumField, stringField, timestampField } from '../../schemas/fields.ts'
import { EmptyParams, stringParam } from '../../schemas/parameters.ts'
import { EXTENSIONS_PREFIX } from './prefix.ts'

const EXAMPLE_SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const EXAMPLE_FILE = 'sets-20260627T040000Z.ndjson.gz'
const FILE_NAME = /^([a-z]+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.ndjson\.gz$/
const TYPE = 'application/gzip'

const ExportSchema = z
  .strictObject({
    dataset: openEnumField([...DATASETS], 'What a row is: a set, a minifig, or the history of a set.', 'sets'),
    file: stringField('File name.', EXAMPLE_FILE),
    path: stringField('Path to download it from.', `${EXTENSIONS_PREFIX}/exports/${EXAMPLE_FILE}`),
    created_at: timestampField('The moment its rows were read.', '2026-06-27T04:00:00.000Z'),
    rows: integerField('Number of rows.', 25_000),
    bytes: integerField('Size, in bytes.', 4_718_592),
    sha256: stringField('SHA-256 checksum, in hexadecimal.', EXAMPLE_SHA256),
  })
  .meta({ id: 'Export', description: 'A file with all rows of a dataset, as gzipped NDJSON.' })

/** GET /exports: the files of the last night. */
export const exports = defineEndpoint({
  method: 'GET',
  path: '/exports',
  operationId: 'listExports',
  readsAccountData: true,
  tag: 'Catalog',
  summary: 'List exports',
  description:
    'Lists files with all sets, minifigs and histories, one JSON object per line. They are written every night. Rows are equal to those of v1, except that sets come without retail prices. The list is empty while files are being rewritten because a source was withdrawn.',
  cost: 1,
  params: EmptyParams,
  query: EmptyParams,
  data: z
    .strictObject({ exports: z.array(ExportSchema).meta({ description: 'One file per dataset.' }) })
    .meta({ id: 'ExportsData', description: 'The latest exports.' }),
  example: {
    exports: [
      {
        dataset: 'sets',
        file: EXAMPLE_FILE,
        path: `${EXTENSIONS_PREFIX}/exports/${EXAMPLE_FILE}`,
        created_at: '2026-06-27T04:00:00.000Z',
        rows: 25_000,
        bytes: 4_718_592,
        sha256: EXAMPLE_SHA256,
      },
    ],
  },
  async handle({ db }, { accountId }) {
    const files = await readAs(db, accountId, findLatestExports)
    return { exports: files.map(serializeExport) }
  },
})

/** GET /exports/{file}: a file or a part of it. */
export const exportFile = defineEndpoint({
  method: 'GET',
  path: '/exports/{file}',
  operationId: 'downloadExport',
  readsAccountData: true,
  tag: 'Catalog',
  summary: 'Download an export',
  description:
    'Sends the file itself, without the envelope. `Range` gets a part of it, for example to resume a download. A file is available for at least a day, and its content never changes.',
  cost: 1,
  sendsFile: TYPE,
  params: z.strictObject({ file: stringParam('Name of the file.').meta({ example: EXAMPLE_FILE }) }),
  query: EmptyParams,
  data: z.instanceof(FileSlice),
  canReturn404: true,
  example: undefined as never,
  async handle({ db }, { params, accountId, headers }) {
    const found = await readAs(db, accountId, (transaction) => findByName(transaction, params.file))
    if (!found) notFound(`File ${params.file} not found. Use \`GET /exports\` to list the latest.`)
    const info = { name: params.file, type: TYPE, bytes: found.bytes, sha256: found.sha256 }
    return new FileSlice(info, headers, (start, end) => readBytes(db, accountId, found, start, end))
  },
})

/**
 * All downloads of a process together send a chunk this often, about 1.5 MiB per second. At full speed, garbage collection
 * interrupted other requests for 50 ms at a time.
 */
const TURN_MS = 10
let lastTurn = 0

/** Waits until the next chunk may be sent. */
async function takeTurn(): Promise<void> {
  const now = performance.now()
  lastTurn = Math.max(now, lastTurn + TURN_MS)
  await sleep(lastTurn - now)
}

const MAX_REJECTIONS = 300

/** Yields the bytes of a file from `start` to `end`. Throws if it is withdrawn meanwhile. */
async function* readBytes(db: Database, accountId: number, file: ExportFile, start: number, end: number) {
  for (let position = Math.floor(start / CHUNK_BYTES); position * CHUNK_BYTES <= end; position++) {
    await takeTurn()
    const chunk = await readChunk(db, accountId, file, position)
    const offset = position * CHUNK_BYTES
    yield chunk.subarray(Math.max(start - offset, 0), end + 1 - offset)
  }
}

/** Tries much longer than other reads do: a download that has begun can't be rejected any more. */
async function readChunk(db: Database, accountId: number, file: ExportFile, position: number): Promise<Buffer> {
  for (let rejections = 0; ; rejections++) {
    try {
      return await readAs(db, accountId, (transaction) => readExportChunk(transaction, file, position))
    } catch (error) {
      if (!(error instanceof DatabaseBusyError) || rejections === MAX_REJECTIONS) throw error
      await sleep(100)
    }
  }
}

function serializeExport({ dataset, createdAt, rows, bytes, sha256 }: ExportFile): z.output<typeof ExportSchema> {
  const created_at = createdAt.toISOString()
  const file = `${dataset}-${created_at.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.ndjson.gz`
  return { dataset, file, path: `${EXTENSIONS_PREFIX}/exports/${file}`, created_at, rows, bytes, sha256 }
}

async function findByName(db: Database, name: string): Promise<ExportFile | undefined> {
  const [, dataset, year, month, day, hour, minute, second] = FILE_NAME.exec(name) ?? []
  const createdAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return dataset === undefined || Number.isNaN(createdAt.getTime()) ? undefined : findExport(db, dataset, createdAt)
}
