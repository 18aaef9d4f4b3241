/** What a license allows. */
export type LicenseRules = {
  /** Whether values may be computed from its sales and retail prices. */
  feeds_values: boolean
  /** Whether its catalog attributes and retail prices may be shown. Single sales are never shown to anyone. */
  shown: boolean
  /** How old shown data may be, as a PostgreSQL interval; null for any age. */
  max_display_age: string | null
  /** How long rows may be kept; null for ever. */
  retention: string | null
  /** What must accompany shown data, and the page that it links to. */
  attribution: string | null
  attribution_url: string | null
}
