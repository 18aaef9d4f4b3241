import { pino } from 'pino'

/** Writes JSON lines to standard error. Never log a request's body. */
export const log = pino({ level: process.env['LOG_LEVEL'] ?? 'info' }, pino.destination({ fd: 2, sync: true }))
