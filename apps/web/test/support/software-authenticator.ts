import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import type { TestUser, TestWeb } from './web.ts'

/** Software authenticator with one passkey. Unlike the browser's, it can skip user verification. */
export type SoftwareAuthenticator = { credentialId: string; privateKey: KeyObject }

/** Registers a passkey for the user on a software authenticator. */
export async function registerAuthenticator(web: TestWeb, { userId }: TestUser): Promise<SoftwareAuthenticator> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // COSE key: EC2, ES256, P-256, followed by the two coordinates.
  const cose = ['a5010203262001215820', hex(x), '225820', hex(y)].join('')
  const credentialId = Buffer.from(randomUUID()).toString('base64url')
  await web.db
    .insertInto('auth.passkey')
    .values({
      id: randomUUID(),
      user_id: userId,
      public_key: Buffer.from(cose, 'hex').toString('base64'),
      credential_id: credentialId,
      counter: 0,
      device_type: 'singleDevice',
      backed_up: false,
    })
    .execute()
  return { credentialId, privateKey }
}

/** Signs in with the passkey; `userVerified` sets the authenticator's user verification flag. */
export async function signInWithPasskey(
  web: TestWeb,
  authenticator: SoftwareAuthenticator,
  userVerified: boolean,
): Promise<Response> {
  const optionsResponse = await fetch(`${web.origin}/passkey/sign-in-options`)
  const { challenge } = (await optionsResponse.json()) as { challenge: string }
  const cookie = optionsResponse.headers
    .getSetCookie()
    .map((setCookie) => setCookie.split(';')[0])
    .join('; ')
  const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: web.origin }))
  const flags = userVerified ? 0x05 : 0x01
  const authenticatorData = Buffer.concat([sha256(Buffer.from('localhost')), Buffer.from([flags, 0, 0, 0, 1])])
  const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), authenticator.privateKey)
  const response = {
    id: authenticator.credentialId,
    rawId: authenticator.credentialId,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      authenticatorData: authenticatorData.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      signature: signature.toString('base64url'),
    },
  }
  return fetch(`${web.origin}/passkey/sign-in`, {
    method: 'POST',
    headers: { cookie, origin: web.origin, 'content-type': 'application/json' },
    body: JSON.stringify({ response }),
  })
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function hex(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('hex')
}
