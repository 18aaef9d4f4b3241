import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { createContext, runInContext } from 'node:vm'

/**
 * Runs formulas of sheets/brickmark.gs with stubs of Google's services; each fetch sends a real HTTP request. Runs in a
 * separate process, because `UrlFetchApp.fetch` is synchronous and blocks until the response arrives.
 */

export type ScriptRun = { key: string; baseUrl: string; formulas: [name: string, ...args: unknown[]][] }
export type ScriptResult = { results: ({ value: unknown } | { error: string })[]; requests: string[] }

const { key, baseUrl, formulas } = JSON.parse(await text(process.stdin)) as ScriptRun
const requests: string[] = []
const properties = new Map([['BRICKMARK_API_KEY', key]])
const cache = new Map<string, string>()
let locked = false

const context = createContext({
  PropertiesService: {
    getUserProperties: () => ({
      getProperty: (name: string) => properties.get(name) ?? null,
      setProperty: (name: string, value: string) => properties.set(name, value),
    }),
  },
  CacheService: {
    getScriptCache: () => ({
      get: (name: string) => cache.get(name) ?? null,
      put,
      getAll: (names: string[]) =>
        Object.fromEntries(names.filter((name) => cache.has(name)).map((name) => [name, cache.get(name)])),
      putAll(values: Record<string, string>, seconds: number) {
        for (const [name, value] of Object.entries(values)) put(name, value, seconds)
      },
    }),
  },
  LockService: {
    getScriptLock: () => ({
      waitLock() {
        if (locked) throw new Error('Nested waitLock() would deadlock.')
        locked = true
      },
      releaseLock() {
        locked = false
      },
    }),
  },
  UrlFetchApp: { fetch: fetchSync },
  SpreadsheetApp: {
    getActive: () => ({ createTextFinder: () => ({ matchFormulaText: () => ({ findAll: () => [] }) }) }),
    flush() {},
  },
})
const script = readFileSync(new URL('../../sheets/brickmark.gs', import.meta.url), 'utf8')
runInContext(script.replace(/^const BASE_URL = .*$/m, `const BASE_URL = ${JSON.stringify(baseUrl)}`), context)

const results = formulas.map(([name, ...args]) => {
  try {
    const call = `${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`
    return { value: runInContext(call, context) as unknown }
  } catch (error) {
    return { error: (error as Error).message }
  }
})
process.stdout.write(JSON.stringify({ results, requests } satisfies ScriptResult))

/** Enforces the limits of Google's cache. */
function put(name: string, value: string, seconds: number): void {
  if (name.length > 250 || value.length > 100_000 || seconds > 21_600) throw new Error(`Argument too large: ${name}`)
  cache.set(name, value)
}

type FetchOptions = { method?: string; headers: object; contentType?: string; payload?: string }

function fetchSync(url: string, { method = 'get', headers, contentType, payload }: FetchOptions) {
  requests.push(`${method.toUpperCase()} ${url.slice(baseUrl.length)}`)
  const request = {
    method,
    headers: { ...headers, ...(contentType && { 'content-type': contentType }) },
    body: payload,
  }
  const code = `const r = await fetch(${JSON.stringify(url)}, ${JSON.stringify(request)})
    console.log(JSON.stringify({ status: r.status, headers: Object.fromEntries(r.headers), text: await r.text() }))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  const response = JSON.parse(stdout) as { status: number; headers: object; text: string }
  return {
    getResponseCode: () => response.status,
    getContentText: () => response.text,
    getAllHeaders: () => response.headers,
  }
}
