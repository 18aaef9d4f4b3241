import {
  interpolate,
  line,
  PLATE_HEIGHT,
  polygon,
  project,
  round,
  shade,
  STUD_DEPTH,
  STUD_WIDTH,
  studs as drawStuds,
  svgLabel,
  type Point,
} from './geometry.ts'

/** A part of a model with the box it fills. `covers` is false if studs below it stay visible. */
type Part = {
  x: number
  y: number
  z: number
  X: number
  Y: number
  Z: number
  covers: boolean
  draw: (parts: readonly Part[]) => string
}

/** A panel on a face of a brick: from, to, bottom, top and color. */
type Panel = readonly [from: number, to: number, bottom: number, top: number, color: string]

type BoxOptions = { studs?: boolean; seams?: boolean; left?: readonly Panel[]; right?: readonly Panel[] }

/** How much room a model of a size has around it. */
const MARGINS = [1.34, 1.2, 1.12] as const

export type ModelSize = 0 | 1 | 2

/** A model built from parts, which are drawn from the back to the front. */
export class Scene {
  readonly #parts: Part[] = []

  /** A brick of `width` by `depth` studs and `height` plates, with panels on its left and right face. */
  box(
    x: number,
    y: number,
    z: number,
    width: number,
    depth: number,
    height: number,
    color: string,
    { studs = true, seams = true, left = [], right = [] }: BoxOptions = {},
  ): this {
    const [X, Y, Z] = [x + width, y + depth, z + height]
    return this.#add([x, y, z], [X, Y, Z], true, (parts) => {
      const faces = [
        polygon(
          [
            [x, Y, Z],
            [X, Y, Z],
            [X, Y, z],
            [x, Y, z],
          ],
          color,
        ),
        polygon(
          [
            [X, Y, Z],
            [X, y, Z],
            [X, y, z],
            [X, Y, z],
          ],
          shade(color, -0.2),
        ),
      ]
      if (seams && height >= 3) faces.push(drawSeams([x, y, z], [X, Y, Z], color))
      for (const [from, to, bottom, top, fill] of left)
        faces.push(
          polygon(
            [
              [x + from, Y, z + top],
              [x + to, Y, z + top],
              [x + to, Y, z + bottom],
              [x + from, Y, z + bottom],
            ],
            fill,
          ),
        )
      for (const [from, to, bottom, top, fill] of right)
        faces.push(
          polygon(
            [
              [X, Y - from, z + top],
              [X, Y - to, z + top],
              [X, Y - to, z + bottom],
              [X, Y - from, z + bottom],
            ],
            shade(fill, -0.13),
          ),
        )
      faces.push(
        polygon(
          [
            [x, y, Z],
            [X, y, Z],
            [X, Y, Z],
            [x, Y, Z],
          ],
          shade(color, 0.16),
        ),
      )
      if (studs) faces.push(drawStuds(visibleStuds([x, y, Z], width, depth, parts), color))
      return faces.join('')
    })
  }

  /** A round brick around a point; `top` is its radius at the top. */
  cylinder(
    x: number,
    y: number,
    z: number,
    radius: number,
    height: number,
    color: string,
    { stud = true, top = radius }: { stud?: boolean; top?: number } = {},
  ): this {
    const from: Point = [x - radius, y - radius, z]
    return this.#add(from, [x + radius, y + radius, z + height], false, () => {
      const [cx, cy] = project([x, y, z])
      const ellipse = (r: number) => [round(r * STUD_WIDTH * 1.3), round(r * STUD_DEPTH * 1.3)] as const
      const [[a, b], [topA, topB]] = [ellipse(radius), ellipse(top)]
      const topY = cy - height * PLATE_HEIGHT
      if (radius <= 0.16)
        return `<path d="M${cx} ${round(cy)}V${round(topY)}" stroke="${shade(color, -0.06)}" stroke-width="${round(radius * 36)}"/>`
      const body = [
        `<path d="M${round(cx - topA)} ${topY}L${round(cx - a)} ${cy}a${a} ${b} 0 0 0 ${round(2 * a)} 0L${round(cx + topA)} ${topY}z" fill="${color}"/>`,
        `<path d="M${round(cx + topA * 0.25)} ${round(topY + topB * 0.9)}L${round(cx + a * 0.25)} ${round(cy + b * 0.96)}A${a} ${b} 0 0 0 ${round(cx + a)} ${cy}L${round(cx + topA)} ${topY}z" fill="${shade(color, -0.2)}"/>`,
      ]
      if (topA > 1)
        body.push(`<ellipse cx="${cx}" cy="${topY}" rx="${topA}" ry="${topB}" fill="${shade(color, 0.16)}"/>`)
      if (stud && top >= 0.4) {
        const at = studsOnCylinder(top).map(([dx, dy]) => project([x + dx, y + dy, z + height]))
        body.push(drawStuds(at, color))
      }
      return body.join('')
    })
  }

  /** A gable roof with its ridge along x or y. */
  roof(
    x: number,
    y: number,
    z: number,
    width: number,
    depth: number,
    height: number,
    color: string,
    ridge: 'x' | 'y' = 'x',
    gable = color,
  ): this {
    const [X, Y, Z] = [x + width, y + depth, z + height]
    const [middleX, middleY] = [x + width / 2, y + depth / 2]
    const rows = (from: Point, to: Point, otherFrom: Point, otherTo: Point) => {
      let path = ''
      for (let row = 1; row < height / 3; row++) {
        const fraction = (3 * row) / height
        path += line(interpolate(from, to, fraction), interpolate(otherFrom, otherTo, fraction))
      }
      return path === '' ? '' : `<path d="${path}" stroke="${shade(color, -0.3)}" stroke-width="1" opacity=".5"/>`
    }
    return this.#add([x, y, z], [X, Y, Z], true, () =>
      (ridge === 'x'
        ? [
            polygon(
              [
                [x, y, z],
                [X, y, z],
                [X, middleY, Z],
                [x, middleY, Z],
              ],
              shade(color, -0.1),
            ),
            polygon(
              [
                [x, Y, z],
                [X, Y, z],
                [X, middleY, Z],
                [x, middleY, Z],
              ],
              shade(color, 0.1),
            ),
            polygon(
              [
                [X, y, z],
                [X, Y, z],
                [X, middleY, Z],
              ],
              shade(gable, -0.2),
            ),
            rows([x, Y, z], [x, middleY, Z], [X, Y, z], [X, middleY, Z]),
          ]
        : [
            polygon(
              [
                [x, y, z],
                [x, Y, z],
                [middleX, Y, Z],
                [middleX, y, Z],
              ],
              shade(color, 0.12),
            ),
            polygon(
              [
                [X, y, z],
                [X, Y, z],
                [middleX, Y, Z],
                [middleX, y, Z],
              ],
              shade(color, -0.14),
            ),
            polygon(
              [
                [x, Y, z],
                [X, Y, z],
                [middleX, Y, Z],
              ],
              gable,
            ),
            rows([X, Y, z], [middleX, Y, Z], [X, y, z], [middleX, y, Z]),
          ]
      ).join(''),
    )
  }

  /** A wheel on the left side of a vehicle; `z` is its middle, in plates. */
  wheel(x: number, y: number, z: number, radius: number, hub = '#d9dce2'): this {
    const thickness = 0.5
    const from: Point = [x - radius, y, z - radius * 2.4]
    return this.#add(from, [x + radius, y + thickness, z + radius * 2.4], false, () => {
      const circle = (offset: number, r: number, fill: string) => {
        const [cx, cy] = project([x, y + offset, z])
        return `<circle transform="matrix(${STUD_WIDTH} ${STUD_DEPTH} 0 -17 ${cx} ${cy})" r="${r}" fill="${fill}"/>`
      }
      return [
        circle(0, radius, '#1b1d24'),
        circle(thickness / 2, radius, '#1b1d24'),
        circle(thickness, radius, '#2e323c'),
        circle(thickness, round(radius * 0.58), hub),
        circle(thickness, round(radius * 0.2), '#6a7080'),
      ].join('')
    })
  }

  /** A flat shape. It is sorted as if it reached down to `bottom`. */
  shape(points: readonly Point[], color: string, bottom?: number): this {
    const axis = (index: 0 | 1 | 2) => points.map((point) => point[index])
    const [xs, ys, zs] = [axis(0), axis(1), axis(2)]
    const from: Point = [Math.min(...xs), Math.min(...ys), bottom ?? Math.min(...zs)]
    const to: Point = [Math.max(from[0] + 0.05, ...xs), Math.max(from[1] + 0.05, ...ys), Math.max(from[2] + 0.1, ...zs)]
    return this.#add(from, to, false, () => polygon(points, color))
  }

  /** Small plants: positions and heights. */
  plants(
    list: readonly (readonly [x: number, y: number, z: number, height: number])[],
    leaf: string,
    flower: string,
  ): this {
    for (const [x, y, z, height] of list) {
      this.cylinder(x + 0.5, y + 0.5, z, 0.16, height, leaf, { stud: false })
      this.cylinder(x + 0.5, y + 0.5, z + height, 0.36, 1.4, flower)
    }
    return this
  }

  toSvg(label: string, size: ModelSize): string {
    const parts = this.#parts
    const corners = parts.flatMap(({ x, y, z, X, Y, Z }) =>
      (
        [
          [x, Y, z],
          [X, y, z],
          [x, y, Z],
          [X, Y, z],
          [x, Y, Z],
          [X, y, Z],
        ] satisfies Point[]
      ).map(project),
    )
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
    const [left, right] = [Math.min(...xs), Math.max(...xs)]
    const [top, bottom] = [Math.min(...ys) - 4, Math.max(...ys)]
    const span = Math.max(right - left, (bottom - top) * 1.02) * MARGINS[size]
    const [cx, cy] = [(left + right) / 2, (top + bottom) / 2 + span * 0.012]
    const viewBox = [cx - span / 2, cy - span / 2, span, span].map(Math.round).join(' ')
    const body = backToFront(parts)
      .map((part) => part.draw(parts))
      .join('')
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" ${svgLabel(label)} stroke-linejoin="round" stroke-width=".6">${drawShadow(parts)}${body}</svg>`
  }

  #add([x, y, z]: Point, [X, Y, Z]: Point, covers: boolean, draw: Part['draw']): this {
    this.#parts.push({ x, y, z, X, Y, Z, covers, draw })
    return this
  }
}

function drawSeams([x, y, z]: Point, [X, Y, Z]: Point, color: string): string {
  let path = ''
  for (let top = z + 3, row = 0; top <= Z; top += 3, row++) {
    if (top < Z) path += line([x, Y, top], [X, Y, top]) + line([X, Y, top], [X, y, top])
    for (let at = x + 1 + (row % 2); at < X; at += 2) path += line([at, Y, top - 3], [at, Y, top])
    for (let at = y + 1 + ((row + 1) % 2); at < Y; at += 2) path += line([X, at, top - 3], [X, at, top])
  }
  if (path === '') return ''
  return `<path d="${path}" fill="none" stroke="${shade(color, -0.26)}" stroke-width="1" opacity=".5"/>`
}

function visibleStuds([x, y, z]: Point, width: number, depth: number, parts: readonly Part[]) {
  const visible: [x: number, y: number][] = []
  for (let column = 0; column + 1 <= width; column++) {
    for (let row = 0; row + 1 <= depth; row++) {
      const stud: Point = [x + column + 0.5, y + row + 0.5, z]
      if (!parts.some((part) => part.covers && (isAbove(part, stud) || isInFront(part, stud))))
        visible.push(project(stud))
    }
  }
  return visible
}

function isAbove(part: Part, [x, y, z]: Point): boolean {
  return part.z <= z && part.Z > z && part.x < x && part.X > x && part.y < y && part.Y > y
}

/** Whether something tall just in front of a stud hides it for sure. */
function isInFront(part: Part, [x, y, z]: Point): boolean {
  if (part.Z <= z + 1) return false
  for (let step = 0.8; step < 8; step += 0.7) {
    const height = z + (step * 2 * STUD_DEPTH) / PLATE_HEIGHT
    const isWithin = (value: number, low: number, high: number) => value > low + 0.5 && value < high - 0.5
    if (
      isWithin(x + step, part.x, part.X) &&
      isWithin(y + step, part.y, part.Y) &&
      height < part.Z - 2 &&
      height > part.z + 0.5
    )
      return true
  }
  return false
}

function studsOnCylinder(radius: number): (readonly [dx: number, dy: number])[] {
  if (radius >= 1.4)
    return [
      [-0.9, 0],
      [0, -0.9],
      [0, 0.9],
      [0.9, 0],
      [0, 0],
    ]
  if (radius >= 0.9)
    return [
      [-0.5, -0.5],
      [-0.5, 0.5],
      [0.5, -0.5],
      [0.5, 0.5],
    ]
  return [[0, 0]]
}

/** Sorts parts by what hides what; a ring of overlaps is broken at the farthest part. */
function backToFront(parts: readonly Part[]): Part[] {
  const inFrontOf = new Map<Part, Part[]>(parts.map((part) => [part, []]))
  const waitsFor = new Map<Part, number>(parts.map((part) => [part, 0]))
  for (const [index, part] of parts.entries()) {
    for (const other of parts.slice(index + 1)) {
      const [back, front] = orderOf(part, other) ?? []
      if (back === undefined || front === undefined) continue
      inFrontOf.get(back)!.push(front)
      waitsFor.set(front, waitsFor.get(front)! + 1)
    }
  }
  const rest = new Set(parts)
  const sorted: Part[] = []
  const nearness = ({ X, Y, Z }: Part) => X + Y + Z / 4
  while (rest.size > 0) {
    const free = [...rest].filter((part) => waitsFor.get(part)! <= 0)
    const next = (free.length > 0 ? free : [...rest]).reduce((best, part) =>
      nearness(part) < nearness(best) ? part : best,
    )
    rest.delete(next)
    sorted.push(next)
    for (const part of inFrontOf.get(next)!) waitsFor.set(part, waitsFor.get(part)! - 1)
  }
  return sorted
}

/** Returns two parts with the one behind first; undefined if they can't hide each other. */
function orderOf(part: Part, other: Part): [back: Part, front: Part] | undefined {
  const [isBehind, isInFront] = [isBehindOf(part, other), isBehindOf(other, part)]
  if (isBehind && isInFront) return undefined
  if (isBehind !== isInFront) return isBehind ? [part, other] : [other, part]
  const distance = ({ x, y, z }: Part) => x + y + z / 9
  return distance(part) <= distance(other) ? [part, other] : [other, part]
}

function isBehindOf(part: Part, other: Part): boolean {
  const tolerance = 0.001
  return part.X <= other.x + tolerance || part.Y <= other.y + tolerance || part.Z <= other.z + tolerance
}

function drawShadow(parts: readonly Part[]): string {
  const low = parts.filter(({ z }) => z <= 1)
  const [x, y] = [Math.min(...low.map((part) => part.x)) + 0.4, Math.min(...low.map((part) => part.y)) + 0.2]
  const [X, Y] = [Math.max(...low.map((part) => part.X)) + 0.5, Math.max(...low.map((part) => part.Y)) + 0.3]
  const corners = (
    [
      [x, y, 0],
      [X, y, 0],
      [X, Y, 0],
      [x, Y, 0],
    ] satisfies Point[]
  ).map((point) => project(point).join(' '))
  return `<path d="M${corners.join('L')}z" fill="#0b1030" stroke="#0b1030" stroke-width="12" opacity=".11"/>`
}
