import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked, type Tokens } from 'marked'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { AlertEvent, EVENT_TYPES, TestEvent } from '@brickmark/core/webhook/event'

/** The page about webhooks: its examples are events as we send them, and its servers handle them. */

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(join(REPOSITORY, 'apps/docs/src/content/docs/webhooks.md'), 'utf8')
const blocks = new Marked().lexer(page).filter((token) => token.type === 'code') as Tokens.Code[]
const examples = blocks.filter(({ lang }) => lang === 'json example').map(({ text }) => text)
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Names in the first column of the table after a text. */
function rowsAfter(text: string): string[] {
  const table = page
    .slice(page.indexOf(text))
    .split('\n\n')
    .find((paragraph) => paragraph.startsWith('|'))!
  return Array.from(table.matchAll(/^\| `([^`]+)` \|/gm), ([, name]) => name!)
}

test('lists every type of event and every field', () => {
  expect(rowsAfter('## Events').toSorted()).toEqual([...EVENT_TYPES].toSorted())
  expect(rowsAfter('"actual_pct": null')).toEqual(Object.keys(AlertEvent.shape.data.shape))
})

test('its examples are valid events', () => {
  expect(examples).toHaveLength(2)
  expect(AlertEvent.parse(JSON.parse(examples[0]!)).type).toBe('alert.price_at_most')
  TestEvent.parse(JSON.parse(examples[1]!))
})

describe.each([
  ['ts', 'server.mjs', process.execPath],
  ['python', 'server.py', 'python3'],
])('the server in %s', (language, file, command) => {
  test('handles events and rejects forgeries', async () => {
    const sample = blocks.find(({ lang }) => lang === `${language} shown`)!.text
    const port = await freePort()
    const output = await startSample(language, file, command, sample.replace('3000', String(port)))
    const send = async (body: string, secret = SECRET) => {
      const at = new Date()
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
      }
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status
    }
    await expect.poll(() => send(examples[0]!).catch(() => 'not yet'), { timeout: 30_000 }).toBe(204)
    expect(await send(examples[1]!)).toBe(204)
    expect(await send(examples[0]!, `whsec_${Buffer.alloc(32, 8).toString('base64')}`)).toBe(400)
    await expect.poll(output).toBe('$39.99 ≤ your $42.00 at Retailer A\nIt works\n')
  })
})

/** Starts a sample in a folder where it finds the SDK; returns what it has printed. */
async function startSample(language: string, file: string, command: string, text: string): Promise<() => string> {
  const cache = join(REPOSITORY, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'sample-'))
  await writeFile(join(folder, file), language === 'ts' ? stripTypeScriptTypes(text) : text)
  const child = spawn(command, [join(folder, file)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: join(REPOSITORY, 'packages/client-python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONIOENCODING: 'utf8',
      WEBHOOK_SECRET: SECRET,
    },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  onTestFinished(async () => {
    child.kill()
    await rm(folder, { recursive: true })
  })
  return () => output
}
