import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, inject, test } from 'vitest'
import { startApiNode } from './support/api-node.ts'
import { asRole, createDatabase, type TestDatabase } from './support/database.ts'
import { addSale, addSet, createTestAccount, PEPPER } from './support/fixtures.ts'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { REPOSITORY } from './support/paths.ts'
import { createMutantCopy } from './system/harness/mutant-copy.ts'
import type { MutantCopy } from './system/harness/mutant.ts'

/** Follows "Add an endpoint" of CONTRIBUTING.md in a copy of the service, with the code of the document. */

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

/** Returns the TypeScript of a section of CONTRIBUTING.md, without its indentation. */
function codeBlocks(heading: string): string[] {
  const document = readFileSync(join(REPOSITORY, 'CONTRIBUTING.md'), 'utf8')
  const [section = ''] = document.split(`${heading}\n`)[1]!.split(/^##/m)
  const blocks = [...section.matchAll(/^ {3}```ts\n(.*?)^ {3}```$/gms)].map(([, code]) =>
    code!.replaceAll(/^ {3}/gm, ''),
  )
  expect(blocks).toHaveLength(2)
  return blocks
}

async function applySteps(): Promise<MutantCopy> {
  const [catalogMethod, sharedEndpoint] = codeBlocks('## Add an endpoint') as [string, string]
  const [query, privateEndpoint] = codeBlocks('### Add a private endpoint') as [string, string]
  const catalog = 'apps/api/catalog/catalog.ts'
  const queries = 'packages/core/src/portfolio/sale-queries.ts'
  const index = 'apps/api/routes/index.ts'
  const above = '  searchSets(query: string'
  const register = (name: string, file: string, after: string, afterFile: string) => [
    {
      file: index,
      find: `import { ${after} } from './${afterFile}.ts'\n`,
      replace: `import { ${after} } from './${afterFile}.ts'\nimport { ${name} } from './${file}.ts'\n`,
    },
    { file: index, find: `  ${after},\n`, replace: `  ${after},\n  ${name},\n` },
  ]
  const lastQuery = '/** Returns which lines of these platform orders the account has already imported. */'
  return createMutantCopy({
    name: 'contributing',
    description: 'the worked examples of CONTRIBUTING.md',
    edits: [
      { file: catalog, find: above, replace: `${catalogMethod}\n${above}` },
      { file: 'apps/api/routes/subthemes.ts', add: sharedEndpoint },
      ...register('subthemes', 'subthemes', 'themes', 'themes'),
      { file: queries, find: lastQuery, replace: `${query}\n${lastQuery}` },
      { file: 'apps/api/routes/sale-platforms.ts', add: privateEndpoint },
      ...register('salePlatforms', 'sale-platforms', 'salesLedger', 'sales-ledger'),
    ],
  })
}

async function seedDatabase(): Promise<{ database: TestDatabase; seller: string; stranger: string }> {
  const database = await createDatabase(inject('serverUrl'))
  cleanups.push(() => database.drop())
  const db = openDatabase(openPool(database.url, { size: 1 }))
  await addSet(db, { set_number: '90001-1', theme: 'Harbor', subtheme: 'Coast' })
  await addSet(db, { set_number: '90002-1', theme: 'Harbor', subtheme: 'Coast' })
  await addSet(db, { set_number: '90003-1', theme: 'Harbor', subtheme: null })
  const seller = await createTestAccount(db)
  for (const platform of ['ebay', 'bricklink', 'ebay'])
    await addSale(db, { account_id: seller.accountId, set_number: '90001-1', platform })
  const stranger = await createTestAccount(db)
  await db.destroy()
  return { database, seller: seller.key, stranger: stranger.key }
}

test(
  'the endpoints of the worked examples serve their data, and appear in openapi.json',
  { timeout: 60_000 },
  async () => {
    const copy = await applySteps()
    cleanups.push(() => copy.remove())
    const { database, seller, stranger } = await seedDatabase()
    const env = { DATABASE_URL: asRole(database.url, 'brickmark_api'), API_KEY_PEPPERS: PEPPER }
    const node = await startApiNode(copy.root, env)
    cleanups.push(() => node.stop())
    await node.waitUntilReady()
    const get = async (path: string, key: string) => {
      const response = await fetch(`${node.origin}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
      return [response.status, ((await response.json()) as { data: unknown }).data]
    }
    expect(await get('/catalog/subthemes', seller)).toEqual([
      200,
      { subthemes: [{ theme: 'Harbor', subtheme: 'Coast', set_count: 2 }] },
    ])
    const bricklink = { platform: 'bricklink', sale_count: 1 }
    const ebay = { platform: 'ebay', sale_count: 2 }
    expect(await get('/salesledger/platforms', seller)).toEqual([200, { platforms: [bricklink, ebay] }])
    expect(await get('/salesledger/platforms', stranger)).toEqual([200, { platforms: [] }])
    const print =
      "const { buildOpenApi } = await import('./apps/api/openapi/openapi.ts'); console.log(JSON.stringify(buildOpenApi().paths))"
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', print], {
      cwd: copy.root,
    })
    const paths = Object.keys(JSON.parse(stdout) as object)
    expect(paths).toEqual(expect.arrayContaining(['/catalog/subthemes', '/salesledger/platforms']))
  },
)
