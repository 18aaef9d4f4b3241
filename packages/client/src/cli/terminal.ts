const STYLES = { bold: 1, dim: 2, red: 31, green: 32 }

/** Where a command speaks: data on stdout, messages on stderr. */
export type Terminal = {
  out(text: string): void
  info(text: string): void
  /** How wide a table may be. */
  width: number
  /** On stdout only, and only for eyes. */
  style(style: keyof typeof STYLES, text: string): string
  /** A line on stderr that is written over; nothing where nobody watches. */
  progress(text: string): void
  /** Whether somebody watches stderr. */
  interactive: boolean
}

export function openTerminal({ stdout, stderr, env }: typeof process): Terminal {
  const useColor = stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  let shown = false
  const clear = () => {
    if (shown) stderr.write('\r\u001b[K')
    shown = false
  }
  return {
    out(text) {
      clear()
      stdout.write(`${text}\n`)
    },
    info(text) {
      clear()
      stderr.write(`${text}\n`)
    },
    width: stdout.isTTY ? stdout.columns : Infinity,
    style: (style, text) => (useColor ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text),
    progress(text) {
      if (!stderr.isTTY) return
      clear()
      stderr.write(text)
      shown = true
    },
    interactive: stderr.isTTY,
  }
}
