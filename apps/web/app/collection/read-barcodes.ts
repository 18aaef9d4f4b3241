import { isBarcode } from '@brickmark/core/catalog/barcode'
import type { FrameReader } from './wasm-reader.ts'

/**
 * Shows the camera in a video and reports the barcodes it sees, until the signal is aborted or the camera stops; then it releases
 * the camera. Throws if the camera can't be used.
 */
export async function readBarcodes(
  video: HTMLVideoElement,
  {
    signal,
    onStart,
    onRead,
  }: {
    signal: AbortSignal
    /** Gets a function that switches the light, if there is one. */
    onStart: (setLight: ((isOn: boolean) => Promise<void>) | undefined) => void
    onRead: (code: string) => void
  },
): Promise<void> {
  const camera = await openCamera()
  const track = camera.getVideoTracks()[0]!
  const ended = new AbortController()
  const end = () => ended.abort()
  const until = AbortSignal.any([signal, ended.signal])
  until.addEventListener('abort', () => track.stop())
  try {
    if (until.aborted) return
    track.addEventListener('ended', end)
    // A page that is kept in memory for the back button would keep the camera on.
    window.addEventListener('pagehide', end, { signal: until })
    video.srcObject = camera
    await video.play()
    const readFrame = await loadFrameReader()
    const confirm = confirmReads()
    onStart(findLight(track))
    while (await nextFrame(video, until)) {
      const code = confirm(await readFrame(video))
      if (code !== undefined && !until.aborted) onRead(code)
    }
  } finally {
    end()
    track.stop()
  }
}

function openCamera(): Promise<MediaStream> {
  // Browsers leave it out on pages that aren't served over https.
  if (navigator.mediaDevices === undefined) throw new DOMException('No camera', 'NotFoundError')
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  })
}

/** Waits for a frame that hasn't been read; false once the signal is aborted. */
function nextFrame(video: HTMLVideoElement, until: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (until.aborted) return resolve(false)
    const end = () => resolve(false)
    until.addEventListener('abort', end, { once: true })
    video.requestVideoFrameCallback(() => {
      until.removeEventListener('abort', end)
      resolve(true)
    })
  })
}

/**
 * Returns a function that takes what each frame shows, and returns a barcode once two frames in a row agree on it and its check
 * digit is right. It returns a barcode again only after another one.
 */
export function confirmReads(): (text: string | undefined) => string | undefined {
  let [previous, reported]: (string | undefined)[] = []
  return (text) => {
    // Readers return a UPC-A with or without the 0 that makes it an EAN-13. The box shows it without.
    const code = text?.replace(/^0(?=\d{12}$)/, '')
    const isConfirmed = code !== undefined && code === previous && code !== reported && isBarcode(code)
    previous = code
    if (!isConfirmed) return undefined
    reported = code
    return code
  }
}

/** Of browsers that read barcodes themselves. Not part of TypeScript's types. */
type BarcodeDetector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> }
type BarcodeDetectorClass = {
  new (options: { formats: string[] }): BarcodeDetector
  getSupportedFormats(): Promise<string[]>
}

/** Uses the browser's own reader if it has one for these formats, else one that comes as WebAssembly. */
async function loadFrameReader(): Promise<FrameReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: BarcodeDetectorClass }
  const supported = (await BarcodeDetector?.getSupportedFormats()) ?? []
  if (BarcodeDetector === undefined || !supported.includes('ean_13') || !supported.includes('upc_a')) {
    const { loadWasmReader } = await import('./wasm-reader.ts')
    return loadWasmReader()
  }
  const formats = ['ean_13', 'upc_a', 'ean_8'].filter((format) => supported.includes(format))
  const detector = new BarcodeDetector({ formats })
  return async (video) => (await detector.detect(video))[0]?.rawValue
}

function findLight(track: MediaStreamTrack): ((isOn: boolean) => Promise<void>) | undefined {
  // Some browsers have no getCapabilities, and TypeScript's types no torch.
  const { torch } = (track.getCapabilities?.() ?? {}) as { torch?: boolean }
  if (!torch) return undefined
  return (isOn) => track.applyConstraints({ advanced: [{ torch: isOn } as MediaTrackConstraintSet] })
}
