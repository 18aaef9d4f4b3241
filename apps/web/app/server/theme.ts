const COOKIE = 'theme'

export type Theme = 'light' | 'dark'

/** The look that was chosen on this device; undefined follows the system. */
export function readTheme(request: Request): Theme | undefined {
  const found = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(request.headers.get('cookie') ?? '')
  return found?.[1] as Theme | undefined
}

/** Keeps the choice for a year, or forgets it. */
export function themeCookie(theme: Theme | undefined): string {
  const maxAge = theme === undefined ? 0 : 365 * 86_400
  return `${COOKIE}=${theme ?? ''}; Path=/; Max-Age=${maxAge}; SameSite=Lax; HttpOnly`
}
