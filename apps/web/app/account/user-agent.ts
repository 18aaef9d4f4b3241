/** In this order, because Edge and Opera also name Chrome, and Chrome also names Safari. */
const BROWSERS: [pattern: RegExp, name: string][] = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** In this order, because Android also names Linux, and iPhones also name Mac OS X. */
const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Describes a user agent for its owner, such as "Firefox on Windows". */
export function describeUserAgent(userAgent: string): string {
  const nameIn = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(BROWSERS)
  if (browser === undefined) return userAgent.slice(0, 40) || 'Unknown browser'
  return `${browser} on ${nameIn(SYSTEMS) ?? 'an unknown device'}`
}
