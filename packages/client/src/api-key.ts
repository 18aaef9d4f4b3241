const PREFIX = 'bmk_live_'
const LENGTH = PREFIX.length + 48

/** Validates prefix, length and checksum of a key offline. Returns what is wrong, or undefined if it is well-formed. */
export function validateKey(key: string): string | undefined {
  if (key === '') return 'No key was provided.'
  if (!key.startsWith(PREFIX)) return `API keys start with ${PREFIX}, but this one starts with "${key.slice(0, 4)}".`
  if (key.length !== LENGTH) {
    const hint = key.length < LENGTH ? 'Check that you copied all of it.' : 'Check that you pasted it only once.'
    return `API keys are ${LENGTH} characters long, but this one has ${key.length}. ${hint}`
  }
  const body = key.slice(0, -8)
  const isValid = /^[0-9a-f]{48}$/.test(key.slice(PREFIX.length)) && checksum(body) === key.slice(-8)
  return isValid ? undefined : 'This key contains a typo. Copy it again.'
}

/** Masks a key for display: enough to tell keys apart, too little to use. */
export function maskKey(key: string): string {
  return `${key.slice(0, PREFIX.length + 4)}…${key.slice(-4)}`
}

/** CRC-32 in hex. `zlib.crc32` needs Node 20.15, and browsers don't have it. */
function checksum(text: string): string {
  let crc = ~0
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (~crc >>> 0).toString(16).padStart(8, '0')
}
