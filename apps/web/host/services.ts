import type { findAnnouncement } from '@brickmark/core/account/announcement-queries'
import type { Database } from '@brickmark/core/db/database'
import type { DealCandidates } from '@brickmark/core/portfolio/deal-queries'
import type { Auth } from './auth.ts'
import type { WebConfig } from './config.ts'
import type { UploadReader } from './import/upload-reader.ts'
import type { LegalPages } from './legal-pages.ts'
import type { Mailer } from './mailer.ts'
import type { PreviewPictures } from './preview-pictures.ts'
import type { RateLimits } from './rate-limits.ts'

/** Dependencies created once at startup and shared by all routes. */
export type Services = {
  db: Database
  auth: Auth
  config: WebConfig
  mailer: Mailer
  rateLimits: RateLimits
  uploadReader: UploadReader
  previews: PreviewPictures
  legalPages: LegalPages
  /** What shops sell below value, a few seconds old at most. */
  dealCandidates: () => Promise<DealCandidates>
  /** The message at the top of every page, a few seconds old at most. */
  announcement: () => ReturnType<typeof findAnnouncement>
}
