import { useEffect, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/**
 * Signs in with a passkey. Hidden where the browser doesn't support passkeys or JavaScript is off; it keeps its space,
 * so that the page doesn't move when it appears.
 */
export function PasskeySignInButton({ to }: { to: string }) {
  const navigate = useNavigate()
  const { supported, error, runWithErrors } = usePasskey()
  const signIn = () =>
    runWithErrors(async () => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await callPasskeyEndpoint('sign-in-options'))
      await callPasskeyEndpoint('sign-in', { response: await navigator.credentials.get({ publicKey }) })
      await navigate(to)
    })
  return (
    <div className={`grid gap-3 border-t border-line pt-4 ${supported ? '' : 'invisible'}`}>
      {error !== undefined && <Notice tone="loss">{error}</Notice>}
      <div>
        <Button type="button" onClick={() => void signIn()}>
          Sign in with a passkey
        </Button>
      </div>
    </div>
  )
}

export function AddPasskeyButton() {
  const { revalidate } = useRevalidator()
  const { supported, error, runWithErrors } = usePasskey()
  if (!supported) return <p className="text-sm text-ink-soft">Enable JavaScript to add a passkey.</p>
  const add = () =>
    runWithErrors(async () => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await callPasskeyEndpoint('add-options'))
      const name = /\(([^;)]+)/.exec(navigator.userAgent)?.[1] ?? 'Passkey'
      await callPasskeyEndpoint('add', { response: await navigator.credentials.create({ publicKey }), name })
      await revalidate()
    })
  return (
    <div className="grid gap-3">
      {error !== undefined && <Notice tone="loss">{error}</Notice>}
      <div>
        <Button type="button" onClick={() => void add()}>
          Add passkey
        </Button>
      </div>
    </div>
  )
}

function usePasskey() {
  const navigate = useNavigate()
  const [supported, setSupported] = useState(false)
  const [error, setError] = useState<string>()
  useEffect(() => setSupported('PublicKeyCredential' in window), [])
  const runWithErrors = async (work: () => Promise<void>) => {
    setError(undefined)
    try {
      await work()
    } catch (error) {
      if (error instanceof PasskeyError && error.signIn !== undefined) return navigate(error.signIn)
      // Browser errors mean that the user canceled or that no passkey matches.
      setError(
        error instanceof PasskeyError ? error.message : 'Couldn’t use a passkey. Try again or use your password.',
      )
    }
  }
  return { supported, error, runWithErrors }
}

class PasskeyError extends Error {
  /** Path of the sign-in page, if the request was rejected for lack of a recent sign-in. */
  readonly signIn: string | undefined

  constructor({ error, signIn }: PasskeyErrorBody) {
    super(error)
    this.signIn = signIn
  }
}

type PasskeyErrorBody = { error?: string; signIn?: string }

async function callPasskeyEndpoint<T>(step: string, body?: object): Promise<T> {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`/passkey/${step}`, init)
  const parsed = (await response.json()) as T & PasskeyErrorBody
  if (!response.ok) throw new PasskeyError(parsed)
  return parsed
}
