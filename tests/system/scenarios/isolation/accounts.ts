import pg from 'pg'
import { insertPortfolio, type SyntheticPortfolio } from '@brickmark/tools/synthetic/index'
import type { TestAccount } from '../../../support/fixtures.ts'
import { readAccountOracle, type AccountOracle } from '../contract/account-oracle.ts'
import type { SeededRandom } from '../../harness/random.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'

/** An account whose private texts and prices are all distinguishable from those of every other account. */
export type MarkedAccount = TestAccount & {
  marker: string
  collectionIds: number[]
  accountOracle: AccountOracle
}

const UNLIMITED = 2_000_000_000
const COLLECTIONS = 2
const LOTS = 10
const SALES = 5
/** All ids have the same length, and some ids of that length stay unused. */
const FIRST_ID = 500_001
export const UNUSED_IDS = [600_001, 699_999, 777_777]

export async function makeMarkedAccounts(
  environment: TestEnvironment,
  random: SeededRandom,
  count: number,
): Promise<MarkedAccount[]> {
  const client = new pg.Client(environment.url)
  await client.connect()
  const accounts: MarkedAccount[] = []
  try {
    await client.query(`alter table portfolio.collection alter column id restart with ${FIRST_ID}`)
    const sets = environment.market.sets.slice(0, LOTS).map((set) => set.set_number)
    for (let index = 0; index < count; index++) {
      const account = await environment.createAccount({ limit: UNLIMITED })
      const marker = `PRIVATE-${Array.from({ length: 4 }, () => random.int(4096, 65_535).toString(16)).join('')}`
      await client.query('begin')
      await insertPortfolio(client, account.accountId, markedPortfolio(marker, index, sets))
      await insertAlert(client, account.accountId, sets[0]!, markedPrice(40_000, index, 0))
      await client.query('commit')
      const accountOracle = await readAccountOracle(environment.db, account.accountId)
      accounts.push({
        ...account,
        marker,
        accountOracle,
        collectionIds: accountOracle.brickfolios.map((brickfolio) => Number(brickfolio['id'])),
      })
    }
  } finally {
    await client.end()
  }
  return accounts
}

/** Adds an alert about a price of the account, and marks it as read. */
async function insertAlert(client: pg.Client, accountId: number, setNumber: string, price: number): Promise<void> {
  await client.query(
    `with added as (
       insert into alert.alert (account_id, rule_id, change_id, at, kind, item_kind, item_number, retailer, facts)
       values ($1, 1, 1, now(), 'price_at_most', 'set', $2, 'retailer_a', jsonb_build_object('price', $3::integer))
       returning id)
     insert into alert.inbox (account_id, read_to) select $1, id from added`,
    [accountId, setNumber, price],
  )
}

/** All accounts own and sold the same sets, so only the markers show whose a row is. */
function markedPortfolio(marker: string, account: number, sets: string[]): SyntheticPortfolio {
  const created_at = '2024-01-01T09:00:00.000Z'
  return {
    collections: Array.from({ length: COLLECTIONS }, (_, index) => ({
      name: `${marker} shelf ${index}`,
      description: `${marker} kept here`,
      is_default: index === 0,
      created_at,
    })),
    lots: sets.map((set_number, index) => ({
      collection: index % COLLECTIONS,
      set_number,
      condition: index % 3 === 0 ? 'used' : 'sealed',
      status: 'owned',
      quantity: 1 + (index % 2),
      purchase_price_cents: markedPrice(20_000, account, index),
      purchase_date: `2024-0${1 + (index % 9)}-11`,
      notes: `${marker} note ${index}`,
      created_at,
    })),
    sales: sets.slice(0, SALES).map((set_number, index) => ({
      set_number,
      platform: 'ebay',
      sale_date: `2025-0${1 + index}-07`,
      quantity: 1,
      gross_proceeds_cents: markedPrice(40_000, account, index),
      platform_fees_cents: 0,
      payment_fees_cents: 0,
      shipping_cost_cents: 0,
      cost_cents: null,
    })),
    saleLots: Array.from({ length: SALES }, (_, index) => ({ sale: index, lotIndex: index, quantity: 1 })),
  }
}

/**
 * Returns a price in cents that no other account has: the account in the hundreds, the index in the tens, and cents that are
 * never 0.
 */
function markedPrice(base: number, account: number, index: number): number {
  return (base + account * 100 + index * 7) * 100 + 37
}

/** Finds data of other accounts, or licensed data, in a text. */
export class LeakDetector {
  readonly #owners = new Map<string, string>()
  readonly #marks: string[]

  constructor(accounts: MarkedAccount[]) {
    this.#marks = accounts.map((account) => account.marker)
    for (const { marker, accountOracle } of accounts) {
      for (const entry of accountOracle.entries) this.#owners.set(String(entry['purchase_price_usd']), marker)
      for (const sale of accountOracle.sales) this.#owners.set(String(sale['gross_proceeds_usd']), marker)
    }
  }

  /** Returns markers and prices of all accounts except the one with `marker`. */
  findForeign(text: string, marker: string | undefined): string[] {
    const found: string[] = []
    for (const [price] of text.matchAll(/(?<![\d.-])[24]\d{4}\.37(?!\d)/g)) {
      if (this.#owners.has(price) && this.#owners.get(price) !== marker) found.push(price)
    }
    if (text.includes('PRIVATE-'))
      found.push(...this.#marks.filter((other) => other !== marker && text.includes(other)))
    return found
  }

  licensed(text: string): number {
    return text.split('CANARY-').length - 1
  }
}
