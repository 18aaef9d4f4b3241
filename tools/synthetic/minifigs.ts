import { elementAt, type Random } from './random.ts'
import type { MinifigRow, SetMinifigRow, SetRow } from './types.ts'
import { COLORS, OUTFITS, THEMES, type ThemeVocabulary } from './vocabulary.ts'

const MINIFIGS_PER_THEME = 28

/** Generates 28 minifigs per theme, numbered with the theme's code. */
export function generateMinifigs(random: Random, todayYear: number): MinifigRow[] {
  return THEMES.flatMap((theme) =>
    random
      .shuffle(namesOf(theme))
      .slice(0, MINIFIGS_PER_THEME)
      .map((name, index) => minifig(random, theme, index, name, todayYear)),
  )
}

/** Assigns minifigs to sets: zero to six of the set's own theme, usually one of each. */
export function linkMinifigs(random: Random, sets: SetRow[], minifigs: MinifigRow[]): SetMinifigRow[] {
  return sets.flatMap((set) => {
    const ofTheme = minifigs.filter((minifig) => minifig.minifig_number.startsWith(codeOf(set.theme)))
    const most = 1 + Math.round(Math.sqrt((set.pieces ?? 80) / 30))
    const count = Math.min(random.int(0, Math.min(most, 6)), ofTheme.length)
    return random
      .shuffle(ofTheme)
      .slice(0, count)
      .map(({ minifig_number }) => ({
        set_number: set.set_number,
        minifig_number,
        quantity: random.chance(0.93) ? 1 : random.int(2, 4),
      }))
  })
}

function minifig(random: Random, theme: ThemeVocabulary, index: number, name: string, todayYear: number): MinifigRow {
  const minifig_number = `${theme.code}${String(index + 1).padStart(3, '0')}`
  return {
    minifig_number,
    name,
    category: random.chance(0.95) ? theme.name : null,
    color: random.chance(0.4) ? random.pick(COLORS) : null,
    year_released: random.chance(0.95) ? todayYear - random.int(0, 6) : null,
    image_url: random.chance(0.96) ? `https://images.brickmark.example/minifigs/${minifig_number}.png` : null,
  }
}

function namesOf(theme: ThemeVocabulary): string[] {
  return theme.roles.flatMap((role) => OUTFITS.map((outfit) => `${role}, ${outfit}`))
}

function codeOf(theme: string): string {
  return elementAt(
    THEMES.filter(({ name }) => name === theme),
    0,
  ).code
}
