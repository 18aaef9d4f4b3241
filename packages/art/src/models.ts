import { shade, type Point } from './geometry.ts'
import type { ModelSize, Scene } from './scene.ts'

/** The colors and proportions of one model. */
export type ModelStyle = {
  ground: string
  wall: string
  secondWall: string
  roof: string
  trim: string
  glow: string
  size: ModelSize
  random: () => number
  pick: <T>(...options: T[]) => T
}

function bySize({ size }: ModelStyle, small: number, medium: number, large: number): number {
  return [small, medium, large][size]!
}

function addPlate(scene: Scene, { ground }: ModelStyle, width: number, depth: number): void {
  scene.box(0, 0, 0, width, depth, 1, ground)
}

/** Draws a model of each kind. */
export const MODELS = {
  house(scene, style) {
    const width = bySize(style, 4, 5, 6),
      depth = bySize(style, 4, 4, 5),
      floors = bySize(style, 1, 1, 2),
      W = width + 2,
      D = depth + 2
    addPlate(scene, style, W, D)
    const shop = style.pick(0, 1),
      a = style.pick(style.wall, style.secondWall),
      otherWall = a === style.wall ? style.secondWall : style.wall
    let z = 1
    for (let f = 0; f < floors; f++) {
      const win = style.glow,
        height = 9
      scene.box(1, 1, z, width, depth, height, f % 2 ? otherWall : a, {
        studs: false,
        left:
          f > 0
            ? [
                [0.7, 1.7, 3, 7, win],
                [width - 1.7, width - 0.7, 3, 7, win],
              ]
            : [
                [width - 1.9, width - 0.7, 0, 7, style.trim],
                [width - 1.7, width - 0.9, 4, 6.2, style.glow],
                [0.6, 2.4, 2, 6.6, win],
              ],
        right: [[0.7, 1.7, 3, 7, win], depth > 4 ? [3, 4, 3, 7, win] : [2.4, 3.4, 3, 7, win]],
      })
      z += height
      scene.box(0.75, 0.75, z, width + 0.5, depth + 0.5, 1, style.trim, { studs: false })
      z += 1
    }
    if (shop) scene.box(1.3, depth + 1, 8, 2, 0.8, 1, style.roof, { studs: false })
    if (style.pick(0, 1, 1))
      scene.roof(0.5, 0.5, z, width + 1, depth + 1, bySize(style, 7, 8, 9), style.roof, style.pick('x', 'y'), a)
    else {
      scene.box(1, 1, z, width, depth, 3, style.roof, {})
      scene.box(2, 2, z + 3, width - 2, depth - 2, 3, style.roof)
      if (style.size) scene.cylinder(2 + (width - 2) / 2, 2 + (depth - 2) / 2, z + 6, 0.5, 4, style.trim)
    }
    scene.box(1.5, 1.5, z + 1, 1, 1, bySize(style, 7, 8, 10), style.secondWall === a ? style.wall : style.secondWall)
    scene.plants(
      [
        [W - 1, D - 1, 1, 2],
        [0, D - 1, 1, 1.5],
      ],
      '#4e8b4a',
      style.trim,
    )
  },
  stall(scene, style) {
    const width = bySize(style, 4, 5, 7),
      depth = 4
    addPlate(scene, style, width + 2, depth + 1)
    scene
      .box(1, 1, 1, width, 1, 9, style.secondWall, { studs: false })
      .box(1, 3, 1, width, 1, 4, style.wall, { left: [[0.4, width - 0.4, 1, 3, style.trim]] })
    for (let i = 0; i < width - 1; i++)
      scene.cylinder(
        1.6 + i,
        3.5,
        5,
        0.34,
        1.6,
        [style.trim, style.roof, style.glow, '#d9583f'][(i + Math.floor(style.random() * 3)) % 4]!,
        { stud: false },
      )
    scene
      .box(1, 4 - 0.3, 5, 0.3, 0.3, 6, style.secondWall, { studs: false })
      .box(width + 0.7, 4 - 0.3, 5, 0.3, 0.3, 6, style.secondWall, { studs: false })
    for (let i = 0; i < width + 1; i++) {
      const x = 0.5 + i,
        f = i % 2 ? style.roof : '#fbf7ee'
      scene.shape(
        [
          [x, 1, 14],
          [x + 1, 1, 14],
          [x + 1, 4.6, 11],
          [x, 4.6, 11],
        ],
        f,
        10.9,
      )
      scene.shape(
        [
          [x, 4.6, 11],
          [x + 1, 4.6, 11],
          [x + 1, 4.6, 9.6],
          [x, 4.6, 9.6],
        ],
        shade(f, -0.12),
        9.6,
      )
    }
    scene.shape(
      [
        [width + 1.5, 1, 14],
        [width + 1.5, 4.6, 11],
        [width + 1.5, 1, 11],
      ],
      shade(style.roof, -0.3),
      11,
    )
    scene.box(width + 1, depth, 1, 1, 1, 3, style.secondWall).plants([[0, depth, 1, 2]], '#4e8b4a', style.trim)
  },
  tower(scene, style) {
    const side = bySize(style, 5, 6, 7),
      floors = bySize(style, 3, 4, 5),
      middle = side / 2
    addPlate(scene, style, side, side)
    scene.box(
      middle - 1.5,
      middle - 1.5,
      1,
      3,
      3,
      3,
      style.secondWall === style.wall ? style.trim : shade(style.ground, -0.25),
      {
        studs: true,
      },
    )
    let z = 4
    for (let i = 0; i < floors; i++) {
      const r = 1.25 - i * 0.1
      scene.cylinder(middle, middle, z, r, 6, i % 2 ? style.secondWall : style.wall, { stud: false, top: r - 0.08 })
      z += 6
    }
    scene.box(middle - 1.5, middle - 1.5, z, 3, 3, 1, style.roof, {})
    z += 1
    scene.cylinder(middle, middle, z, 0.72, 5, style.glow, { stud: false })
    z += 5
    scene
      .cylinder(middle, middle, z, 1.05, 1, style.trim, { stud: false })
      .cylinder(middle, middle, z + 1, 0.95, 4, style.roof, { top: 0.12, stud: false })
      .cylinder(middle, middle, z + 5, 0.14, 2.5, style.trim, { stud: false })
    scene
      .box(0.5, side - 2, 1, 2, 1.5, 5, style.wall, { studs: false, left: [[0.5, 1.3, 0, 4, style.trim]] })
      .roof(0.3, side - 2.2, 6, 2.4, 1.9, 4, style.roof, 'y', style.wall)
    scene
      .cylinder(side - 0.9, side - 0.9, 1, 0.5, 2, '#8d949f')
      .cylinder(side - 0.7, side - 2.2, 1, 0.35, 1.5, '#a9b0ba', { stud: false })
  },
  castle(scene, style) {
    const side = bySize(style, 6, 7, 8),
      height = bySize(style, 9, 12, 12),
      t = 2
    addPlate(scene, style, side, side)
    const turret = (x: number, y: number, tall: number, roofed: boolean) => {
      scene.box(x, y, 1, t, t, tall, style.wall, {
        studs: !roofed,
        left: [[0.7, 1.3, tall - 6, tall - 2.5, '#3a3d49']],
        right: [[0.7, 1.3, tall - 6, tall - 2.5, '#3a3d49']],
      })
      if (roofed)
        scene
          .box(x - 0.25, y - 0.25, tall + 1, t + 0.5, t + 0.5, 1, style.secondWall, { studs: false })
          .cylinder(x + 1, y + 1, tall + 2, 1.05, 9, style.roof, { top: 0.08, stud: false })
          .shape(
            [
              [x + 1, y + 1, tall + 15],
              [x + 2.2, y + 1, tall + 13.6],
              [x + 1, y + 1, tall + 12],
            ],
            style.trim,
            tall + 11,
          )
    }
    turret(0, 0, height + 6, true)
    turret(side - t, 0, height, style.size > 1)
    turret(0, side - t, height, true)
    scene
      .box(t, 0, 1, side - 2 * t, 1, height - 4, style.secondWall)
      .box(0, t, 1, 1, side - 2 * t, height - 4, style.secondWall)
    scene.box(t, side - 1.5, 1, side - 2 * t, 1.5, height - 3, style.wall, {
      left: [
        [(side - 2 * t) / 2 - 0.9, (side - 2 * t) / 2 + 0.9, 0, 6, '#4a3a30'],
        [(side - 2 * t) / 2 - 0.9, (side - 2 * t) / 2 + 0.9, 6, 6.6, style.trim],
      ],
    })
    scene.box(side - 1.5, t, 1, 1.5, side - 2 * t, height - 3, style.wall, {
      right: [
        [0.5, 1.2, 3, 6.5, '#3a3d49'],
        [1.8, 2.5, 3, 6.5, '#3a3d49'],
      ],
    })
    turret(side - t, side - t, height + 1, style.size > 0)
  },
  ship(scene, style) {
    const width = bySize(style, 7, 8, 10),
      depth = 4,
      hull = style.pick(style.secondWall, style.roof)
    scene.box(-1, -0.5, 0, width + 2, depth + 1, 1, shade(style.ground, 0.05), {})
    scene
      .box(0.5, 0.5, 1, width - 2, depth - 1, 3, shade(hull, -0.18), { studs: false })
      .box(0, 0, 4, width - 1, depth, 3, hull, {
        left: [[0, width - 1, 2.1, 2.7, style.wall]],
        right: [[0, depth, 2.1, 2.7, style.wall]],
      })
    scene
      .shape(
        [
          [width - 1, depth, 4],
          [width + 1, depth / 2, 7],
          [width - 1, depth, 7],
        ],
        hull,
        4,
      )
      .shape(
        [
          [width - 1, depth, 4],
          [width - 1, 0, 4],
          [width + 1, depth / 2, 7],
        ],
        shade(hull, -0.3),
        3.9,
      )
      .shape(
        [
          [width - 1, 0, 7],
          [width + 1, depth / 2, 7],
          [width - 1, depth, 7],
        ],
        shade(style.wall, 0.05),
        6.9,
      )
    const height = style.size ? 8 : 6
    scene.box(1, 1, 7, width - 5, depth - 2, height, style.wall, {
      studs: true,
      left: [
        [0.4, 1.2, height - 5, height - 2, style.glow],
        [1.6, 2.4, height - 5, height - 2, style.glow],
      ],
      right: [[0.3, depth - 2.3, height - 5, height - 2, style.glow]],
    })
    scene.box(0.75, 0.75, 7 + height, width - 4.5, depth - 1.5, 1, style.roof, { studs: true })
    scene
      .cylinder(2, depth / 2, 8 + height, 0.55, 6, style.trim, { stud: false })
      .cylinder(2, depth / 2, 14 + height, 0.6, 1.6, '#33363f', { stud: false })
    scene.cylinder(width - 2, depth / 2, 7, 0.15, 16, '#8a6a4a', { stud: false }).shape(
      [
        [width - 2, depth / 2, 22],
        [width - 2, depth / 2, 17.5],
        [width - 4, depth / 2, 20],
      ],
      style.trim,
      17,
    )
    scene.box(width - 3.2, 2.5, 7, 1, 1, 2, style.trim)
    for (let i = 0; i < 3; i++) scene.wheel(1.2 + i * 1.7, depth, 4.5, 0.42, style.trim)
  },
  vehicle(scene, style) {
    const width = bySize(style, 5, 7, 9),
      depth = 4,
      body = style.pick(style.wall, style.roof, style.trim),
      cab = style.pick(style.secondWall, style.wall)
    addPlate(scene, style, width + 2, depth + 2)
    scene.box(1.2, 1.3, 2, width - 0.4, depth - 0.9, 1, '#3a3f4b', { studs: false })
    scene.box(1, 1, 3, width, depth - 0.3, 3, body, {
      right: [
        [0.3, 1, 0.8, 2.2, style.glow],
        [depth - 1.3, depth - 0.6, 0.8, 2.2, style.glow],
      ],
    })
    scene
      .box(width - 2, 1, 6, 2, depth - 0.3, 6, cab, {
        studs: false,
        left: [[0.4, 1.5, 2, 5.2, '#bfe3f2']],
        right: [[0.3, depth - 0.6, 2, 5.2, '#bfe3f2']],
      })
      .box(width - 2.2, 1, 12, 2.2, depth - 0.3, 1, body)
    const load = style.pick(0, 1, 2)
    if (load === 0)
      scene.box(1, 1, 6, width - 3.2, depth - 0.3, 7, cab, { left: [[0.4, width - 3.7, 2, 5, style.trim]] })
    else if (load === 1) {
      for (let i = 0; i < width - 3; i++)
        scene.cylinder(1.6 + i, 2, 6, 0.45, 4, '#8a6a4a').cylinder(1.6 + i, 3.4, 6, 0.45, 4, '#9a7853')
    } else {
      scene
        .box(1, 1, 6, width - 4, depth - 0.3, 3, style.secondWall)
        .box(1.5, 1.5, 9, width - 5 < 1 ? 1 : width - 5, 2, 3, style.trim)
    }
    scene.wheel(2.5, depth + 0.55, 3.1, 0.95).wheel(width - 0.5, depth + 0.55, 3.1, 0.95)
    if (style.size > 1) scene.wheel(4.7, depth + 0.55, 3.1, 0.95)
  },
  wagon(scene, style) {
    const width = bySize(style, 5, 6, 8),
      depth = 4,
      wood = '#9a7853',
      hay = style.pick('#e3bd55', '#d9ad45')
    addPlate(scene, style, width + 4, depth + 2)
    scene.box(width + 1, 2.6, 2.6, 2.4, 0.5, 0.6, '#6e5238', { studs: false })
    scene.box(1, 1, 2.4, width, depth, 0.9, wood)
    // The far sides, then the hay, then the near sides, so that each hides what is behind it.
    scene.box(1, 1, 3.3, width, 0.4, 3, wood, { studs: false }).box(1, 1, 3.3, 0.4, depth, 3, wood, { studs: false })
    scene.box(1.5, 1.5, 3.3, width - 1, depth - 1, 3.6, hay)
    scene.box(2, 1.9, 6.9, width - 2, depth - 1.8, 1.8, hay)
    scene
      .box(1, depth + 0.6, 3.3, width, 0.4, 2.2, style.wall, { studs: false })
      .box(width + 0.6, 1, 3.3, 0.4, depth, 2.2, style.wall, { studs: false })
    scene.wheel(2.4, depth + 1.1, 2.9, 1.2, wood).wheel(width - 0.3, depth + 1.1, 2.9, 1.2, wood)
  },
  train(scene, style) {
    const width = bySize(style, 6, 8, 10),
      depth = 3,
      a = style.pick(style.wall, style.secondWall),
      b = a === style.wall ? style.secondWall : style.wall
    addPlate(scene, style, width + 3, depth + 3)
    for (let i = 0; i < width + 3; i += 1.5) scene.box(i, 0.6, 1, 0.7, depth + 1.8, 0.6, '#6e5238', { studs: false })
    scene
      .box(0, 1.5, 1.6, width + 3, 0.3, 0.7, '#9aa1ad', { studs: false })
      .box(0, depth + 1.3, 1.6, width + 3, 0.3, 0.7, '#9aa1ad', { studs: false })
    scene.box(1.2, 1.4, 4, width, depth, 1.4, '#343843', { studs: false })
    scene
      .box(1.2, 1.4, 5.4, 3, depth, 9, a, {
        studs: false,
        left: [
          [0.5, 1.3, 4, 7.4, '#bfe3f2'],
          [1.7, 2.5, 4, 7.4, '#bfe3f2'],
        ],
      })
      .box(0.9, 1.1, 14.4, 3.6, depth + 0.6, 1, b)
    scene.box(4.2, 1.4, 5.4, width - 3, depth, 6, a, {
      left: [[0.3, width - 3.3, 2.4, 3.2, style.trim]],
      right: [[0.9, 2.1, 2, 4.4, style.glow]],
    })
    scene
      .cylinder(width - 0.6, 1.4 + depth / 2, 11.4, 0.45, 5, '#2f333d', { top: 0.6, stud: false })
      .cylinder(5.6, 1.4 + depth / 2, 11.4, 0.5, 2.4, style.trim)
    scene.box(width + 1.2, 1.6, 4, 0.6, depth - 0.4, 2.4, style.trim, { studs: false })
    for (let i = 0; i < (style.size ? 4 : 3); i++)
      scene.wheel(2.2 + (i * (width - 2)) / (style.size ? 3 : 2), 1.4 + depth, 4, 0.72, style.trim)
    scene.plants(
      [
        [width + 2, depth + 2, 1, 2],
        [0, depth + 2, 1, 1.4],
      ],
      '#4e8b4a',
      style.trim,
    )
  },
  bridge(scene, style) {
    const width = bySize(style, 8, 9, 11),
      depth = 5,
      water = style.pick('#4f9db8', '#58a6b0'),
      middle = width / 2,
      stone = style.secondWall,
      deck = style.wall
    scene
      .box(0, 0, 0, 2, depth, 1, style.ground)
      .box(2, 0, 0, width - 4, depth, 0.5, water, { studs: false })
      .box(width - 2, 0, 0, 2, depth, 1, style.ground)
    scene.box(0, 1, 1, 2, 3, 6, stone, { studs: false }).box(width - 2, 1, 1, 2, 3, 6, stone, { studs: false })
    const arch = (y: number) => {
      const q: Point[] = [
        [2, y, 7],
        [width - 2, y, 7],
      ]
      for (let i = 0; i <= 8; i++) {
        const t = (i / 8) * Math.PI
        q.push([middle + Math.cos(t) * (middle - 2), y, 0.8 + Math.sin(t) * 5])
      }
      return q
    }
    scene.shape(arch(1.1), shade(stone, -0.45), 1).shape(arch(4), stone, 1)
    scene
      .box(0, 1, 7, 3, 3, 1, deck)
      .box(width - 3, 1, 7, 3, 3, 1, deck)
      .box(3, 1, 7, width - 6, 3, 2, deck)
    for (const x of [0, width - 0.6])
      for (const y of [1, 3.4]) {
        const height = y < 2 ? 9 : 4
        scene
          .box(x, y, 8, 0.6, 0.6, height, stone, { studs: false })
          .cylinder(x + 0.3, y + 0.3, 8 + height, 0.36, 1.8, style.glow, { stud: false })
          .cylinder(x + 0.3, y + 0.3, 9.8 + height, 0.4, 1.2, style.trim, { top: 0.12, stud: false })
      }
    for (let x = 2.7; x < width - 2.6; x += (width - 6) / 2)
      scene.box(x, 3.6, x > 2.9 && x < width - 3 ? 9 : 8, 0.4, 0.4, 3, style.trim, { studs: false })
    scene
      .cylinder(1, 0.5, 1, 0.36, 16, '#7a5a3e', { stud: false })
      .box(-0.5, -1, 17, 3, 3, 3, style.roof)
      .box(0, -0.5, 20, 2, 2, 3, shade(style.roof, 0.1))
      .box(0.5, 0, 23, 1, 1, 2, shade(style.roof, 0.16))
    scene
      .cylinder(width - 0.8, depth - 0.6, 1, 0.22, 2.6, '#f5ecd9', { stud: false })
      .cylinder(width - 0.8, depth - 0.6, 3.6, 0.62, 1.5, style.trim, { top: 0.3, stud: false })
      .cylinder(width - 1.7, depth - 0.45, 1, 0.42, 1.3, style.trim, { top: 0.2, stud: false })
    scene
      .cylinder(0.7, depth - 0.6, 1, 0.45, 1.8, '#8d949f', { stud: false })
      .cylinder(middle + 0.6, depth - 0.6, 0.5, 0.4, 0.5, '#7fbf6a', { stud: false })
    if (style.size > 1)
      scene
        .box(width - 2, 1.2, 8, 1.8, 1.8, 7, deck, {
          studs: false,
          left: [[0.5, 1.2, 2, 5, style.glow]],
          right: [[0.5, 1.2, 2, 5, style.glow]],
        })
        .roof(width - 2.3, 0.9, 15, 2.4, 2.4, 7, style.roof, 'y', deck)
  },
  spacecraft(scene, style) {
    const side = bySize(style, 6, 7, 8),
      middle = side / 2
    scene
      .box(0, 0, 0, side, side, 1, style.ground)
      .cylinder(side - 1.2, side - 0.9, 1, 0.6, 0.8, shade(style.ground, -0.12), { stud: false })
    const corners: [x: number, y: number][] = [
      [0.6, 0.6],
      [side - 1, 0.6],
      [0.6, side - 1],
      [side - 1, side - 1],
    ]
    for (const [x, y] of corners)
      scene.cylinder(x + 0.2, y + 0.2, 1, 0.5, 0.8, style.secondWall, { stud: false }).shape(
        [
          [x + 0.05, y + 0.35, 1.8],
          [x + 0.35, y + 0.05, 1.8],
          [middle + (x < middle ? -0.9 : 0.9), middle + (y < middle ? -1.1 : 0.7), 7],
          [middle + (x < middle ? -1.1 : 0.7), middle + (y < middle ? -0.9 : 0.9), 7],
        ],
        x > middle && y > middle ? style.trim : shade(style.trim, -0.2),
        1.8,
      )
    scene.cylinder(middle, middle, 3, 0.9, 3.5, '#4a505e', { top: 0.5, stud: false })
    scene.box(middle - 1.5, middle - 1.5, 6.5, 3, 3, 2, style.roof, { studs: true })
    const height = bySize(style, 5, 7, 10)
    scene
      .cylinder(middle, middle, 8.5, 1.15, height, style.wall, { stud: false })
      .cylinder(middle, middle, 8.5 + height, 1.15, 1, style.roof, { stud: false })
      .cylinder(middle, middle, 9.5 + height, 1.1, 5, style.glow, { top: 0.55, stud: false })
      .cylinder(middle, middle, 14.5 + height, 0.55, 1, style.trim)
    scene
      .box(middle + 1.2, middle - 0.5, 9, 1, 1, 3, style.trim)
      .box(middle - 0.5, middle + 1.2, 9, 1, 1, 3, style.trim)
    scene
      .cylinder(middle, middle, 15.5 + height, 0.1, 5, style.secondWall, { stud: false })
      .cylinder(middle, middle, 20.5 + height, 0.25, 1, style.roof, { stud: false })
    if (style.size) {
      scene.shape(
        [
          [middle + 2.2, middle - 0.1, 12],
          [middle + 4.4, middle - 0.1, 12],
          [middle + 4.4, middle - 0.1, 9],
          [middle + 2.2, middle - 0.1, 9],
        ],
        style.trim,
        9,
      )
      scene.shape(
        [
          [middle - 0.1, middle + 2.2, 12],
          [middle - 0.1, middle + 4.4, 12],
          [middle - 0.1, middle + 4.4, 9],
          [middle - 0.1, middle + 2.2, 9],
        ],
        style.trim,
        9,
      )
    }
  },
  airship(scene, style) {
    const width = bySize(style, 5, 7, 9),
      depth = 3
    scene.box(0, 0, 0, width, depth + 1, 1, style.ground)
    scene
      .cylinder(width / 2, depth / 2 + 0.5, 1, 0.35, 4, style.secondWall, { stud: false })
      .box(width / 2 - 1.5, depth / 2 - 0.5, 5, 3, 2, 3, style.secondWall, {
        studs: true,
        left: [
          [0.3, 1.2, 0.8, 2.4, style.glow],
          [1.7, 2.6, 0.8, 2.4, style.glow],
        ],
        right: [[0.5, 1.5, 0.8, 2.4, style.glow]],
      })
    for (const x of [width / 2 - 1.2, width / 2 + 0.8])
      scene.box(x, depth / 2 + 0.8, 8, 0.25, 0.25, 4, style.trim, { studs: false })
    scene
      .box(1, 1, 12, width - 2, depth - 1, 2, shade(style.wall, -0.1), { seams: false })
      .box(0, 0.5, 14, width, depth, 3, style.wall, { seams: false })
      .box(-0.5, 0, 17, width + 1, depth + 1, 4, style.wall, {
        seams: false,
        left: [[0, width + 1, 1.2, 2.8, style.roof]],
        right: [[0, depth + 1, 1.2, 2.8, style.roof]],
      })
      .box(0, 0.5, 21, width, depth, 3, style.wall, { seams: false })
      .box(1, 1, 24, width - 2, depth - 1, 2, style.roof, {})
    scene.box(-2, 1.5, 16, 1.5, 1, 2, style.trim).box(-2, 1.7, 18, 1, 0.6, 6, style.secondWall)
    scene.box(width + 0.5, 1.5, 18.5, 0.6, 1, 2, style.trim, { studs: false })
    scene.plants(
      [
        [0, depth, 1, 1.5],
        [width - 1, depth, 1, 1.2],
      ],
      '#4e8b4a',
      style.trim,
    )
  },
  garden(scene, style) {
    const width = bySize(style, 4, 6, 6),
      depth = bySize(style, 3, 4, 5)
    scene.box(0, 0, 0, width + 1, depth + 1, 1, style.ground)
    scene.box(0.5, 0.5, 1, width, depth, 4, style.wall, {
      left: [[0, width, 3, 3.7, shade(style.wall, 0.3)]],
      right: [[0, depth, 3, 3.7, shade(style.wall, 0.3)]],
      studs: false,
    })
    scene.box(0.8, 0.8, 5, width - 0.6, depth - 0.6, 0.5, '#6b4b35', { studs: false })
    const petals = [style.trim, style.glow, '#fbf7ee', shade(style.trim, 0.3), '#b58be0'],
      green = '#5b9a52'
    for (let i = 0; i < width - 1; i++)
      for (let j = 0; j < depth - 1; j++) {
        const x = 1.3 + i,
          y = 1.3 + j,
          f = petals[Math.floor(style.random() * petals.length)]!,
          height = 3 + Math.floor(style.random() * (2 + style.size * 2)) + (depth - j) * 0.8
        if ((i + j) % 2) {
          scene.cylinder(
            x,
            y,
            5.5,
            0.44,
            2.4 + style.random() * 1.5,
            style.random() < 0.5 ? green : shade(green, 0.15),
            { top: 0.22, stud: false },
          )
          continue
        }
        scene
          .cylinder(x, y, 5.5, 0.12, height, green, { stud: false })
          .cylinder(x, y, 5.5 + height, 0.5, 1.4, f, { stud: false })
          .cylinder(x, y, 6.9 + height, 0.22, 0.7, f === style.glow ? style.trim : style.glow, { stud: false })
      }
    if (style.size) scene.cylinder(width + 0.4, depth + 0.2, 1, 0.34, 2.4, style.secondWall, { top: 0.42 })
  },
  tree(scene, style) {
    const side = bySize(style, 5, 6, 8),
      middle = side / 2,
      leaf = style.pick('#6fae57', '#4f9a6a', style.roof),
      lightLeaf = shade(leaf, 0.14)
    addPlate(scene, style, side, side)
    const height = bySize(style, 8, 12, 15)
    scene
      .cylinder(middle, middle, 1, 0.95, 2, '#7a5a3e', { stud: false, top: 0.7 })
      .cylinder(middle, middle, 3, 0.7, height, '#85623f', { stud: false, top: 0.55 })
    const z = 3 + height
    if (style.size) {
      scene
        .box(middle - 2, middle - 1.5, z - 5, 4, 3.5, 1, '#a07c55')
        .box(middle - 1.5, middle - 1, z - 4, 2.5, 2.5, 6, style.wall, {
          studs: false,
          left: [
            [0.4, 1.2, 0, 4.4, style.trim],
            [1.5, 2.2, 2, 4.4, style.glow],
          ],
          right: [[0.6, 1.6, 1.6, 4.4, style.glow]],
        })
    }
    const b = style.size ? z + 2 : z - 2
    scene
      .box(middle - 2.5, middle - 2, b, 5, 4, 3, leaf)
      .box(middle - 2, middle - 2.5, b + 3, 4, 5, 3, lightLeaf)
      .box(middle - 1.5, middle - 1.5, b + 6, 3, 3, 3, leaf)
      .box(middle - 1, middle - 0.5, b + 9, 1, 1, 2, lightLeaf)
    for (let i = 0; i < 4; i++)
      scene.cylinder(middle - 2 + i * 1.3, middle + 2.1, b + 1 + (i % 2), 0.3, 1, style.trim, { stud: false })
    scene.plants(
      [
        [0, side - 1, 1, 2],
        [side - 1, side - 1, 1, 1.4],
        [side - 1, 0.5, 1, 2.4],
      ],
      '#4e8b4a',
      style.trim,
    )
    scene.cylinder(side - 2, side - 0.8, 1, 0.42, 1.6, '#9aa1ad', { stud: false })
  },
  creature(scene, style) {
    const side = bySize(style, 5, 6, 7),
      middle = side / 2,
      a = style.pick(style.wall, style.secondWall),
      b = a === style.wall ? style.secondWall : style.wall,
      t = bySize(style, 5, 7, 9)
    addPlate(scene, style, side, side)
    for (const x of [middle - 1.5, middle + 0.5])
      scene
        .box(x, middle - 0.3, 1, 1, 1.6, 1.5, style.trim, { studs: false })
        .box(x, middle - 0.5, 2.5, 1, 1, t - 1, b, { studs: false })
    scene
      .box(middle - 1.5, middle - 1, 1.5 + t, 3, 2, 2, style.trim, { studs: false })
      .box(middle - 2, middle - 1, 3.5 + t, 4, 2, t, a, {
        studs: true,
        left: [
          [1.2, 2.8, t - 4.6, t - 1, style.glow],
          [1.5, 2.5, t - 4, t - 1.6, style.roof],
        ],
      })
    scene
      .box(middle - 3, middle - 0.5, 3.5 + t + t - 3, 1, 1, 3, style.trim)
      .box(middle + 2, middle - 0.5, 3.5 + t + t - 3, 1, 1, 3, style.trim)
    scene
      .box(middle - 3, middle - 0.5, 6 + t - 3, 1, 1.2, t - 2.5, b, { studs: false })
      .box(middle + 2, middle - 0.5, 6 + t - 3, 1, 1.2, t - 2.5, b, { studs: false })
    const z = 3.5 + 2 * t
    scene
      .cylinder(middle, middle, z, 0.45, 1, '#6a7080', { stud: false })
      .box(middle - 1.5, middle - 1, z + 1, 3, 2, 5, a, {
        left: [
          [0.5, 1.1, 2, 3.6, '#20232c'],
          [1.9, 2.5, 2, 3.6, '#20232c'],
          [0.9, 2.1, 0.6, 1.1, style.trim],
        ],
      })
    scene
      .box(middle - 1.5, middle - 1, z + 6, 3, 2, 1, style.roof)
      .cylinder(middle - 1, middle, z + 7, 0.3, 2.6, style.trim, { stud: false })
      .cylinder(middle + 1, middle, z + 7, 0.3, 2.6, style.trim, { stud: false })
    scene.plants(
      [
        [0, side - 1, 1, 2],
        [side - 1, side - 1, 1, 1.5],
      ],
      '#4e8b4a',
      style.trim,
    )
  },
  musicbox(scene, style) {
    const side = bySize(style, 4, 5, 6),
      middle = (side + 1) / 2
    scene
      .box(0, 0, 0, side + 1, side + 1, 1, shade(style.secondWall, -0.2), { studs: false })
      .box(0.5, 0.5, 1, side, side, 6, style.wall, {
        left: [
          [0.5, side - 0.5, 1.4, 4.6, style.trim],
          [0.8, side - 0.8, 2, 4, style.wall],
        ],
        right: [
          [0.5, side - 0.5, 1.4, 4.6, style.trim],
          [0.8, side - 0.8, 2, 4, style.wall],
        ],
      })
    scene
      .box(side + 0.5, middle - 0.3, 3, 0.8, 0.6, 1, style.trim, { studs: false })
      .box(side + 1.1, middle - 0.3, 3, 0.4, 0.6, 4, style.trim, { studs: false })
    const r = bySize(style, 1.1, 1.4, 1.7),
      tall = bySize(style, 8, 9, 11)
    scene
      .cylinder(middle, middle, 7, r, 1.5, style.roof, { stud: false })
      .cylinder(middle, middle, 8.5, 0.22, tall, style.trim, { stud: false })
    for (let i = 0; i < 5; i++) {
      const a = (i / 5) * 6.283 + 0.5 + style.random() * 0.2,
        x = middle + Math.cos(a) * r * 0.72,
        y = middle + Math.sin(a) * r * 0.72
      scene
        .cylinder(x, y, 8.5, 0.08, tall, style.glow, { stud: false })
        .cylinder(
          x,
          y,
          9.5 + (i % 3) * 1.6,
          0.34,
          2.4,
          [style.secondWall, style.trim, style.roof, style.glow, '#e88fa8'][i]!,
          { top: 0.24, stud: false },
        )
    }
    scene
      .cylinder(middle, middle, 8.5 + tall, r + 0.15, 1.2, style.trim, { stud: false })
      .cylinder(middle, middle, 9.7 + tall, r + 0.05, 5, style.secondWall, { top: 0.3, stud: false })
      .cylinder(middle, middle, 14.7 + tall, 0.34, 1.8, style.trim)
  },
  dome(scene, style) {
    const side = bySize(style, 5, 6, 8),
      middle = side / 2,
      r = bySize(style, 1.3, 1.6, 2.1)
    addPlate(scene, style, side, side)
    scene
      .cylinder(middle, middle, 1, r + 0.2, 4, style.secondWall, { stud: false })
      .cylinder(middle, middle, 5, r + 0.25, 1, style.trim, { stud: false })
    scene
      .cylinder(middle, middle, 6, r, 4, style.glow, { stud: false, top: r * 0.92 })
      .cylinder(middle, middle, 10, r * 0.92, 3.4, shade(style.glow, 0.12), { stud: false, top: r * 0.66 })
      .cylinder(middle, middle, 13.4, r * 0.66, 2.4, style.glow, { stud: false, top: r * 0.3 })
      .cylinder(middle, middle, 15.8, r * 0.32, 1.5, style.roof)
    scene.box(middle - 0.8, middle + r * 0.9, 1, 1.6, 1.4, 6, style.wall, { left: [[0.35, 1.25, 0, 4.6, style.roof]] })
    scene.box(middle + r * 1.1, middle - 1, 1, 1, 2, 4, style.wall, { right: [[0.4, 1.6, 1.4, 3, style.glow]] })
    scene
      .cylinder(0.8, side - 0.8, 1, 0.45, 2, style.trim)
      .cylinder(side - 0.7, side - 0.7, 1, 0.5, 3, style.roof, { top: 0.2, stud: false })
    if (style.size)
      scene
        .cylinder(middle, middle, 17.3, 0.1, 5, style.secondWall, { stud: false })
        .cylinder(middle, middle, 22, 0.24, 1, style.trim, { stud: false })
        .cylinder(0.8, 0.8, 1, 0.22, 12, style.wall, { stud: false })
        .cylinder(0.8, 0.8, 13, 0.6, 1, style.roof, { stud: false })
  },
  mill(scene, style) {
    const side = bySize(style, 5, 6, 7),
      middle = side / 2,
      t = bySize(style, 12, 15, 18)
    addPlate(scene, style, side, side)
    scene
      .box(middle - 1.75, middle - 1.75, 1, 3.5, 3.5, 3, style.secondWall, { studs: false })
      .box(middle - 1.5, middle - 1.5, 4, 3, 3, t - 6, style.wall, {
        studs: false,
        left: [[1, 2, 0, 5, style.trim]],
        right: [[1, 2, 3, 6, style.glow]],
      })
      .box(middle - 1.25, middle - 1.25, t - 2, 2.5, 2.5, 5, style.wall, {
        studs: false,
        right: [[0.8, 1.7, 1.4, 3.6, style.glow]],
      })
    scene
      .box(middle - 1.5, middle - 1.5, t + 3, 3, 3, 1, style.trim, { studs: false })
      .roof(middle - 1.5, middle - 1.5, t + 4, 3, 3, 7, style.roof, 'y', style.secondWall)
    const y = middle + 1.6,
      z = t + 2,
      q = bySize(style, 2.3, 2.8, 3.2),
      f = 2.44
    for (let i = 0; i < 4; i++) {
      const a = 0.45 + (i * Math.PI) / 2,
        C = Math.cos(a),
        S = Math.sin(a),
        p = (u: number, v: number): Point => [middle + (C * u - S * v), y, z + (S * u + C * v) * f]
      scene.shape([p(0.7, 0), p(q, 0), p(q, 1), p(0.7, 1)], i % 2 ? '#fdfaf2' : '#efe6d3', 4)
      scene.shape([p(0, -0.08), p(q + 0.1, -0.08), p(q + 0.1, 0.08), p(0, 0.08)], '#7a5a3e', 4.1)
    }
    scene.cylinder(middle, y + 0.1, z - 1, 0.3, 2, style.trim, { stud: false })
    scene.plants(
      [
        [0, side - 1, 1, 2],
        [side - 1, side - 1, 1, 2.6],
        [side - 1, 1, 1, 1.6],
      ],
      '#4e8b4a',
      style.trim,
    )
  },
} satisfies Record<string, (scene: Scene, style: ModelStyle) => void>
