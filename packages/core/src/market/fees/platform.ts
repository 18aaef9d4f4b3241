/** Platforms on which a sale can be made. */
export const PLATFORMS = [
  'ebay',
  'bricklink',
  'amazon',
  'walmart',
  'facebook',
  'mercari',
  'whatnot',
  'local',
  'other',
] as const

export type Platform = (typeof PLATFORMS)[number]

export function isPlatform(text: string): text is Platform {
  return (PLATFORMS as readonly string[]).includes(text)
}
