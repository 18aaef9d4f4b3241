import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * A webhook may not reach this address, or there is none. Says neither which of the two nor what a name resolved to, so that
 * it can't be used to probe our network.
 */
export class PrivateAddressError extends Error {
  constructor() {
    super('The URL doesn’t point to a public address.')
  }
}

/** All public addresses of IPv6 are in here; what else looks like one, such as ::7f00:1, may lead to this machine. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3')

/**
 * Decides which addresses webhooks may reach: public ones, and those in networks that the operator allows. The check is part
 * of name resolution, so the address that was checked is the one that is connected to, whatever the name resolves to a
 * moment later.
 */
export class PublicAddresses {
  readonly #allowed: ReturnType<typeof ipaddr.parseCIDR>[]
  readonly #resolve: typeof lookup

  constructor(allowedNetworks: readonly string[], resolve: typeof lookup = lookup) {
    this.#allowed = allowedNetworks.map((network) => ipaddr.parseCIDR(network))
    this.#resolve = resolve
  }

  allows(text: string): boolean {
    // Also unwraps IPv4 addresses that are written as IPv6.
    const address = ipaddr.process(text)
    if (address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(PUBLIC_IPV6))) return true
    return this.#allowed.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits))
  }

  /** Throws if the host is an address that webhooks may not reach. Names are checked when they are resolved. */
  checkHost(hostname: string): void {
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !this.allows(host)) throw new PrivateAddressError()
  }

  /** Resolves a name like `dns.lookup`; fails if any of its addresses isn't allowed. */
  readonly lookup = (
    hostname: string,
    options: LookupOptions,
    callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    this.#resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(new PrivateAddressError(), [])
      if (!addresses.every(({ address }) => this.allows(address))) return callback(new PrivateAddressError(), [])
      if (options.all === true) return callback(null, addresses)
      return callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }
}
