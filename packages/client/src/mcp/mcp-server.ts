import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'
import { Brickmark } from '../brickmark.ts'
import { openDailyBudget, type DailyBudget } from './daily-budget.ts'
import { getItems, getRetailPrices, getValueHistory, search } from './catalog-tools.ts'
import { getMyAlerts, getMyPerformance, getMyPortfolio, getMyPriceChanges, getMySales } from './account-tools.ts'

const TOOLS = [
  search,
  getItems,
  getValueHistory,
  getRetailPrices,
  getMyPortfolio,
  getMyPerformance,
  getMyPriceChanges,
  getMySales,
  getMyAlerts,
]

const INSTRUCTIONS = `Values are estimates in US dollars, not offers; mention when they were last updated. data_tier is the
confidence level: market, thin, modelled or none. Calls use the user's daily credits, so keep them to a minimum.`

const NO_KEY =
  'No API key found. Ask the user to run `npx brickmark login`, or to set BRICKMARK_API_KEY in the settings of this MCP server and restart it.'

/** In every result. The two limits are separate: the key's own quota, and what assistants may use of it. */
const Common = z.object({
  as_of: z.string(),
  quota_remaining: z.int().nullable().describe("Credits that remain of the key's daily quota."),
  assistant_credits_remaining: z.int().describe('Credits that assistants on this computer may still use today.'),
})

export type McpOptions = {
  /** Undefined if there is none: the server starts anyway, and every tool says what to do. */
  credentials: { apiKey: string; baseUrl: string } | undefined
  version: string
}

/** Serves the tools over stdio until stdin closes. */
export async function serveMcpOverStdio(options: McpOptions): Promise<void> {
  await createMcpServer(options).connect(new StdioServerTransport())
}

/**
 * Serves the tools over streamable HTTP, for this computer only. Each request is independent. Resolves with the URL.
 * Requests of web pages are rejected: they have an `Origin`, or reach this server by a name that isn't its own.
 */
export async function serveMcpOverHttp(options: McpOptions, port: number): Promise<string> {
  const http = createServer((request, response) => void handleHttp(options, request, response))
  await new Promise<void>((resolve, reject) => http.once('error', reject).listen(port, '127.0.0.1', resolve))
  const address = http.address() as { port: number }
  return `http://127.0.0.1:${address.port}/mcp`
}

async function handleHttp(options: McpOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { host = '', origin } = request.headers
  if (request.url !== '/mcp') return void response.writeHead(404).end()
  if (origin !== undefined || !/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return void response.writeHead(403).end()
  const server = createMcpServer(options)
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => void server.close())
  await server.connect(transport)
  await transport.handleRequest(request, response)
}

function createMcpServer({ credentials, version }: McpOptions): McpServer {
  const budget = openDailyBudget(process.env)
  const brickmark = credentials && new Brickmark({ ...credentials, fetch: budget.fetch })
  const server = new McpServer({ name: 'brickmark', version }, { instructions: INSTRUCTIONS })
  for (const { name, title, description, input, output, run } of TOOLS) {
    const config = {
      title,
      description,
      inputSchema: input,
      outputSchema: Common.extend(output.shape),
      annotations: { readOnlyHint: true, openWorldHint: true },
    }
    server.registerTool(name, config, async (given) => {
      // The SDK returns a thrown error to the assistant as a tool error with this message.
      if (brickmark === undefined) throw new Error(NO_KEY)
      const { result, rateLimit } = await run(brickmark, given as never)
      const structuredContent = { ...describeLimits(budget, rateLimit), ...result }
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
    })
  }
  return server
}

function describeLimits(budget: DailyBudget, rateLimit: { remaining: number } | undefined): z.output<typeof Common> {
  return {
    as_of: new Date().toISOString(),
    quota_remaining: rateLimit?.remaining ?? null,
    assistant_credits_remaining: budget.remaining(),
  }
}
