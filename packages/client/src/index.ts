export { Brickmark, type Schemas } from './brickmark.ts'
export type { Meta, Result } from './response.ts'
export type { BrickmarkOptions, RequestEvent, RequestOptions, ResponseEvent } from './transport.ts'
export { batchCost, type BatchData, type BatchItems } from './batch.ts'
export * from './errors.ts'
export { List, type ListOptions, type Page } from './list.ts'
export {
  verifyWebhook,
  WebhookVerificationError,
  type VerifyWebhookOptions,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhook.ts'
