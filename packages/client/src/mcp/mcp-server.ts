import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { Brickmark } from '../brickmark.ts'
import type { BrickmarkOptions } from '../transport.ts'
import { openDailyBudget } from './daily-budget.ts'
import { getItems, retailPrice, search, valueHistory } from './catalog-tools.ts'
import { myPortfolio, mySales, myWatch } from './account-tools.ts'

const INSTRUCTIONS = `Values are estimates in US dollars, not offers; mention when they were last updated. data_tier is the
confidence level: market, thin, modelled or none. Calls use the user's daily credits, so keep them to a minimum.`

/** Serves seven read-only tools over stdio until stdin closes. */
export async function serveMcp({ apiKey, baseUrl }: BrickmarkOptions, version: string): Promise<void> {
  const budget = openDailyBudget(process.env)
  const brickmark = new Brickmark({ apiKey, baseUrl, fetch: budget.fetch })
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
      const credits_remaining = Math.min(budget.remaining(), rateLimit?.remaining ?? Infinity)
      const text = JSON.stringify({ as_of: new Date().toISOString(), credits_remaining, ...result })
      return { content: [{ type: 'text', text }] }
    })
  }
  await server.connect(new StdioServerTransport())
}
