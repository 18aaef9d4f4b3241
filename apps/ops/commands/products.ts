import { Command } from 'commander'
import { acceptMatch, rejectMatch } from '@brickmark/core/source/product-search-commands'
import { planPolling } from '@brickmark/core/source/poll-plan'
import { WANTED_MAX_AGE_HOURS } from '@brickmark/core/source/retail-poll-commands'
import { countProducts, findDoubtfulMatches } from '@brickmark/core/source/retail-poll-queries'
import { parsePositiveInt } from '../arguments.ts'
import { withPool } from '../context.ts'

const MATCHES_SHOWN = 50

const listCommand = new Command('list')
  .description('list the matches of sets and products that somebody has to decide on')
  .action(() =>
    withPool(async (pool) => {
      const matches = await findDoubtfulMatches(pool, MATCHES_SHOWN)
      if (matches.length === 0) process.stdout.write('No match is waiting.\n')
      for (const { retailer, set_number, set_title, product_id, title, product_url } of matches)
        process.stdout.write(`${retailer} ${set_number} ${product_id}\n  ${set_title}\n  ${title}\n  ${product_url}\n`)
    }),
  )

type Decide = typeof acceptMatch

function decisionCommand(name: string, description: string, done: string, decide: Decide): Command {
  return new Command(name)
    .description(description)
    .argument('<retailer>')
    .argument('<set>')
    .argument('<product>')
    .action((retailer: string, set: string, product: string) =>
      withPool(async (pool) => {
        await decide(pool, retailer, set, product)
        process.stdout.write(`${done} ${product} as ${set} at ${retailer}.\n`)
      }),
    )
}

const planCommand = new Command('plan')
  .description(
    `show how many products a budget of tokens keeps fresh; those that somebody watches or owns come first, every ${WANTED_MAX_AGE_HOURS} hours`,
  )
  .requiredOption('--tokens-per-minute <number>', 'tokens that your plan refills per minute', parsePositiveInt)
  .option('--tokens-per-product <number>', 'tokens that a check costs', parsePositiveInt, 3)
  .action((options: { tokensPerMinute: number; tokensPerProduct: number }) =>
    withPool(async (pool) => {
      const retailers = await countProducts(pool)
      if (retailers.length === 0)
        process.stdout.write('No retailer yet. A connector adds its own when it first runs.\n')
      for (const { retailer, products, missing, doubtful } of retailers) {
        const { roundHours, fresh } = planPolling({ products, ...options })
        process.stdout.write(
          `${retailer}: ${products} products, all checked every ${roundHours.toFixed(1)} hours\n` +
            fresh.map(({ hours, products: count }) => `  within ${hours} h: ${count}\n`).join('') +
            `  ${missing} sets with a barcode have no product yet, ${doubtful} matches are waiting\n`,
        )
      }
    }),
  )

export const productsCommand = new Command('products')
  .description('manage which products at retailers are which sets')
  .addCommand(listCommand)
  .addCommand(decisionCommand('accept', 'accept a match, so that the product is polled', 'Accepted', acceptMatch))
  .addCommand(decisionCommand('reject', 'reject a match for good', 'Rejected', rejectMatch))
  .addCommand(planCommand)
