import { themeTint } from './palettes.ts'

const WIDTH = 1200
const HEIGHT = 630
const PICTURE_SIZE = 560
const STUD_SPACING = 60
const PAPER = '#ffffff'

/** Puts an illustration on its plinth, in the format of link previews. */
export function previewSvg(illustration: string, theme: string): string {
  const tint = themeTint(theme)
  const x = (WIDTH - PICTURE_SIZE) / 2
  const y = (HEIGHT - PICTURE_SIZE) / 2
  const placed = illustration.replace(
    '<svg ',
    `<svg x="${x}" y="${y}" width="${PICTURE_SIZE}" height="${PICTURE_SIZE}" `,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<defs><pattern id="studs" width="${STUD_SPACING}" height="${STUD_SPACING}" patternUnits="userSpaceOnUse">
<circle cx="${STUD_SPACING / 2}" cy="${STUD_SPACING / 2}" r="6" fill="${tint}" opacity=".25"/></pattern></defs>
<rect width="100%" height="100%" fill="${PAPER}"/><rect width="100%" height="100%" fill="${tint}" opacity=".15"/>
<rect width="100%" height="100%" fill="url(#studs)"/>${placed}</svg>`
}
