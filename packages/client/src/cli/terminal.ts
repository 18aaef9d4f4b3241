const STYLES = { bold: 1, dim: 2, red: 31, green: 32 }

/** Output of a command: data on stdout, messages on stderr. */
export type Terminal = {
  out(text: string): void
  info(text: string): void
  /** Maximum width of a table. */
  width: number
  /** Styles text for stdout; a no-op if stdout isn't a color terminal. */
  style(style: keyof typeof STYLES, text: string): string
  /** Shows a progress line on stderr that the next output overwrites; a no-op if stderr isn't a terminal. */
  progress(text: string): void
  /** True if stderr is a terminal. */
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
