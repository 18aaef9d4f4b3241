import type { MarketContext } from '../db/context.ts'
import { readBrickset, type BricksetConfig } from './connectors/brickset.ts'
import { ingestRows, type IngestResult } from './ingest-commands.ts'
import { savePoll } from './retail-poll-commands.ts'
import { declareCatalogConnector } from './source-commands.ts'

export const BRICKSET = 'brickset'
const SOURCE = { id: BRICKSET, name: 'Brickset' }

export type BricksetConnector = BricksetConfig & { licenseId: string; licenseTerms: string }

/** Reads the whole catalog of Brickset. Either all of it is published, or nothing. */
export async function refreshFromBrickset(
  { pool, now }: Pick<MarketContext, 'pool' | 'now'>,
  connector: BricksetConnector,
  signal: AbortSignal,
  onProgress?: (rows: number) => void,
): Promise<IngestResult> {
  const { licenseId: license_id } = connector
  if (!(await declareCatalogConnector(pool, { ...connector, ...SOURCE }))) throw new Error('Brickset was withdrawn.')
  const origin = { source_id: SOURCE.id, license_id, stated_on: now().toISOString().slice(0, 10), now: now() }
  const { batches } = readBrickset(connector, origin, signal)
  return ingestRows(pool, 'catalog', batches, {
    fileName: SOURCE.name,
    fingerprint: () => '',
    withinTransaction: (client) => savePoll(client, SOURCE.id, null),
    ...(onProgress && { onProgress }),
  })
}
