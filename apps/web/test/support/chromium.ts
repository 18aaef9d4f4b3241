export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

export const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
]
