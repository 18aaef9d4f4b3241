import { Command, Option } from 'commander'
import type { LicenseRules } from '@brickmark/core/source/license'
import { setLicenseRules } from '@brickmark/core/source/source-commands'
import { withPool } from '../context.ts'

type Options = {
  feedsValues?: 'yes' | 'no'
  shown?: 'yes' | 'no'
  maxDisplayAge?: string
  retention?: string
  attribution?: string
  attributionUrl?: string
}

const NO_LIMIT = 'none'

export const licenseCommand = new Command('license')
  .description('set what a license allows; takes effect at once')
  .argument('<license>', 'license ID')
  .addOption(new Option('--feeds-values <yes|no>', 'compute values from its sales and prices').choices(['yes', 'no']))
  .addOption(new Option('--shown <yes|no>', 'show its catalog attributes and retail prices').choices(['yes', 'no']))
  .option('--max-display-age <interval>', 'show nothing older, e.g. "24 hours"; "none" for no limit')
  .option('--retention <interval>', 'delete what is older, e.g. "2 years"; "none" for no limit')
  .option('--attribution <text>', 'text that accompanies its data')
  .option('--attribution-url <url>', 'page that the text links to')
  .action((license: string, options: Options) =>
    withPool(async (pool) => {
      const rules = toRules(options)
      if (Object.keys(rules).length === 0) throw new Error('Nothing to change: give at least one option (see --help).')
      await setLicenseRules(pool, license, rules)
      process.stdout.write(`License ${license} was changed. The worker recomputes what rests on it.\n`)
    }),
  )

function toRules(options: Options): Partial<LicenseRules> {
  const limit = (text: string) => (text === NO_LIMIT ? null : text)
  if (options.attributionUrl !== undefined && !options.attributionUrl.startsWith('https://'))
    throw new Error('--attribution-url must start with https://.')
  return {
    ...(options.feedsValues !== undefined && { feeds_values: options.feedsValues === 'yes' }),
    ...(options.shown !== undefined && { shown: options.shown === 'yes' }),
    ...(options.maxDisplayAge !== undefined && { max_display_age: limit(options.maxDisplayAge) }),
    ...(options.retention !== undefined && { retention: limit(options.retention) }),
    ...(options.attribution !== undefined && { attribution: options.attribution }),
    ...(options.attributionUrl !== undefined && { attribution_url: options.attributionUrl }),
  }
}
