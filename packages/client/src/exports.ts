import type { components } from './api.generated.ts'
import type { Brickmark } from './brickmark.ts'
import { BrickmarkError } from './errors.ts'
import type { RequestOptions } from './transport.ts'

type Schemas = components['schemas']

/** What a row of each export is. Sets come without retail prices. */
export type ExportRows = {
  sets: Omit<Schemas['Set'], 'retailers'>
  minifigs: Schemas['Minifig']
  history: Schemas['SetHistory']
}

/** A request for a part of an export costs a credit per MiB, so parts may have any number of them. */
const PART_BYTES = 4 * 1024 * 1024

/**
 * All sets, minifigs or histories, while they are downloaded: `for await (const set of readExport(brickmark, 'sets'))`. Costs
 * 1 credit, plus 1 per MiB of the file.
 */
export async function* readExport<D extends keyof ExportRows>(
  brickmark: Brickmark,
  dataset: D,
  options?: RequestOptions,
): AsyncGenerator<ExportRows[D], void, undefined> {
  yield* parseRows<ExportRows[D]>(downloadExport(brickmark, await findExport(brickmark, dataset, options), options))
}

/** The latest export of a dataset. Costs 1 credit. */
export async function findExport(
  brickmark: Brickmark,
  dataset: keyof ExportRows,
  options?: RequestOptions,
): Promise<Schemas['Export']> {
  const { data } = await brickmark.listExports(options)
  const found = data.exports.find((file) => file.dataset === dataset)
  if (found) return found
  throw new BrickmarkError('NotFound', `There is no export of ${dataset} yet. Exports are written every night.`)
}

/** The bytes of an export, from a position on. Costs 1 credit per MiB. */
export async function* downloadExport(
  brickmark: Brickmark,
  file: Schemas['Export'],
  { from = 0, headers, ...options }: { from?: number } & RequestOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for (let start = from; start < file.bytes; start += PART_BYTES) {
    const range = `bytes=${start}-${Math.min(start + PART_BYTES, file.bytes) - 1}`
    const { data } = await brickmark.request<Uint8Array<ArrayBuffer>>('GET', file.path, {
      ...options,
      headers: { ...headers, range },
    })
    yield data
  }
}

/** Decompresses NDJSON as it arrives, and parses its lines. */
async function* parseRows<T>(compressed: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<T, void, undefined> {
  const { readable, writable } = new DecompressionStream('gzip')
  const failed = write(compressed, writable.getWriter())
  const reader = readable.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      for (const line of lines) yield JSON.parse(line) as T
    }
  } catch (error) {
    // What the download failed with says more than what it did to the stream.
    throw (await failed) ?? error
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Writes all bytes into a stream, and returns the error if they can't be read. */
async function write(
  bytes: AsyncIterable<Uint8Array<ArrayBuffer>>,
  writer: WritableStreamDefaultWriter<BufferSource>,
): Promise<unknown> {
  try {
    for await (const part of bytes) await writer.write(part)
    await writer.close()
    return undefined
  } catch (error) {
    await writer.abort(error).catch(() => {})
    return error
  }
}
