import { useEffect, useState } from 'react'
import { Form as RouterForm, useSubmit } from 'react-router'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Table } from '../ui/table.tsx'
import { Timestamp } from '../ui/timestamp.tsx'

export type Push = {
  publicKey: string
  max: number
  browsers: { id: number; url: string; name: string; addedAt: string; lastSuccessAt: string | null }[]
}

/** Push notifications: turns them on for this browser, and lists all browsers that get them. */
export function PushCard({ push, error, isTested }: { push: Push; error: string | undefined; isTested: boolean }) {
  const { browsers, max } = push
  const browser = useThisBrowser()
  const isThis = ({ url }: { url: string }) => url === browser.subscriptionUrl
  return (
    <Card title="Push notifications">
      <div className="grid gap-4">
        <p>
          Every alert of your targets and rules, at once and on this device, even while Brickmark is closed. What
          happens within a minute comes in one notification. The settings above are for email only: notifications also
          come during quiet hours, and if you never get email.
        </p>
        {error !== undefined && <Notice tone="loss">{error}</Notice>}
        {isTested && error === undefined && <Notice tone="gain">Sent. It arrives within a minute.</Notice>}
        <TurnOn push={push} browser={browser} isOn={browsers.some(isThis)} />
        {browsers.length > 0 && (
          <Table
            caption={`Browsers that get notifications (${browsers.length} of ${max})`}
            rows={browsers}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'browser',
                title: 'Browser',
                cell: (row) => (
                  <span className="inline-flex flex-wrap items-center gap-2">
                    {row.name} {isThis(row) && <Badge tone="accent">This browser</Badge>}
                  </span>
                ),
              },
              { key: 'added', title: 'Turned on', cell: ({ addedAt }) => <Timestamp iso={addedAt} /> },
              {
                key: 'success',
                title: 'Last delivered',
                cell: ({ lastSuccessAt }) => (lastSuccessAt === null ? 'Never' : <Timestamp iso={lastSuccessAt} />),
              },
              { key: 'actions', title: 'Actions', right: true, cell: (row) => <Actions browser={row} /> },
            ]}
          />
        )}
      </div>
    </Card>
  )
}

function Actions({ browser: { id, name } }: { browser: Push['browsers'][number] }) {
  return (
    <RouterForm method="post" preventScrollReset className="inline-flex flex-wrap gap-2 sm:justify-end">
      <input type="hidden" name="browser" value={id} />
      <Button name="intent" value="push-test" aria-label={`Send test to ${name}`}>
        Send test
      </Button>
      <Button name="intent" value="push-off" aria-label={`Turn off for ${name}`}>
        Turn off
      </Button>
    </RouterForm>
  )
}

function TurnOn({ push, browser, isOn }: { push: Push; browser: ThisBrowser; isOn: boolean }) {
  const submit = useSubmit()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const turnOn = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      if ((await Notification.requestPermission()) === 'granted') {
        const subscription = await subscribe(push.publicKey)
        const { endpoint = '', keys = {} } = subscription.toJSON()
        await submit({ intent: 'push-on', endpoint, ...keys }, { method: 'post', preventScrollReset: true })
      }
    } catch {
      setProblem('This browser couldn’t reach its push service. Check your connection and try again.')
    }
    browser.look()
    setBusy(false)
  }
  const { state } = browser
  if (isOn && state === 'ready') return null
  return (
    <>
      {problem !== undefined && <Notice tone="loss">{problem}</Notice>}
      <noscript>
        <p>Turning on notifications for this browser needs JavaScript.</p>
      </noscript>
      {state === 'unsupported' && (
        <p>
          This browser can’t show push notifications; on an iPhone or iPad, add Brickmark to the home screen and open it
          from there.
        </p>
      )}
      {state === 'refused' && (
        <p>This browser blocks notifications from Brickmark; allow them in its settings for this site, then reload.</p>
      )}
      {/* Keeps its space, so that the page doesn't move when the button appears. */}
      {(state === 'ready' || state === 'unknown') && (
        <div className={state === 'unknown' ? 'invisible' : ''}>
          <Button type="button" disabled={isBusy} onClick={() => void turnOn()}>
            Turn on for this browser
          </Button>
        </div>
      )}
    </>
  )
}

type ThisBrowser = {
  state: 'unknown' | 'unsupported' | 'refused' | 'ready'
  /** Where messages to this browser go; undefined if it has no subscription. */
  subscriptionUrl: string | undefined
  /** Looks again. */
  look: () => void
}

/** What this browser can do and has agreed to; unknown until the page is hydrated. */
function useThisBrowser(): ThisBrowser {
  const [state, setState] = useState<ThisBrowser['state']>('unknown')
  const [subscriptionUrl, setSubscriptionUrl] = useState<string>()
  const look = () => {
    if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
      return setState('unsupported')
    if (Notification.permission === 'denied') return setState('refused')
    void lookForSubscription()
  }
  const lookForSubscription = async () => {
    setSubscriptionUrl((await findSubscription())?.endpoint)
    setState('ready')
  }
  useEffect(look, [])
  return { state, subscriptionUrl, look }
}

const WORKER = '/push-worker.js'

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER)
  return registration === undefined ? null : registration.pushManager.getSubscription()
}

/** Always makes a new subscription: one left over from another account or an earlier VAPID key must not be used. */
async function subscribe(applicationServerKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}
