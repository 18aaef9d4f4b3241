import ipaddr from 'ipaddr.js'

/** Returns whom a client address counts as. An IPv6 client has 2^64 addresses of its own, so its whole network is one. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}::/64` : parsed.toString()
}
