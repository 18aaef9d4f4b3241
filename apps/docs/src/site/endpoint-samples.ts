import { EXTENSIONS, type Operation } from './openapi.ts'

/** What a sample passes and reads. The tests run every sample against the sample data of the demo. */
type SampleCall = {
  /** Arguments after the path parameter. */
  query?: Record<string, string>
  /** Path parameter or search term, which the SDKs take as first argument. */
  first?: string
  body?: { sets: string[]; minifigs: string[] }
  /** How the SDKs return it. */
  returns: 'data' | 'list' | 'array'
  typescript: string
  python: string
}

const CALLS: Record<string, SampleCall> = {
  getSet: {
    first: '90000-1',
    returns: 'data',
    typescript: 'console.log(data.title, data.new_value_usd)',
    python: 'print(data["title"], data["new_value_usd"])',
  },
  getMinifig: {
    first: 'hbr001',
    returns: 'data',
    typescript: 'console.log(data.name, data.current_value_usd)',
    python: 'print(data["name"], data["current_value_usd"])',
  },
  searchSets: {
    query: { q: 'lighthouse' },
    returns: 'list',
    typescript: 'console.log(item.set_number, item.title)',
    python: 'print(item["set_number"], item["title"])',
  },
  searchMinifigs: {
    query: { q: 'keeper' },
    returns: 'list',
    typescript: 'console.log(item.minifig_number, item.name)',
    python: 'print(item["minifig_number"], item["name"])',
  },
  listThemes: {
    returns: 'array',
    typescript: 'console.log(item.theme, item.set_count)',
    python: 'print(item["theme"], item["set_count"])',
  },
  getBatch: {
    body: { sets: ['90000-1', '90001-1'], minifigs: ['hbr001'] },
    returns: 'data',
    typescript: 'console.log(data.summary)',
    python: 'print(data["summary"])',
  },
  getSetHistory: {
    first: '90000-1',
    query: { condition: 'used' },
    returns: 'data',
    typescript: 'console.log(data.history.at(-1))',
    python: 'print(data["history"][-1])',
  },
  getSetRetailPrices: {
    first: '90001-1',
    returns: 'data',
    typescript: 'console.log(data?.retailer_a.price)',
    python: 'print(data and data["retailer_a"]["price"])',
  },
  findRetailPrices: {
    query: { set: '90001-1' },
    returns: 'data',
    typescript: 'console.log(data?.name, data?.retailer_a.price)',
    python: 'print(data and data["name"])',
  },
  watchRetailPrices: {
    query: { changed_within: '24h' },
    returns: 'array',
    typescript: 'console.log(item.setNumber, item.retailer_a.price)',
    python: 'print(item["setNumber"], item["retailer_a"]["price"])',
  },
  listBrickfolios: {
    returns: 'data',
    typescript: 'console.log(data)',
    python: 'print(data)',
  },
  getAnalytics: {
    query: { period: '90d' },
    returns: 'data',
    typescript: 'console.log(data.summary)',
    python: 'print(data["summary"])',
  },
  listEntries: {
    returns: 'list',
    typescript: 'console.log(item.set_number, item.current_value_usd)',
    python: 'print(item["set_number"], item["current_value_usd"])',
  },
  listSales: {
    returns: 'list',
    typescript: 'console.log(item.set_number, item.profit_loss_usd)',
    python: 'print(item["set_number"], item["profit_loss_usd"])',
  },
  getUsage: {
    returns: 'data',
    typescript: 'console.log(data.used, data.days)',
    python: 'print(data["used"], data["days"])',
  },
  listChanges: {
    returns: 'data',
    typescript: 'console.log(data.changes, data.next)',
    python: 'print(data["changes"], data["next"])',
  },
  listSets: {
    query: { theme: 'Harbor' },
    returns: 'list',
    typescript: 'console.log(item.set_number, item.title)',
    python: 'print(item["set_number"], item["title"])',
  },
  listLots: {
    query: { set_number: '90000-1' },
    returns: 'list',
    typescript: 'console.log(item.id, item.notes)',
    python: 'print(item["id"], item["notes"])',
  },
  listAlerts: {
    returns: 'list',
    typescript: 'console.log(item.number, item.reason)',
    python: 'print(item["number"], item["reason"])',
  },
  listExports: {
    returns: 'data',
    typescript: 'console.log(data.exports)',
    python: 'print(data["exports"])',
  },
  findSales: {
    query: { platform: 'ebay' },
    returns: 'list',
    typescript: 'console.log(item.sale_date, item.profit_loss_usd)',
    python: 'print(item["sale_date"], item["profit_loss_usd"])',
  },
}

/** Returns the call that the samples of an endpoint make, and that its form starts with. */
export function sampleCallOf({ operationId }: Operation): SampleCall {
  const call = CALLS[operationId]
  if (!call) throw new Error(`Add a sample of ${operationId} to apps/docs/src/site/endpoint-samples.ts.`)
  return call
}

/** The SDKs find the file and decompress it. */
const DOWNLOAD = {
  curl: `curl -s "\${BRICKMARK_BASE_URL%/v1}/extensions/v1/exports" \\
  -H "Authorization: Bearer $BRICKMARK_API_KEY" |
  grep -o '"file":"sets-[^"]*"' | cut -d '"' -f 4 > file.txt
curl -s -C - -O "\${BRICKMARK_BASE_URL%/v1}/extensions/v1/exports/$(cat file.txt)" \\
  -H "Authorization: Bearer $BRICKMARK_API_KEY"`,
  typescript: `import { Brickmark } from 'brickmark'
import { readExport } from 'brickmark/exports'

const brickmark = new Brickmark()
for await (const set of readExport(brickmark, 'sets')) {
  console.log(set.set_number, set.new_value_usd)
}`,
  python: `from brickmark import Brickmark

brickmark = Brickmark()
for row in brickmark.read_export("sets"):
    print(row["set_number"], row["new_value_usd"])`,
}

/** Returns the same call with curl and both SDKs. */
export function sampleOf(operation: Operation): { curl: string; typescript: string; python: string } {
  if (operation.operationId === 'downloadExport') return DOWNLOAD
  const call = sampleCallOf(operation)
  return {
    curl: curlSample(operation, call),
    typescript: typescriptSample(operation, call),
    python: pythonSample(operation, call),
  }
}

function curlSample({ prefix, path }: Operation, { first, query, body }: SampleCall): string {
  const target = path.replace(/\{\w+\}/, first ?? '') + (query ? `?${new URLSearchParams(query).toString()}` : '')
  const base = prefix === EXTENSIONS ? '${BRICKMARK_BASE_URL%/v1}/extensions/v1' : '$BRICKMARK_BASE_URL'
  const lines = [`curl -s "${base}${target}"`, '  -H "Authorization: Bearer $BRICKMARK_API_KEY"']
  if (body) lines.push('  -H "Content-Type: application/json"', `  -d '${JSON.stringify(body)}'`)
  return lines.join(' \\\n')
}

function typescriptSample({ operationId }: Operation, call: SampleCall): string {
  const { q, ...query } = call.query ?? {}
  const options = call.body ?? query
  const first = call.first ?? q
  const args = [
    ...(first === undefined ? [] : [`'${first}'`]),
    ...(Object.keys(options).length === 0 ? [] : [typescriptObject(options)]),
  ]
  const request = `brickmark.${operationId}(${args.join(', ')})`
  const use =
    call.returns === 'data'
      ? `const { data } = await ${request}\n${call.typescript}`
      : `for await (const item of ${request}) {\n  ${call.typescript}\n}`
  return `import { Brickmark } from 'brickmark'\n\nconst brickmark = new Brickmark()\n${use}`
}

function typescriptObject(value: Record<string, string | string[]>): string {
  const fields = Object.entries(value).map(([name, one]) => `${name}: ${JSON.stringify(one).replaceAll('"', "'")}`)
  return `{ ${fields.join(', ').replaceAll("','", "', '")} }`
}

function pythonSample({ operationId }: Operation, call: SampleCall): string {
  const { q, ...query } = call.query ?? {}
  const first = call.first ?? q
  const named = Object.entries<string | string[]>(call.body ?? query).map(
    ([name, value]) => `${name}=${JSON.stringify(value).replaceAll('","', '", "')}`,
  )
  const method = operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const args = [...(first === undefined ? [] : [`"${first}"`]), ...named]
  const request = `brickmark.${method}(${args.join(', ')})`
  const use =
    call.returns === 'data' ? `data = ${request}.data\n${call.python}` : `for item in ${request}:\n    ${call.python}`
  return `from brickmark import Brickmark\n\nbrickmark = Brickmark()\n${use}`
}
