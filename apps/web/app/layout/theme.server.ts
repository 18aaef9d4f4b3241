export type Theme = 'light' | 'dark'

/** Returns the theme chosen in this browser; undefined follows the system setting. */
export function readTheme(request: Request): Theme | undefined {
  const match = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(request.headers.get('cookie') ?? '')
  return match?.[1] as Theme | undefined
}
