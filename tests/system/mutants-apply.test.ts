import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../support/paths.ts'
import { scenarios } from './scenarios/index.ts'

const mutants = scenarios.flatMap((scenario) =>
  scenario.mutants.map((mutant) => [`${scenario.name}: ${mutant.name}`, mutant] as const),
)

test.each(mutants)('%s still applies to the source', (_, { edits }) => {
  const texts = new Map<string, string>()
  for (const edit of edits) {
    if (!('find' in edit)) continue
    const path = join(REPOSITORY, edit.file)
    const text = texts.get(path) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')
    expect(text.split(edit.find).length - 1, `${edit.find} in ${edit.file}`).toBe(1)
    texts.set(
      path,
      text.replace(edit.find, () => edit.replace),
    )
  }
})
