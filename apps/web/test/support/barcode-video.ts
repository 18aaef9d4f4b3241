import { appendFile, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { seededRandom } from '@brickmark/art/geometry'
import { checkDigit } from '@brickmark/core/catalog/barcode'

/** Barcodes as a camera sees them, as a video that Chromium plays in place of a camera. */

const LEFT = '0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011'.split(' ')
const RIGHT = LEFT.map((modules) => modules.replaceAll(/./g, (module) => (module === '0' ? '1' : '0')))
const LEFT_EVEN = RIGHT.map((modules) => modules.split('').toReversed().join(''))
/** Which digits of the left half are even, by the first digit. */
const PARITIES = 'LLLLLL LLGLGG LLGGLG LLGGGL LGLLGG LGGLLG LGGGLL LGLGLG LGLGGL LGGLGL'.split(' ')

/** Returns the bars (1) and spaces (0) of an EAN-13 or a UPC-A, which is an EAN-13 that starts with 0, or of an EAN-8. */
function encodeBarcode(code: string): string {
  const digits = (code.length === 12 ? `0${code}` : code).split('').map(Number)
  const parity = digits.length === 13 ? PARITIES[digits.shift()!]! : 'LLLL'
  const half = digits.length / 2
  const left = digits.slice(0, half).map((digit, index) => (parity[index] === 'L' ? LEFT : LEFT_EVEN)[digit])
  const right = digits.slice(half).map((digit) => RIGHT[digit])
  return `101${left.join('')}01010${right.join('')}101`
}

/** Returns `count` different valid codes: EAN-13 and UPC-A in turn. */
export function randomBarcodes(count: number, seed = 1): string[] {
  const random = seededRandom(seed)
  const digits = (length: number) => Array.from({ length }, () => Math.floor(random() * 10)).join('')
  return Array.from({ length: count }, (_, index) => {
    const payload = index % 2 === 0 ? `5702${digits(8)}` : `6734${digits(7)}`
    return payload + checkDigit(payload)
  })
}

const FRAMES_PER_SECOND = 30
/** Every code is shown for a second, in ten different frames. */
const FRAMES = 10

/** Writes a video that shows each code for a second, as a hand holds it: tilted, blurred, too dark or too bright, near or far. */
export async function writeBarcodeVideo(page: Page, file: string, codes: string[]): Promise<void> {
  await page.goto('about:blank')
  await page.evaluate(DRAW)
  const random = seededRandom(7)
  const between = (low: number, high: number) => low + (high - low) * random()
  await writeFile(file, '')
  for (const code of codes) {
    const bars = encodeBarcode(code)
    const width = between(2.5, 5)
    const hold = { angle: between(-12, 12), blur: between(0, 0.45) * width, noise: between(0, 0.3) }
    const light = { direction: between(0, 2 * Math.PI), low: between(0.3, 0.75), high: between(0.8, 1) }
    const frames = Array.from({ length: FRAMES }, () => ({
      bars,
      code,
      width,
      ...hold,
      ...light,
      angle: hold.angle + between(-0.6, 0.6),
      x: between(-25, 25),
      y: between(-20, 20),
      noiseX: between(0, 256),
      noiseY: between(0, 256),
    }))
    const images = await page.evaluate<string[]>(`Promise.all(${JSON.stringify(frames)}.map(drawFrame))`)
    const shown = images.map((image) => Buffer.from(image, 'base64'))
    const repeats = FRAMES_PER_SECOND / FRAMES
    await appendFile(file, Buffer.concat(Array.from({ length: repeats }, () => shown).flat()))
  }
}

/** Runs in the page: draws a frame of 800 × 450 and returns it as JPEG in base64. */
const DRAW = `
  const noise = new OffscreenCanvas(1056, 706)
  {
    const grain = noise.getContext('2d')
    const pixels = grain.createImageData(1056, 706)
    let seed = 1
    for (let index = 0; index < pixels.data.length; index += 4) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      pixels.data.fill(seed >>> 24, index, index + 3)
      pixels.data[index + 3] = 255
    }
    grain.putImageData(pixels, 0, 0)
  }
  globalThis.drawFrame = async ({ bars, code, width, angle, blur, noise: grain, direction, low, high, x, y, noiseX, noiseY }) => {
    const canvas = new OffscreenCanvas(800, 450)
    const context = canvas.getContext('2d')
    context.fillStyle = '#a08f78'
    context.fillRect(0, 0, 800, 450)
    context.save()
    context.translate(400 + x, 225 + y)
    context.rotate((angle * Math.PI) / 180)
    context.filter = 'blur(' + blur + 'px)'
    const length = bars.length * width
    const height = length * 0.42
    context.fillStyle = '#f6f3ea'
    context.fillRect(-length / 2 - 11 * width, -height / 2 - 12, length + 22 * width, height + 40)
    context.fillStyle = '#23242a'
    // One path: next to each other, blurred bars would leave gaps.
    context.beginPath()
    for (let index = 0; index < bars.length; index++)
      if (bars[index] === '1') context.rect(-length / 2 + index * width, -height / 2, width, height)
    context.fill()
    context.font = '15px monospace'
    context.textAlign = 'center'
    context.fillText(code, 0, height / 2 + 16)
    context.restore()
    const [dx, dy] = [Math.cos(direction) * 400, Math.sin(direction) * 225]
    const shade = context.createLinearGradient(400 - dx, 225 - dy, 400 + dx, 225 + dy)
    shade.addColorStop(0, 'rgb(' + Array(3).fill(Math.round(255 * low)) + ')')
    shade.addColorStop(1, 'rgb(' + Array(3).fill(Math.round(255 * high)) + ')')
    context.globalCompositeOperation = 'multiply'
    context.fillStyle = shade
    context.fillRect(0, 0, 800, 450)
    context.globalCompositeOperation = 'overlay'
    context.globalAlpha = grain
    context.drawImage(noise, -noiseX, -noiseY)
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.7 })
    const bytes = new Uint8Array(await blob.arrayBuffer())
    return bytes.toBase64 ? bytes.toBase64() : btoa(String.fromCharCode(...bytes))
  }
`
