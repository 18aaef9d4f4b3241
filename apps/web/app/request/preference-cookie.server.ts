/** Builds a cookie that keeps a choice in this browser for a year, or clears it. */
export function preferenceCookie(
  name: string,
  value: string | undefined,
  { publicUrl }: { publicUrl: string },
): string {
  const maxAge = value === undefined ? 0 : 365 * 86_400
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value ?? ''}; Path=/; Max-Age=${maxAge}; SameSite=Lax; HttpOnly${secure}`
}
