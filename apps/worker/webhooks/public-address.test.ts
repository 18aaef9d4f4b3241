import type { lookup, LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { PrivateAddressError, PublicAddresses } from './public-address.ts'

const addresses = new PublicAddresses([])

test.each([
  '127.0.0.1', // this machine
  '127.8.9.10',
  '0.0.0.0',
  '10.1.2.3', // private networks
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1', // shared by the customers of a provider
  '100.100.100.200', // metadata of a cloud
  '169.254.169.254', // metadata of most clouds
  '192.0.0.192', // metadata of a cloud
  '198.18.0.1', // benchmarks
  '224.0.0.1', // multicast
  '240.0.0.1', // reserved
  '255.255.255.255',
  '::', // the same in IPv6
  '::1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::7f00:1', // IPv4 written as IPv6, in the old way
  '::a9fe:a9fe',
  '::ffff:127.0.0.1', // and in the new way
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a00:1', // translated to IPv4
  '2002:a00:1::', // tunnels to IPv4
  '2001:0:a00:1::',
  '2001:db8::1', // for documentation
])('refuses %s', (address) => {
  expect(addresses.allows(address)).toBe(false)
  expect(() => addresses.checkHost(address.includes(':') ? `[${address}]` : address)).toThrow(PrivateAddressError)
})

test.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111'])('allows %s', (address) => {
  expect(addresses.allows(address)).toBe(true)
  addresses.checkHost(address)
})

test.each(['http://0x7f.1/', 'http://2130706433/', 'http://127.1/', 'http://[::ffff:7f00:1]/', 'http://017700000001/'])(
  'recognizes other spellings of an address: %s',
  (url) => {
    expect(() => addresses.checkHost(new URL(url).hostname)).toThrow(PrivateAddressError)
  },
)

test('a name is refused for what it resolves to, and the message doesn’t say what', async () => {
  const resolve = (allowed: string[], all: boolean) =>
    new Promise((done) =>
      new PublicAddresses(allowed).lookup('localhost', { all }, (error, address) => done(error ?? address)),
    )
  const refused = await resolve([], false)
  expect(refused).toBeInstanceOf(PrivateAddressError)
  expect((refused as Error).message).not.toMatch(/127|::1/)
  expect(await resolve(['127.0.0.0/8', '::1/128'], false)).toMatch(/^(127\.0\.0\.1|::1)$/)
  expect(await resolve(['127.0.0.0/8', '::1/128'], true)).toContainEqual(
    expect.objectContaining({ address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) as string }),
  )
})

test('a name that changes its answer is refused from then on', async () => {
  const answers = ['93.184.216.34', '169.254.169.254']
  const resolve = ((_name: string, _options: object, done: (error: null, addresses: LookupAddress[]) => void) =>
    done(null, [{ address: answers.shift()!, family: 4 }])) as unknown as typeof lookup
  const rebinding = new PublicAddresses([], resolve)
  const next = () =>
    new Promise((done) => rebinding.lookup('rebinding.example', {}, (error, address) => done(error ?? address)))
  // The socket connects to the address that was checked, not to what the name resolves to later.
  expect(await next()).toBe('93.184.216.34')
  expect(await next()).toBeInstanceOf(PrivateAddressError)
})

test('allowing a network allows no other', () => {
  const allowed = new PublicAddresses(['10.1.0.0/16'])
  expect(allowed.allows('10.1.2.3')).toBe(true)
  expect(allowed.allows('::ffff:10.1.2.3')).toBe(true)
  expect(allowed.allows('10.2.0.1')).toBe(false)
})
