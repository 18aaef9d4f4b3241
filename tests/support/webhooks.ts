import { pino } from 'pino'
import type { VapidKeys } from '@brickmark/worker/webhooks/push-sender'
import { startWorker, type Worker } from '@brickmark/worker/worker'
import { asRole } from './database.ts'

const ALLOWED_NETWORKS = ['127.0.0.1/32']

/** Starts a worker in this process that may send webhooks to 127.0.0.1, and with VAPID keys, notifications. */
export function startWebhookWorker(databaseUrl: string, key: string, vapidKeys?: VapidKeys): Promise<Worker> {
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
      webhooks: { key, allowedNetworks: ALLOWED_NETWORKS },
      push: vapidKeys && { ...vapidKeys, allowedNetworks: ALLOWED_NETWORKS },
    },
    pino({ level: 'silent' }),
  )
}
