import { setTimeout as sleep } from 'node:timers/promises'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peakMemoryMb } from '@brickmark/tests/support/timing'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'

/** Readers who take much and give nothing back. The docs are a process of their own, with a limit of 384 MB. */

const MAX_MB = 256
let docs: ChildProcess
let port: number

beforeAll(async () => {
  port = await freePort()
  docs = spawn(process.execPath, [fileURLToPath(new URL('../server/main.ts', import.meta.url))], {
    env: { ...process.env, API_URL: 'https://api.example.com/api/v1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(docs.stdout!, 'data')
})
afterAll(async () => {
  docs.kill()
  await once(docs, 'exit')
})

test('neither 200 downloads without compression nor 150 readers who never read cost memory', async () => {
  const url = `http://127.0.0.1:${port}/docs/reference/scalar.js`
  // On a busy machine, one may stall for longer than the server waits for readers.
  const download = async (attempts = 3): Promise<number> => {
    try {
      const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
      return (await response.arrayBuffer()).byteLength
    } catch (error) {
      if (attempts === 1) throw error
      return download(attempts - 1)
    }
  }
  const sizes = await Promise.all(Array.from({ length: 200 }, () => download()))
  expect(new Set(sizes).size).toBe(1)
  expect(sizes[0]).toBeGreaterThan(4_000_000)
  const sockets = await Promise.all(
    Array.from({ length: 150 }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.on('error', () => {}).pause()
      socket.write('GET /docs/reference/scalar.js HTTP/1.1\r\nHost: docs\r\n\r\n')
      return socket
    }),
  )
  const closed = await Promise.all(sockets.map((socket) => isClosedWithin(socket, 60_000)))
  expect(closed.filter(Boolean)).toHaveLength(150)
  expect(await peakMemoryMb(docs.pid!)).toBeLessThan(MAX_MB)
})

/** A paused socket doesn't notice that it was closed; a socket that the server has dropped can't be written to for long. */
async function isClosedWithin(socket: Socket, ms: number): Promise<boolean> {
  const until = Date.now() + ms
  while (Date.now() < until) {
    if (socket.destroyed) return true
    socket.write('\r\n')
    await sleep(1000)
  }
  socket.destroy()
  return false
}
