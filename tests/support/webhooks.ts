import { pino } from 'pino'
import { startWorker, type Worker } from '@brickmark/worker/worker'
import { asRole } from './database.ts'

/** Starts a worker in this process that may send webhooks to 127.0.0.1. */
export function startWebhookWorker(databaseUrl: string, key: string): Promise<Worker> {
  const url = asRole(databaseUrl, 'brickmark_worker')
  return startWorker(
    {
      databaseUrl: url,
      listenUrl: url,
      connectors: [],
      rebrickable: undefined,
      brickset: undefined,
      exchangeRatesUrl: undefined,
      logLevel: 'silent',
      metrics: undefined,
      webhooks: { key, allowedNetworks: ['127.0.0.1/32'] },
    },
    pino({ level: 'silent' }),
  )
}
