import { openDatabase, openPool, readAs, writeAs } from '@brickmark/core/db/database'
import { saveShelf } from '@brickmark/core/portfolio/shelf-commands'
import { findShelfSettings } from '@brickmark/core/portfolio/shelf-queries'
import { asRole } from '../../../support/database.ts'
import type { ScenarioContext } from '../../harness/scenario.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import { startWebNode } from '../../harness/web-node.ts'
import type { MarkedAccount } from './accounts.ts'

/** How often each shelf is read, together with all others. */
export const SHELF_ROUNDS = 20

const SECRET = 'w'.repeat(32)

type Shelf = { account: MarkedAccount; token: string }

/** Every account shares its first collection with its notes; strangers read all shelves at the same time. */
export async function readSharedShelves(
  environment: TestEnvironment,
  accounts: MarkedAccount[],
  { root, onTeardown }: Pick<ScenarioContext, 'root' | 'onTeardown'>,
) {
  const shelves = await shareCollections(environment, accounts)
  const web = await startWebNode(root, {
    DATABASE_URL: asRole(environment.url, 'brickmark_web'),
    WEB_SECRET: SECRET,
    MAIL_URL: 'smtp://localhost:1',
    PUBLIC_PAGES: 'values',
    TRUST_PROXY: '1',
  })
  onTeardown(() => web.stop())
  const findings = { bodies: 0, foreign: 0, incomplete: 0, amounts: 0, failures: [] as string[] }
  for (let round = 0; round < SHELF_ROUNDS; round++) {
    await Promise.all(
      shelves.map(async ({ account, token }, index) => {
        const text = await readPage(`${web.origin}/shelf/${token}`, `10.0.${round}.${index + 1}`)
        findings.bodies++
        inspect(text, account, findings)
      }),
    )
  }
  await web.stop()
  return findings
}

/** Of the lots of an account, every other one is in its first collection; see `markedPortfolio`. */
const OWN_NOTES = [0, 2, 4, 6, 8]

function inspect(
  text: string,
  { marker }: MarkedAccount,
  findings: { foreign: number; incomplete: number; amounts: number; failures: string[] },
): void {
  const expected = new Set(OWN_NOTES.map((index) => `${marker} note ${index}`))
  const found = new Set<string>(text.match(/PRIVATE-[\da-f]+ note \d+/g))
  const foreign = [...found].filter((note) => !expected.has(note))
  findings.foreign += foreign.length
  // Prices are marked by their cents.
  findings.amounts += text.match(/[24]\d,?\d{3}\.37/g)?.length ?? 0
  if (![...expected].every((note) => found.has(note))) findings.incomplete++
  if (foreign.length > 0 && findings.failures.length < 12)
    findings.failures.push(`the shelf of ${marker} contains ${foreign.join(', ')}`)
}

async function readPage(url: string, client: string): Promise<string> {
  const response = await fetch(url, { headers: { 'x-forwarded-for': client } })
  return response.text()
}

async function shareCollections(environment: TestEnvironment, accounts: MarkedAccount[]): Promise<Shelf[]> {
  const db = openDatabase(openPool(asRole(environment.url, 'brickmark_web'), { size: 2, pipelined: true }))
  const settings = { heading: 'Shared', showsValue: true, showsPurchaseDate: true, showsNotes: true, secret: SECRET }
  const shelves: Shelf[] = []
  for (const account of accounts) {
    const { accountId, collectionIds } = account
    const collectionId = Math.min(...collectionIds)
    await writeAs(db, accountId, (tx) => saveShelf(tx, accountId, collectionId, settings))
    const shelf = await readAs(db, accountId, (tx) => findShelfSettings(tx, accountId, collectionId, SECRET))
    shelves.push({ account, token: shelf!.token! })
  }
  await db.destroy()
  return shelves
}
