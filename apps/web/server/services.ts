import type { Database } from '@brickmark/core/db/database'
import type { Auth } from './auth.ts'
import type { WebConfig } from './config.ts'
import type { Mailer } from './mailer.ts'

/** What the server makes once and every route may use. */
export type Services = { db: Database; auth: Auth; config: WebConfig; mailer: Mailer }
