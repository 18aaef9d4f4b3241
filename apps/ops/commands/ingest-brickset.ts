import { Command } from 'commander'
import { refreshFromBrickset } from '@brickmark/core/source/brickset-commands'
import { withMarket } from '../context.ts'
import { ProgressBar } from '../progress-bar.ts'
import { formatIngestResult } from './ingest.ts'

const DEFAULT_BASE_URL = 'https://brickset.com/api/v3.asmx/'
const UNTIL_DONE = new AbortController().signal

export const ingestBricksetCommand = new Command('ingest-brickset')
  .description('read the catalog from Brickset’s API; needs BRICKSET_API_KEY')
  .requiredOption('--license <license>', 'agreement under which you use the API')
  .action(({ license }: { license: string }) =>
    withMarket(async (market) => {
      const key = process.env['BRICKSET_API_KEY']
      if (key === undefined) throw new Error('Set BRICKSET_API_KEY to your key for Brickset’s API.')
      const baseUrl = process.env['BRICKSET_BASE_URL'] ?? DEFAULT_BASE_URL
      const connector = {
        baseUrl,
        key,
        licenseId: license,
        licenseTerms: 'as agreed between the operator and the source',
      }
      const progress = new ProgressBar('Brickset')
      let rows = 0
      const result = await refreshFromBrickset(market, connector, UNTIL_DONE, (seen) => {
        rows = seen
        // The total number of rows is unknown until the end.
        progress.report(0, 1, seen)
      })
      progress.finish(rows)
      process.stdout.write(`${formatIngestResult(result)}\n`)
    }),
  )
