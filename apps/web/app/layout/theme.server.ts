const COOKIE = 'theme'

export type Theme = 'light' | 'dark'

/** Returns the theme chosen in this browser; undefined follows the system setting. */
export function readTheme(request: Request): Theme | undefined {
  const match = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(request.headers.get('cookie') ?? '')
  return match?.[1] as Theme | undefined
}

/** Builds the cookie that stores the theme for one year, or clears it. */
export function themeCookie(theme: Theme | undefined, { publicUrl }: { publicUrl: string }): string {
  const maxAge = theme === undefined ? 0 : 365 * 86_400
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${COOKIE}=${theme ?? ''}; Path=/; Max-Age=${maxAge}; SameSite=Lax; HttpOnly${secure}`
}
