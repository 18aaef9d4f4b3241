import { cruise } from 'dependency-cruiser'
import { readFile } from 'node:fs/promises'

/**
 * Checks import directions against the rules in .dependency-cruiser.json. If dependency-cruiser failed to parse
 * TypeScript, it would report no violations, so the number of parsed modules is checked too.
 */
const { forbidden, options } = JSON.parse(await readFile('.dependency-cruiser.json', 'utf8')) as {
  forbidden: object[]
  options: object
}
const { output } = await cruise(['apps', 'packages', 'tools', 'tests'], {
  exclude: { path: '(^|/)(node_modules|dist|build|\\.mutants|\\.react-router)/' },
  ...options,
  validate: true,
  ruleSet: { forbidden },
} as object)
const { summary, modules } = output as {
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
  modules: { source: string; dependencies: unknown[] }[]
}
const linked = modules.filter((module) => /\.tsx?$/.test(module.source) && module.dependencies.length > 0)
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`)
console.log(`boundaries: ${linked.length} modules, ${summary.violations.length} violations`)
if (linked.length < 500 || summary.violations.length > 0) process.exitCode = 1
