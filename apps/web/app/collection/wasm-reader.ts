import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

/** Returns the barcode that the current frame of a video shows; undefined if there is none. */
export type FrameReader = (video: HTMLVideoElement) => Promise<string | undefined>

const OPTIONS: ReaderOptions = {
  formats: ['EAN13', 'UPCA', 'EAN8'],
  maxNumberOfSymbols: 1,
  tryInvert: false,
}

/** Loads ZXing, about 0.4 MB, from our own origin. */
export async function loadWasmReader(): Promise<FrameReader> {
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true })
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  return async (video) => {
    const { x, y, width, height } = visiblePart(video)
    if (width === 0) return undefined
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    context.drawImage(video, x, y, width, height, 0, 0, width, height)
    const [found] = await readBarcodes(context.getImageData(0, 0, width, height), OPTIONS)
    return found?.text
  }
}

/** The part of the camera's picture that its box shows: reading less is faster, and what isn't seen shouldn't be read. */
function visiblePart({ videoWidth, videoHeight, clientWidth, clientHeight }: HTMLVideoElement) {
  const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight)
  const width = Math.min(videoWidth, Math.round(clientWidth / scale))
  const height = Math.min(videoHeight, Math.round(clientHeight / scale))
  return { x: Math.round((videoWidth - width) / 2), y: Math.round((videoHeight - height) / 2), width, height }
}
