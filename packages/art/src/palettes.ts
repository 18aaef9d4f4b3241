type Palette = readonly [ground: string, wall: string, secondWall: string, roof: string, trim: string, glow: string]

const PALETTES: Record<string, Palette> = {
  'Clockwork Quarter': ['#cdb88d', '#8a5066', '#ead8ae', '#3f7078', '#d79a2b', '#ffe39b'],
  'Glacier Watch': ['#dfecf5', '#f4f9fc', '#5598cc', '#25557f', '#ee7d3a', '#c6ecff'],
  'Harbor Row': ['#5b9db5', '#f5f0e6', '#cf5145', '#2f4f6b', '#e6b14b', '#fff0b3'],
  'Lantern Street': ['#a09ca6', '#cf5348', '#f3ddbb', '#3f4563', '#e9a23b', '#ffd87a'],
  'Meadow and Mill': ['#8dba66', '#f3e7cd', '#a9643f', '#bb5b42', '#e8bf4d', '#fff3c4'],
  'Moonlit Grove': ['#5f8a70', '#9a8fd6', '#62529a', '#3d8a90', '#f0a3c0', '#fff0a8'],
  'Orbital Yard': ['#b3b9c4', '#f3f4f6', '#697384', '#e2743d', '#4886dc', '#a5e9ff'],
  'Pocket Gardens': ['#e0d1b2', '#cd8160', '#f6f0e5', '#68a55c', '#e8708f', '#f7d65c'],
  'Railhead Valley': ['#bda57a', '#ab5241', '#4a6b57', '#51565f', '#e3b04a', '#ffeab0'],
  'Sky Ferry Lines': ['#c3dcee', '#f7f2e9', '#4585c9', '#e56946', '#f0b93f', '#dbf3ff'],
  'Speedway Junction': ['#838994', '#e75b45', '#f5f5f3', '#343945', '#f2c230', '#b0e4ff'],
  'Stonecrown Keep': ['#8ba866', '#bfbcb4', '#94928c', '#456799', '#c84848', '#ffdf8a'],
  'Thimble Town': ['#a5d18f', '#f6b5a4', '#fdf4e0', '#6fadd0', '#f0c24b', '#fff6c9'],
  'Tidepool Deep': ['#3f86a6', '#f1ba45', '#2b566e', '#ea7052', '#86d6cc', '#cdf5ff'],
  'Verdant Expedition': ['#6f9f5a', '#bd905d', '#e9dbb8', '#45764a', '#da6743', '#ffe9a8'],
}
const DEFAULT_PALETTE: Palette = ['#b9c2b0', '#e8e2d4', '#6a7fa8', '#455a7d', '#dca044', '#fff0bd']

export function paletteOf(theme: string): Palette {
  return PALETTES[theme] ?? DEFAULT_PALETTE
}

/** The soft color of a theme, for the plinth behind its pictures. */
const TINTS: Record<string, string> = {
  'Clockwork Quarter': '#b8893a',
  'Glacier Watch': '#5598cc',
  'Harbor Row': '#4b93b3',
  'Lantern Street': '#d0584c',
  'Meadow and Mill': '#86b35c',
  'Moonlit Grove': '#8478cc',
  'Orbital Yard': '#7c8798',
  'Pocket Gardens': '#cf7f8f',
  'Railhead Valley': '#b07a4a',
  'Sky Ferry Lines': '#5b96d2',
  'Speedway Junction': '#d96a50',
  'Stonecrown Keep': '#6f8aa8',
  'Thimble Town': '#e09a7c',
  'Tidepool Deep': '#3f93a6',
  'Verdant Expedition': '#5f9a56',
}

export function themeTint(theme: string): string {
  return TINTS[theme] ?? '#7c8798'
}
