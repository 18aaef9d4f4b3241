/** Where the claims about one kind of item are stored, and what they resolve to. */
export type ClaimedItem = {
  key: 'set_number' | 'minifig_number'
  /** One row per item and source. */
  claims: string
  /** What the claims resolve to. */
  catalog: string
  /** Which source each attribute comes from. */
  origins: string
  /** Attributes and their types. */
  attributes: Record<string, string>
  /** What an attribute that can't be blank says if no source does. */
  placeholders: Record<string, string>
}

export const CLAIMED_SET: ClaimedItem = {
  key: 'set_number',
  claims: 'source.set_claim',
  catalog: 'catalog.set',
  origins: 'catalog.set_origin',
  attributes: {
    title: 'text',
    theme: 'text',
    subtheme: 'text',
    pieces: 'integer',
    msrp_cents: 'integer',
    release_year: 'integer',
    release_date: 'date',
    retire_date: 'date',
    asin: 'text',
    upc: 'text',
    ean: 'text',
    image_url: 'text',
    box_width_in: 'numeric',
    box_height_in: 'numeric',
    box_depth_in: 'numeric',
    box_weight_lbs: 'numeric',
  },
  placeholders: { title: `'Set ' || set_number`, theme: `'Unknown'` },
}

export const CLAIMED_MINIFIG: ClaimedItem = {
  key: 'minifig_number',
  claims: 'source.minifig_claim',
  catalog: 'catalog.minifig',
  origins: 'catalog.minifig_origin',
  attributes: { name: 'text', category: 'text', color: 'text', year_released: 'integer', image_url: 'text' },
  placeholders: { name: `'Minifig ' || minifig_number` },
}
