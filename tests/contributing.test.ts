import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, inject, test } from 'vitest'
import { startApiNode } from './support/api-node.ts'
import { asRole, createDatabase, type TestDatabase } from './support/database.ts'
import { addSet, createTestAccount, PEPPER } from './support/fixtures.ts'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { REPOSITORY } from './support/paths.ts'
import { createMutantCopy } from './system/mutant-copy.ts'
import type { MutantCopy } from './system/mutant.ts'

/** Follows "Add an endpoint" of CONTRIBUTING.md in a copy of the service, with the code of the document. */

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

function codeBlocks(): [catalogMethod: string, endpoint: string] {
  const document = readFileSync(join(REPOSITORY, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = document.split('## Add an endpoint')
  const blocks = [...section.matchAll(/^ {3}```ts\n(.*?)^ {3}```$/gms)].map(([, code]) =>
    code!.replaceAll(/^ {3}/gm, ''),
  )
  expect(blocks).toHaveLength(2)
  return [blocks[0]!, blocks[1]!]
}

async function applySteps(): Promise<MutantCopy> {
  const [method, endpoint] = codeBlocks()
  const catalog = 'apps/api/catalog/catalog.ts'
  const index = 'apps/api/routes/index.ts'
  const anchor = '  searchSets(query: string'
  return createMutantCopy({
    name: 'contributing',
    description: 'the worked example of CONTRIBUTING.md',
    edits: [
      { file: catalog, find: anchor, replace: `${method}\n${anchor}` },
      { file: 'apps/api/routes/subthemes.ts', add: endpoint },
      {
        file: index,
        find: "import { themes } from './themes.ts'\n",
        replace: "import { subthemes } from './subthemes.ts'\nimport { themes } from './themes.ts'\n",
      },
      { file: index, find: '  themes,\n', replace: '  themes,\n  subthemes,\n' },
    ],
  })
}

async function seedDatabase(): Promise<{ database: TestDatabase; key: string }> {
  const database = await createDatabase(inject('serverUrl'))
  cleanups.push(() => database.drop())
  const db = openDatabase(openPool(database.url, { size: 1 }))
  await addSet(db, { set_number: '90001-1', theme: 'Harbor', subtheme: 'Coast' })
  await addSet(db, { set_number: '90002-1', theme: 'Harbor', subtheme: 'Coast' })
  await addSet(db, { set_number: '90003-1', theme: 'Harbor', subtheme: null })
  const { key } = await createTestAccount(db)
  await db.destroy()
  return { database, key }
}

test(
  'the endpoint of the worked example serves its data, and appears in openapi.json',
  { timeout: 60_000 },
  async () => {
    const copy = await applySteps()
    cleanups.push(() => copy.remove())
    const { database, key } = await seedDatabase()
    const env = { DATABASE_URL: asRole(database.url, 'brickmark_api'), API_KEY_PEPPERS: PEPPER }
    const node = await startApiNode(copy.root, env)
    cleanups.push(() => node.stop())
    await node.waitUntilReady()
    const response = await fetch(`${node.origin}/api/v1/catalog/subthemes`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect([response.status, ((await response.json()) as { data: unknown }).data]).toEqual([
      200,
      { subthemes: [{ theme: 'Harbor', subtheme: 'Coast', set_count: 2 }] },
    ])
    const print =
      "const { buildOpenApi } = await import('./apps/api/openapi/openapi.ts'); console.log(JSON.stringify(buildOpenApi().paths))"
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', print], {
      cwd: copy.root,
    })
    expect(Object.keys(JSON.parse(stdout) as object)).toContain('/catalog/subthemes')
  },
)
