import { hash, seededRandom } from './geometry.ts'
import { MODELS } from './models.ts'
import { paletteOf } from './palettes.ts'
import { Scene } from './scene.ts'

/** What a picture is drawn from. */
export type ArtSubject = { number: string; title: string; theme: string; pieces: number | null }

type ModelKind = keyof typeof MODELS

const NOUNS: readonly (readonly [words: RegExp, kind: ModelKind])[] = [
  [/music box|orrery|float|carousel|theatre|puppet/i, 'musicbox'],
  [/drawbridge|bridge|viaduct|crossing|pier\b|rope walk|ramp/i, 'bridge'],
  [/windmill|watermill|creamery|press\b/i, 'mill'],
  [/tree|fairy|glade|spring|ring\b|dance/i, 'tree'],
  [/airship|blimp|balloon|glider|gyro|seaplane/i, 'airship'],
  [/lighthouse|tower|mast|lookout|buoy|telescope/i, 'tower'],
  [/tugboat|boat\b|raft|submersible|scooter|dock\b/i, 'ship'],
  [/hay wagon|hay ?cart/i, 'wagon'],
  [/wheelbarrow/i, 'garden'],
  [/wagon|shunter|railbus|coach|tram|plough/i, 'train'],
  [/automaton|giant|exosuit|team|crane|arm\b|drill/i, 'creature'],
  [/truck|van\b|bus\b|car\b|dragster|transporter|rover|crawler/i, 'vehicle'],
  [/lander|pod\b|drone|relay|depot|repair|tug\b/i, 'spacecraft'],
  [/dome|greenhouse|observatory|habitat|diving bell|cave/i, 'dome'],
  [/gatehouse|hall|ruin|keep|siege|smithy|stable|falconry|scriptorium|steps/i, 'castle'],
  [/pot\b|herb|trio|bed\b|tray|trellis|arch\b|beehives|bath|farm\b|playground/i, 'garden'],
  [/stall|cart|stand|kiosk|bar\b|pool|camp|pit stop/i, 'stall'],
]
const KINDS_BY_THEME: Record<string, readonly ModelKind[]> = {
  'Clockwork Quarter': ['musicbox', 'house', 'creature'],
  'Glacier Watch': ['dome', 'tower', 'vehicle'],
  'Harbor Row': ['ship', 'house', 'tower'],
  'Lantern Street': ['house', 'stall'],
  'Meadow and Mill': ['mill', 'house', 'garden'],
  'Moonlit Grove': ['tree', 'bridge', 'house'],
  'Orbital Yard': ['spacecraft', 'dome'],
  'Pocket Gardens': ['garden', 'tree'],
  'Railhead Valley': ['train', 'house', 'bridge'],
  'Sky Ferry Lines': ['airship', 'tower'],
  'Speedway Junction': ['vehicle', 'stall'],
  'Stonecrown Keep': ['castle', 'tower'],
  'Thimble Town': ['house', 'vehicle', 'stall'],
  'Tidepool Deep': ['ship', 'dome'],
  'Verdant Expedition': ['tree', 'bridge', 'house'],
}

const TYPICAL_PIECES = 200
const [SMALL, MEDIUM] = [60, 400]

/** Draws an invented brick-built model as SVG, always the same for the same set. It copies no product. */
export function drawSet(subject: ArtSubject): string {
  const random = seededRandom(hash(subject.number))
  const pieces = subject.pieces ?? TYPICAL_PIECES
  const size = pieces < SMALL ? 0 : pieces < MEDIUM ? 1 : 2
  const scene = new Scene()
  MODELS[kindOf(subject)](scene, {
    ...colorsOf(subject),
    size,
    random,
    pick: (...options) => options[Math.floor(random() * options.length)]!,
  })
  return scene.toSvg('', size)
}

function kindOf({ title, theme }: ArtSubject): ModelKind {
  const named = NOUNS.find(([words]) => words.test(title))
  if (named !== undefined) return named[1]
  if (/house|bakery|shop|inn|store|studio|library|office|clinic/i.test(title)) return 'house'
  return KINDS_BY_THEME[theme]?.[0] ?? 'house'
}

/** Returns the colors of a theme in one of four arrangements. */
function colorsOf({ number, theme }: ArtSubject) {
  const [ground, wall, secondWall, roof, trim, glow] = paletteOf(theme)
  const colors = { ground, wall, secondWall, roof, trim, glow }
  const arrangements = [
    colors,
    { ...colors, wall: secondWall, secondWall: wall },
    { ...colors, roof: secondWall, secondWall: roof },
    { ...colors, roof: trim, trim: roof },
  ]
  return arrangements[hash(`${number}/paint`) % arrangements.length]!
}
