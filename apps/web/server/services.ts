import type { Database } from '@brickmark/core/db/database'
import type { Auth } from './auth.ts'
import type { WebConfig } from './config.ts'
import type { Mailer } from './mailer.ts'

/** Dependencies created once at startup and shared by all routes. */
export type Services = { db: Database; auth: Auth; config: WebConfig; mailer: Mailer }
