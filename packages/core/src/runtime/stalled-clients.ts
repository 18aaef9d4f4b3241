import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const CHECK_INTERVAL_MS = 10_000

/**
 * Disconnects clients that take nothing of a response for 10 to 20 seconds: they keep it in memory. A timeout of the socket
 * isn't enough, because a client can keep sending while it doesn't read.
 */
export function disconnectStalledClients(server: Server): void {
  /** What each client with an unfinished response had taken at the last check, in bytes. */
  const taken = new Map<Socket, number>()
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      taken.delete(socket)
    })
  })
  const timer = setInterval(() => {
    for (const socket of sockets) {
      const bytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0) taken.delete(socket)
      else if (taken.get(socket) === bytes) socket.destroy()
      else taken.set(socket, bytes)
    }
  }, CHECK_INTERVAL_MS).unref()
  server.on('close', () => clearInterval(timer))
}
