import { hash, seededRandom, shade } from './geometry.ts'
import { paletteOf } from './palettes.ts'

const SKINS = ['#e8c39e', '#c98f62', '#8d5a3b', '#f0d2b4', '#a8cfc0']
const DARK = '#20232c'

/** Draws an invented peg person as SVG, always the same for the same number. */
export function drawMinifig({ number, theme }: { number: string; theme: string }): string {
  const random = seededRandom(hash(number))
  const pick = <T>(options: readonly T[]): T => options[Math.floor(random() * options.length)]!
  const [, wall, secondWall, roof, trim, glow] = paletteOf(theme)
  const body = pick([wall, secondWall, roof, trim])
  const skin = pick(SKINS)
  const hat = pick([roof, trim, secondWall, '#3b3f4d'])
  const accent = body === trim ? glow : trim
  const parts = [
    `<ellipse cx="60" cy="134" rx="34" ry="8" fill="#0b1030" opacity=".13"/>`,
    `<path d="M60 62c-20 0-28 20-31 44-2 14-1 21 3 24 6 5 50 5 56 0 4-3 5-10 3-24-3-24-11-44-31-44z" fill="${body}"/>`,
    `<path d="M60 62c20 0 28 20 31 44 2 14 1 21-3 24-3 2.4-13 3.6-22 3.8 12-8 14-50-6-71.800z" fill="${shade(body, -0.2)}"/>`,
    pick(outfits(body, accent)),
    `<circle cx="60" cy="46" r="25" fill="${skin}"/><path d="M60 71a25 25 0 0 0 9-48.300c6 14 4 36-9 48.300z" fill="${shade(skin, -0.12)}"/>`,
    `<circle cx="52" cy="48" r="2.8" fill="${DARK}"/><circle cx="68" cy="48" r="2.8" fill="${DARK}"/>`,
    `<path d="M54 58q6 ${pick([5, 4, 2])} 12 0" fill="none" stroke="${DARK}" stroke-width="2" stroke-linecap="round"/>`,
    pick(headwear(hat, accent, skin)),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-13 0 146 146" aria-hidden="true">${parts.join('')}</svg>`
}

function outfits(body: string, accent: string): string[] {
  const buttons = [96, 109, 122].map((y) => `<circle cx="60" cy="${y}" r="3" fill="${accent}"/>`).join('')
  return [
    `<path d="M29.5 102c14 8 47 8 61 0l1 9c-15 9-48 9-63 0z" fill="${accent}"/>`,
    `<path d="M60 86v44" stroke="${shade(body, -0.35)}" stroke-width="2"/>${buttons}`,
    `<path d="M42 74c8 9 28 9 36 0l4 9c-10 12-34 12-44 0z" fill="${accent}"/><path d="M70 84l10 20-9 2-7-19z" fill="${shade(accent, -0.15)}"/>`,
  ]
}

function headwear(hat: string, accent: string, skin: string): string[] {
  return [
    `<path d="M34 42c0-32 52-32 52 0-14-6-38-6-52 0z" fill="${hat}"/><path d="M30 43c10-8 50-8 60 0 2 4-2 6-6 4-14-6-34-6-48 0-4 2-8 0-6-4z" fill="${shade(hat, 0.16)}"/>`,
    `<path d="M35 40c6-12 12-34 25-36 13 2 19 24 25 36-14-6-36-6-50 0z" fill="${hat}"/><circle cx="60" cy="7" r="6" fill="${accent}"/>`,
    `<path d="M35 44c-4-34 54-34 50 0-3-10-8-15-13-18-8 8-28 9-37 18z" fill="${shade(skin, -0.6)}"/>`,
    `<path d="M40 32V10q20-8 40 0v22q-20-6-40 0z" fill="${hat}"/><path d="M28 36c12-10 52-10 64 0 2 5-64 5-64 0z" fill="${shade(hat, -0.14)}"/><path d="M40 26q20-6 40 0v6q-20-6-40 0z" fill="${accent}"/>`,
    `<path d="M33 46c-2-38 56-38 54 0l-5 4c2-20-10-27-22-27s-24 7-22 27z" fill="${hat}"/><circle cx="60" cy="17" r="5" fill="${accent}"/>`,
  ]
}
