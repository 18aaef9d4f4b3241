import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import ts from 'typescript'
import { clientIsBuilt, REPOSITORY } from './sample.ts'
import { startDemoApi, type DemoApi } from './demo.ts'

/**
 * Runs everything in examples/ against the sample data of the demo. Next.js, n8n and Home Assistant themselves aren't run: what they
 * would do with the file is.
 */

const EXAMPLES = join(REPOSITORY, 'examples')

let api: DemoApi
let folder: string

beforeAll(async () => {
  api = await startDemoApi()
  // Inside node_modules, where the client package can be resolved.
  await mkdir(join(REPOSITORY, 'node_modules/.cache'), { recursive: true })
  folder = await mkdtemp(join(REPOSITORY, 'node_modules/.cache/examples-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await api.stop()
})

function read(name: string): string {
  return readFileSync(join(EXAMPLES, name), 'utf8')
}

function environment(): Record<string, string> {
  return {
    PATH: process.env['PATH']!,
    PYTHONPATH: join(REPOSITORY, 'packages/client-python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    BRICKMARK_BASE_URL: `${api.origin}/api/v1`,
    BRICKMARK_API_KEY: api.resellerAccount.key,
  }
}

async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: folder,
    timeout: 40_000,
    env: { ...environment(), ...env },
  })
  return stdout
}

async function request<D>(path: string): Promise<D> {
  return (await api.get<D>(path, api.resellerAccount)).data
}

test('the README lists every example', () => {
  const files = readdirSync(EXAMPLES).filter((name) => name !== 'README.md')
  const listed = [...read('README.md').matchAll(/^\| \[`([^`]+)`\]/gm)].map(([, name]) => name!)
  expect(listed.toSorted()).toEqual(files.toSorted())
})

test.skipIf(!clientIsBuilt)('portfolio-value.mjs prints all units, and sums that are right', async () => {
  await copyFile(join(EXAMPLES, 'portfolio-value.mjs'), join(folder, 'portfolio-value.mjs'))
  const lines = (await run(process.execPath, ['portfolio-value.mjs'])).trim().split('\n')
  const { summary } = await request<{ summary: { total_items: number } }>('/brickfolio/analytics')
  const rows = lines.map((line) => /: (\d+) units, cost \$(\S+), value \$(\S+), gain (-?)\$(\S+)$/.exec(line)!)
  const amount = (text: string) => Number(text.replaceAll(',', ''))
  expect(rows.reduce((sum, [, units]) => sum + Number(units), 0)).toBe(summary.total_items)
  for (const [, , cost, value, sign, gain] of rows)
    expect(amount(value!) - amount(cost!)).toBeCloseTo(amount(gain!) * (sign === '-' ? -1 : 1), 2)
})

/** What the retailers lowered, as the bots say it. */
async function priceDrops(): Promise<string[]> {
  type RetailerPrice = { price: number; lastChange: number | null; inStock: boolean }
  type Row = { name: string; retailer_a: RetailerPrice; retailer_b: RetailerPrice }
  const rows = await request<Row[]>('/brickfolio/retail-watch?changed_within=24h')
  return rows.flatMap((row) =>
    (['retailer_a', 'retailer_b'] as const).flatMap((retailer) => {
      const { price, lastChange, inStock } = row[retailer]
      if (!inStock || lastChange === null || lastChange >= 0) return []
      return [`${row.name}: $${price.toFixed(2)} at ${retailer}, $${(-lastChange).toFixed(2)} less`]
    }),
  )
}

/** Starts a server that takes messages as ntfy does. */
async function startReceiver(): Promise<{ url: string; messages: string[]; stop: () => void }> {
  const messages: string[] = []
  const server = createServer((message, response) => {
    let text = ''
    message.on('data', (chunk) => (text += String(chunk)))
    message.on('end', () => {
      messages.push(text)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/topic`, messages, stop: () => server.close() }
}

test('price_drop_bot.py sends every drop once', async () => {
  const receiver = await startReceiver()
  const bot = join(EXAMPLES, 'price_drop_bot.py')
  const drops = await priceDrops()
  expect(drops.length).toBeGreaterThan(3)
  expect((await run('python3', [bot], { STATE_FILE: 'printed.json' })).trim().split('\n')).toEqual(drops)
  expect(await run('python3', [bot], { STATE_FILE: 'printed.json' })).toBe('')
  await run('python3', [bot], { STATE_FILE: 'sent.json', MESSAGE_URL: receiver.url })
  expect(receiver.messages).toEqual(drops)
  receiver.stop()
})

test.skipIf(!clientIsBuilt)('nextjs-page.tsx renders a set, and a 404 for what isn’t one', async () => {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, jsx: ts.JsxEmit.ReactJSX }
  const { outputText } = ts.transpileModule(read('nextjs-page.tsx'), { compilerOptions: options })
  await writeFile(join(folder, 'page.mjs'), outputText)
  // Next.js itself would answer with its own page.
  const next = join(folder, 'node_modules/next')
  await mkdir(next, { recursive: true })
  await writeFile(join(next, 'package.json'), '{ "type": "module", "exports": { "./navigation": "./navigation.js" } }')
  await writeFile(join(next, 'navigation.js'), "export function notFound() { throw new Error('NEXT_NOT_FOUND') }")
  await writeFile(
    join(folder, 'render.mjs'),
    `import { renderToStaticMarkup } from 'react-dom/server'
import SetValue from './page.mjs'
const page = SetValue({ params: Promise.resolve({ number: process.argv[2] }) })
console.log(await page.then(renderToStaticMarkup, (error) => error.message))`,
  )
  const html = await run(process.execPath, ['render.mjs', '90000-1'])
  const set = await request<{ title: string; new_value_usd: number }>('/set/90000-1')
  expect(html).toContain(`<h1>${set.title}</h1>`)
  expect(html).toContain(`Sealed: $${set.new_value_usd.toFixed(2)}`)
  expect(await run(process.execPath, ['render.mjs', 'nothing'])).toBe('NEXT_NOT_FOUND\n')
})

type Item = { json: Record<string, unknown> }
type Node = { name: string; type: string; parameters: Record<string, unknown> }
type Workflow = { nodes: Node[]; connections: Record<string, { main: { node: string }[][] }> }

test('n8n-price-drops.json sends every drop of the last hour', async () => {
  const { nodes, connections } = JSON.parse(read('n8n-price-drops.json')) as Workflow
  const receiver = await startReceiver()
  const env: Record<string, string> = { ...environment(), MESSAGE_URL: receiver.url }
  const drops = await priceDrops()
  let items: Item[] = [{ json: {} }]
  for (let name: string | undefined = nodes[0]!.name; name; name = connections[name]?.main[0]![0]!.node) {
    const node = nodes.find((one) => one.name === name)!
    // The sample data has few changes in its last hour.
    const parameters = JSON.parse(JSON.stringify(node.parameters).replace('"value":"1h"', '"value":"24h"')) as Record<
      string,
      unknown
    >
    items = await runNode({ ...node, parameters }, items, env)
  }
  expect(receiver.messages.toSorted()).toEqual(drops.toSorted())
  receiver.stop()
})

type Pairs = { parameters: { name: string; value: string }[] }

/** Does what n8n's node of this type does with these parameters. */
async function runNode({ type, parameters }: Node, items: Item[], env: Record<string, string>): Promise<Item[]> {
  const evaluate = (text: string, { json }: Item): string =>
    text
      .replace(/^=/, '')
      .replaceAll(/\{\{ \$env\.(\w+) \}\}/g, (_, name: string) => env[name]!)
      .replaceAll(/\{\{ \$json\.(\w+) \}\}/g, (_, name: string) => String(json[name]))
  if (type.endsWith('.scheduleTrigger')) return items
  if (type.endsWith('.splitOut'))
    return items.flatMap(({ json }) =>
      (json[parameters['fieldToSplitOut'] as string] as Record<string, unknown>[]).map((row) => ({ json: row })),
    )
  if (type.endsWith('.code'))
    // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- the code of the workflow
    return (new Function('$input', parameters['jsCode'] as string) as (input: object) => Item[])({ all: () => items })
  expect(type).toBe('n8n-nodes-base.httpRequest')
  return Promise.all(
    items.map(async (item) => {
      const pairs = (name: string) =>
        ((parameters[name] as Pairs | undefined)?.parameters ?? []).map((pair) => [
          pair.name,
          evaluate(pair.value, item),
        ])
      const query = new URLSearchParams(pairs('queryParameters')).toString()
      const response = await fetch(`${evaluate(parameters['url'] as string, item)}${query && `?${query}`}`, {
        method: (parameters['method'] as string | undefined) ?? 'GET',
        headers: Object.fromEntries(pairs('headerParameters')) as Record<string, string>,
        ...(parameters['sendBody'] === true && { body: evaluate(parameters['body'] as string, item) }),
      })
      expect(response.status).toBe(200)
      const text = await response.text()
      return { json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
    }),
  )
}

test('home-assistant.yaml has sensors with the sums of all collections', async () => {
  const answer = join(folder, 'brickfolio.json')
  const response = await api.get('/brickfolio', api.resellerAccount)
  await writeFile(answer, response.text)
  const script = `
import json, sys, yaml, jinja2
yaml.SafeLoader.add_constructor("!secret", lambda loader, node: node.value)
rest, = yaml.safe_load(open(sys.argv[1]))["rest"]
assert rest["resource"].endswith("/api/v1/brickfolio") and rest["headers"] == {"Authorization": "brickmark_authorization"}
for sensor in rest["sensor"]:
    template = jinja2.Environment().from_string(sensor["value_template"])
    print(sensor["unique_id"], template.render(value_json=json.load(open(sys.argv[2]))))`
  const printed = await run('/usr/bin/python3', ['-c', script, join(EXAMPLES, 'home-assistant.yaml'), answer])
  const { data } = response as { data: { brickfolios: Record<string, number>[] } }
  const sum = (field: string) => data.brickfolios.reduce((total, one) => total + one[field]!, 0)
  const values = new Map(
    printed
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  )
  expect(Number(values.get('brickmark_collection_value'))).toBeCloseTo(sum('total_current_value_usd'), 2)
  expect(Number(values.get('brickmark_collection_gain'))).toBeCloseTo(sum('unrealized_gain_loss_usd'), 2)
})

test('collection.ipynb runs from top to bottom', async () => {
  const { cells } = JSON.parse(read('collection.ipynb')) as { cells: { cell_type: string; source: string[] }[] }
  const code = cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''))
  const lines = (await run('python3', ['-c', code.join('\n\n')])).trim().split('\n')
  const { summary } = await request<{ summary: { total_items: number } }>('/brickfolio/analytics')
  expect(lines[0]).toMatch(new RegExp(`^${summary.total_items} units worth \\$[\\d,.]+$`))
  expect(lines.filter((line) => /^\d{4}-\d{2}-\d{2} {2}\$ *[\d,.]+ {2}#+$/.test(line)).length).toBeGreaterThan(3)
  expect(lines.slice(-5).every((line) => /^9\d{4}-\d .* [+-][\d,.]+$/.test(line))).toBe(true)
})
