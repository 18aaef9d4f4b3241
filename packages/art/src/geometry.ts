/** A point in space: x runs to the right and down, y to the left and down, both in studs; z runs up, in plates. */
export type Point = readonly [x: number, y: number, z: number]

/** On the screen, a stud is 16 px wide and 8 px deep, and a plate is 7 px high. A brick is three plates high. */
export const STUD_WIDTH = 16
export const STUD_DEPTH = 8
export const PLATE_HEIGHT = 7

export function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Projects a point to the screen. */
export function project([x, y, z]: Point): [x: number, y: number] {
  return [round((x - y) * STUD_WIDTH), round((x + y) * STUD_DEPTH - z * PLATE_HEIGHT)]
}

export function interpolate(from: Point, to: Point, fraction: number): Point {
  return [
    from[0] + (to[0] - from[0]) * fraction,
    from[1] + (to[1] - from[1]) * fraction,
    from[2] + (to[2] - from[2]) * fraction,
  ]
}

export function polygon(points: readonly Point[], fill: string): string {
  const corners = points.map((point) => project(point).join(' ')).join('L')
  return `<path d="M${corners}z" fill="${fill}" stroke="${fill}"/>`
}

export function line(from: Point, to: Point): string {
  return `M${project(from).join(' ')}L${project(to).join(' ')}`
}

/** Draws studs at projected points. */
export function studs(at: readonly (readonly [x: number, y: number])[], color: string): string {
  if (at.length === 0) return ''
  const sides = at.map(([x, y]) => `M${x} ${round(2 * y)}v-8`).join('')
  const tops = at.map(([x, y]) => `M${x} ${round(2 * y - 8)}h0`).join('')
  return `<g transform="scale(1 .5)" fill="none" stroke-linecap="round" stroke-width="13"><path d="${sides}" stroke="${shade(color, -0.16)}"/><path d="${tops}" stroke="${shade(color, 0.27)}"/></g>`
}

/** Makes a color darker (negative) or lighter. */
export function shade(color: string, amount: number): string {
  return amount < 0 ? mix(color, '#14163a', -amount) : mix(color, '#ffffff', amount)
}

function mix(from: string, to: string, share: number): string {
  const part = (color: string, index: number) => Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16)
  const mixed = [0, 1, 2].map((index) => Math.round(part(from, index) + (part(to, index) - part(from, index)) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

export function hash(text: string): number {
  let value = 2166136261
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0)!, 16777619)
  return value >>> 0
}

/** Returns a generator of numbers from 0 to 1 that depends only on the seed. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export function svgLabel(label: string): string {
  return label === '' ? 'aria-hidden="true"' : `role="img" aria-label="${label.replace(/[<>&"]/g, '')}"`
}
