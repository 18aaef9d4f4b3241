import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { Brickmark } from '../brickmark.ts'
import type { BrickmarkOptions } from '../transport.ts'
import { openDailyBudget } from './daily-budget.ts'
import { getItems, retailPrice, search, valueHistory } from './catalog-tools.ts'
import { myPortfolio, mySales, myWatch } from './account-tools.ts'

const INSTRUCTIONS = `Values are computed estimates in US dollars, not offers; say as of when they are. data_tier says how
well a value is supported: market, thin, modelled, none. Units are the user's daily allowance: use few.`

/** Serves seven read-only tools over stdio until stdin closes. */
export async function serveMcp({ apiKey, baseUrl }: BrickmarkOptions, version: string): Promise<void> {
  const allowance = openDailyBudget(process.env)
  const brickmark = new Brickmark({ apiKey, baseUrl, fetch: allowance.fetch })
  const server = new McpServer({ name: 'brickmark', version }, { instructions: INSTRUCTIONS })
  for (const { name, title, description, input, run } of [
    search,
    getItems,
    valueHistory,
    retailPrice,
    myPortfolio,
    myWatch,
    mySales,
  ]) {
    const annotations = { readOnlyHint: true, openWorldHint: true }
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given) => {
      // The SDK returns a thrown error to the assistant as a tool error with this message.
      const { result, rateLimit } = await run(brickmark, given as never)
      const units_left = Math.min(allowance.remaining(), rateLimit?.remaining ?? Infinity)
      const text = JSON.stringify({ as_of: new Date().toISOString(), units_left, ...result })
      return { content: [{ type: 'text', text }] }
    })
  }
  await server.connect(new StdioServerTransport())
}
