import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOLDINGS, startTestService, type TestService } from './support/test-service.ts'

let service: TestService
let server: Server

beforeAll(async () => {
  service = await startTestService()
  server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.close()
  await service.api.stop()
})

/** Serves a page and proxies the API from the same origin, so that no CORS preflight is needed. */
async function serve({ url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (type: string, body: string | Buffer, status = 200) =>
    response.writeHead(status, { 'content-type': type }).end(body)
  if (url === '/') send('text/html', page(service.account.key))
  else if (url === '/brickmark.js') send('text/javascript', readFileSync(new URL('../dist/index.js', import.meta.url)))
  else {
    const answer = await fetch(service.api.origin + url, { headers: { authorization: headers.authorization ?? '' } })
    send('application/json', await answer.text(), answer.status)
  }
}

test('the published bundle runs in Chromium', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const options = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  const { stdout } = await promisify(execFile)('/usr/bin/chromium', [
    ...options,
    ...quiet,
    '--virtual-time-budget=10000',
    '--dump-dom',
    url,
  ])
  const shown = /<pre>(.*)<\/pre>/.exec(stdout)?.[1]
  expect(JSON.parse(shown ?? 'null')).toEqual({
    title: 'Tidewater Lighthouse',
    holdings: HOLDINGS,
    missing: 'NotFoundError',
  })
})

function page(key: string): string {
  return `<!doctype html><pre></pre><script type="module">
    import { Brickmark } from '/brickmark.js'
    const brickmark = new Brickmark({ apiKey: '${key}', baseUrl: '/api/v1' })
    const { data } = await brickmark.getSet('90001-1')
    const holdings = await brickmark.listEntries().toArray()
    const missing = await brickmark.getSet('1').catch((error) => error.name)
    document.querySelector('pre').textContent = JSON.stringify({ title: data.title, holdings: holdings.length, missing })
  </script>`
}
