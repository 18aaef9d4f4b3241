import { Flashlight, FlashlightOff, Keyboard, ScanBarcode, X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'

/** Switches the light of the camera. */
type SetLight = (isOn: boolean) => Promise<void>

/**
 * Whether the headers of this page are in force, which allow the camera and WebAssembly. Those of a document stay until the next one
 * is loaded, whatever page a link leads to; this code is loaded before the address changes.
 */
const isAllowed = typeof window !== 'undefined' && /\/add\/?$/.test(window.location.pathname)

/**
 * Reads barcodes with the camera until it is closed or a set is found. If the camera can't be used, it says why and the search
 * takes its place. Not rendered without JavaScript.
 */
export function BarcodeScanner({
  startsAfter,
  hasFound,
  onRead,
  onTypeInstead,
}: {
  /** Starts by itself when this changes: the lot that was added last. */
  startsAfter: number | undefined
  hasFound: boolean
  onRead: (code: string) => void
  onTypeInstead: () => void
}) {
  const [isOn, setOn] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (startsAfter !== undefined || new URLSearchParams(window.location.search).has('scan')) start()
  }, [startsAfter])
  useEffect(() => {
    if (hasFound) setOn(false)
  }, [hasFound])
  if (isOn)
    return (
      <Camera
        onRead={onRead}
        onClose={() => setOn(false)}
        onTypeInstead={() => {
          setOn(false)
          onTypeInstead()
        }}
        onFailed={(reason) => {
          setOn(false)
          setProblem(reason)
          onTypeInstead()
        }}
      />
    )
  if (problem !== undefined)
    return (
      <p role="alert" className="text-sm text-ink-soft">
        {problem}{' '}
        <button type="button" onClick={start} className="min-h-6 text-accent underline underline-offset-4">
          Try again
        </button>
      </p>
    )
  return (
    <section
      aria-label="Camera"
      className={`relative grid h-36 place-items-center rounded-card bg-camera text-on-camera noscript:hidden ${STAGE_CLASSES} ${hasFound ? 'max-[1120px]:hidden' : ''}`}
    >
      <Frame />
      <button
        type="button"
        onClick={start}
        className="relative inline-flex min-h-10 items-center gap-2 rounded-full bg-on-camera px-5 font-medium text-camera outline-offset-4 focus-visible:outline-on-camera"
      >
        <ScanBarcode aria-hidden="true" className="size-5" /> Scan barcode
      </button>
    </section>
  )

  function start() {
    setProblem(undefined)
    if (isAllowed) return setOn(true)
    const url = new URL(window.location.href)
    url.searchParams.set('scan', 'yes')
    return window.location.assign(url)
  }
}

/** From edge to edge on phones. */
const STAGE_CLASSES = 'overflow-hidden max-md:-mx-4 max-md:rounded-none'

function Camera({
  onRead,
  onClose,
  onTypeInstead,
  onFailed,
}: {
  onRead: (code: string) => void
  onClose: () => void
  onTypeInstead: () => void
  onFailed: (reason: string) => void
}) {
  const video = useRef<HTMLVideoElement>(null)
  // The camera runs across renders, each of which has callbacks of its own.
  const callbacks = useRef({ onRead, onFailed })
  useEffect(() => {
    callbacks.current = { onRead, onFailed }
  })
  const [isReading, setReading] = useState(false)
  const [light, setLight] = useState<{ set: SetLight; isOn: boolean }>()
  useEffect(() => {
    const controller = new AbortController()
    void runCamera(controller.signal)
    return () => controller.abort()

    async function runCamera(signal: AbortSignal) {
      try {
        const { readBarcodes } = await import('./read-barcodes.ts')
        await readBarcodes(video.current!, {
          signal,
          onStart: (set) => {
            setReading(true)
            if (set) setLight({ set, isOn: false })
          },
          onRead: (code) => callbacks.current.onRead(code),
        })
        if (!signal.aborted) callbacks.current.onFailed('The camera stopped.')
      } catch (error) {
        if (!signal.aborted) callbacks.current.onFailed(describeFailure(error))
      }
    }
  }, [])
  return (
    <section
      aria-label="Camera"
      className={`relative h-[260px] rounded-card bg-camera text-on-camera max-md:h-[280px] ${STAGE_CLASSES}`}
    >
      <video ref={video} muted playsInline className="absolute inset-0 size-full object-cover" />
      <Frame isReading={isReading} />
      <p role="status" className="absolute inset-x-0 top-3 text-center text-sm font-medium">
        <span className="rounded-full bg-camera/80 px-3 py-1">
          {isReading ? 'Hold the barcode inside the frame' : 'Starting the camera…'}
        </span>
      </p>
      <div className="absolute inset-x-3.5 bottom-3 flex items-center justify-between gap-2">
        {light ? (
          <RoundButton
            label={light.isOn ? 'Turn the light off' : 'Turn the light on'}
            onClick={() => {
              setLight({ ...light, isOn: !light.isOn })
              void light.set(!light.isOn)
            }}
          >
            {light.isOn ? <FlashlightOff className="size-4" /> : <Flashlight className="size-4" />}
          </RoundButton>
        ) : (
          <span className="w-10" />
        )}
        <button
          type="button"
          onClick={onTypeInstead}
          className="inline-flex min-h-10 items-center gap-2 rounded-full bg-camera/80 px-4 text-sm font-medium focus-visible:outline-on-camera"
        >
          <Keyboard aria-hidden="true" className="size-4" /> Type the number
        </button>
        <RoundButton label="Close the camera" onClick={onClose}>
          <X className="size-4" />
        </RoundButton>
      </div>
    </section>
  )
}

function RoundButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="grid size-10 place-items-center rounded-full bg-camera/80 focus-visible:outline-on-camera"
    >
      {children}
    </button>
  )
}

const CORNERS = [
  'top-0 left-0 rounded-tl-lg border-t-3 border-l-3',
  'top-0 right-0 rounded-tr-lg border-t-3 border-r-3',
  'bottom-0 left-0 rounded-bl-lg border-b-3 border-l-3',
  'bottom-0 right-0 rounded-br-lg border-b-3 border-r-3',
]

function Frame({ isReading = false }: { isReading?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`absolute top-1/2 left-1/2 w-[min(300px,80%)] -translate-1/2 ${isReading ? 'h-[130px]' : 'h-[96px] opacity-60'}`}
    >
      {CORNERS.map((corner) => (
        <span key={corner} className={`absolute size-6 border-on-camera ${corner}`} />
      ))}
      {isReading && <span className="scan-line absolute inset-x-3.5 h-0.5 bg-camera-line" />}
    </span>
  )
}

const FAILURES: Record<string, string> = {
  NotAllowedError: 'The camera is blocked. Allow it for this site in your browser’s settings, or search below.',
  NotFoundError: 'No camera was found, so search below.',
  NotReadableError: 'Another app is using the camera. Close it, or search below.',
}

function describeFailure(error: unknown): string {
  return (error instanceof DOMException && FAILURES[error.name]) || 'The scanner didn’t start, so search below.'
}
