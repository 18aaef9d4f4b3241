import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { ensureDebianPackage } from './debian.ts'

/** Runs `work` with a redis-server from Debian. Persistence is off, its fastest configuration. */
export async function withDebianRedis<T>(work: (port: number, pid: number) => Promise<T>): Promise<T> {
  ensureDebianPackage('redis-server', '/usr/bin/redis-server')
  const port = await freePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', options, { stdio: 'ignore', detached: true })
  try {
    await waitUntilListening(port)
    return await work(port, server.pid!)
  } finally {
    const gone = once(server, 'exit')
    server.kill()
    await gone
  }
}

async function waitUntilListening(port: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50)) {
    const socket = connect(port, '127.0.0.1')
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      once(socket, 'error').then(() => ['error']),
    ]).catch(() => ['error'])
    socket.destroy()
    if (event === 'connect') return
  }
  throw new Error(`redis-server is not listening on port ${port} after 10 s`)
}
