import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCollection, addSet } from '@brickmark/tests/support/fixtures'
import { confirmReads } from '../app/collection/read-barcodes.ts'
import { randomBarcodes, writeBarcodeVideo } from './support/barcode-video.ts'
import { checkCurrentPage, collectBrowserErrors } from './support/check-page.ts'
import { findLots, seedCatalog } from './support/collections.ts'
import { startTestWeb, type TestWeb } from './support/web.ts'

/**
 * Adding sets with the camera. Chromium plays a video in place of a camera; everything else is real. SCAN_COUNT=200 shows more
 * barcodes, a second each.
 */

const COUNT = Number(process.env['SCAN_COUNT'] ?? 20)
/** Of the set 90001-1, which has this EAN and this UPC. */
const [EAN, UPC] = ['5702019000013', '673419000017']
/** A UPC stored as an EAN with a leading zero. */
const LEADING_ZERO = { ean: '0036000291452', upc: '036000291452' }
const UNKNOWN = '4006381333931'

let web: TestWeb
let folder: string
let video: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'barcodes-'))
  video = join(folder, 'camera.mjpeg')
  web = await startTestWeb({
    seed: async (db) => {
      await seedCatalog(db)
      await addSet(db, { set_number: '90020-1', title: 'Zero Gravity Pier', ean: LEADING_ZERO.ean })
    },
    camera: video,
  })
})
afterAll(async () => {
  await web.stop()
  await rm(folder, { recursive: true })
})

async function showBarcodes(codes: string[]): Promise<void> {
  const context = await web.newContext()
  await writeBarcodeVideo(await context.newPage(), video, codes)
  await context.close()
}

async function openAddPage({ permissions = ['camera'], query = '', prepare = '' } = {}) {
  const user = await web.createUser()
  const collection = await addCollection(web.db, user.accountId, { name: 'Shelf', is_default: true })
  const context = await web.signedInContext(user, { permissions })
  const page = await context.newPage()
  const browserErrors = collectBrowserErrors(page)
  await page.addInitScript(KEEP_TRACKS + prepare)
  await page.goto(`/collections/${collection}/add${query}`)
  return { user, collection, context, page, browserErrors }
}

/** Lets tests see whether the camera is on. */
const KEEP_TRACKS = `
  globalThis.tracks = []
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const camera = await open(wanted)
    tracks.push(...camera.getTracks())
    return camera
  };
`
const trackStates = (page: Page) => page.evaluate<string[]>('tracks.map(({ readyState }) => readyState)')

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const searchField = (page: Page) => page.getByLabel('Set number, name or barcode')
const hasFocus = (page: Page, selector: string) => page.evaluate(`document.activeElement?.matches('${selector}')`)

test('a read counts once two frames in a row agree on it and its check digit is right', () => {
  const read = (...codes: (string | undefined)[]) => codes.map(confirmReads())
  expect(read(EAN, EAN, EAN)).toEqual([undefined, EAN, undefined])
  expect(read(EAN, undefined, EAN, UPC, EAN)).toEqual([undefined, undefined, undefined, undefined, undefined])
  expect(read(EAN, EAN, UPC, UPC, EAN, EAN)).toEqual([undefined, EAN, undefined, UPC, undefined, EAN])
  expect(read(UPC, `0${UPC}`)).toEqual([undefined, UPC])
  expect(read('5702019000014', '5702019000014')).toEqual([undefined, undefined])
  expect(read('96385074', '96385074')).toEqual([undefined, '96385074'])
})

test(
  `reads at least 95% of ${COUNT} barcodes, and none wrongly`,
  async () => {
    const codes = randomBarcodes(COUNT)
    await showBarcodes(codes)
    const { page, context, browserErrors } = await openAddPage()
    const read = new Set<string>()
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.endsWith('/add.data')) read.add(url.searchParams.get('q')!)
    })
    await button(page, 'Scan barcode').click()
    await page.getByText('Hold the barcode inside the frame').waitFor()
    const start = Date.now()
    const passes = () => (Date.now() - start) / 1000 / COUNT
    // The video starts over at its end: a busy machine, which reads only a few frames a second, sees each barcode again.
    while (passes() < 1 || (passes() < 3 && read.size < COUNT * 0.95)) await page.waitForTimeout(200)
    const wrong = [...read].filter((code) => !codes.includes(code))
    const right = read.size - wrong.length
    console.log(`${right} of ${COUNT} barcodes read in ${passes().toFixed(1)} passes, ${wrong.length} wrongly`)
    expect(wrong).toEqual([])
    expect(right).toBeGreaterThanOrEqual(COUNT * 0.95)
    await expect.poll(() => trackStates(page)).toEqual(['live'])
    expect(browserErrors).toEqual([])
    await context.close()
  },
  120_000 + COUNT * 5000,
)

test('a barcode opens the form; “Add and scan next” keeps the condition, status and date, and starts the camera again', async () => {
  await showBarcodes([EAN])
  const { page, context, user, collection, browserErrors } = await openAddPage()
  await button(page, 'Scan barcode').click()
  await page.getByText('Found by barcode').waitFor()
  await page.getByRole('heading', { name: 'Tidewater Lighthouse' }).waitFor()
  await expect.poll(() => trackStates(page)).toEqual(['ended'])

  await page.getByText('Used', { exact: true }).click()
  await button(page, 'One copy more').click()
  await page.getByLabel('Paid each').fill('62.35')
  await page.getByLabel('Bought').fill('2026-03-14')
  await page.getByLabel('Status').selectOption('listed')
  await page.getByText('Add a note').click()
  await page.getByLabel('Notes').fill('from the flea market')
  await button(page, 'Add and scan next').click()
  await page.getByText('Added 2 copies of Tidewater Lighthouse.').waitFor()

  // The same box again.
  await page.getByText('Found by barcode').waitFor()
  await expect.poll(() => trackStates(page)).toEqual(['ended', 'ended'])
  expect(await page.getByLabel('Used').isChecked()).toBe(true)
  expect(await page.getByLabel('Bought').inputValue()).toBe('2026-03-14')
  expect(await page.getByLabel('Status').inputValue()).toBe('listed')
  expect(await page.getByLabel('Copies').inputValue()).toBe('1')
  expect(await page.getByLabel('Paid each').inputValue()).toBe('')
  await button(page, 'Add 1 copy').click()
  await page.getByRole('heading', { name: 'Shelf', level: 1 }).waitFor()
  const common = { collection_id: collection, set_number: '90001-1', condition: 'used', status: 'listed' }
  expect(await findLots(web.db, user.accountId)).toMatchObject([
    { ...common, quantity: 2, purchase_price_cents: 6235, purchase_date: '2026-03-14', notes: 'from the flea market' },
    { ...common, quantity: 1, purchase_price_cents: null, purchase_date: '2026-03-14', notes: null },
  ])
  expect(browserErrors).toEqual([])
  await context.close()
})

test('the confirmation links to the lot', async () => {
  const { page, context, user, collection } = await openAddPage({ permissions: [], query: '?set=90001-1' })
  await button(page, 'Add and scan next').click()
  await page.getByRole('link', { name: 'Show in Shelf' }).click()
  const [lot] = await findLots(web.db, user.accountId)
  await page.waitForURL(`**/collections/${collection}#lot-${lot!.id}`)
  await context.close()
})

test.each([
  ['UPC-A', UPC, 'Tidewater Lighthouse'],
  ['a UPC-A that the catalog has as an EAN-13', LEADING_ZERO.upc, 'Zero Gravity Pier'],
])('%s finds its set', async (_, code, title) => {
  await showBarcodes([code])
  const { page, context } = await openAddPage()
  await button(page, 'Scan barcode').click()
  await page.getByRole('status').filter({ hasText: 'Found by barcode' }).filter({ hasText: title }).waitFor()
  await context.close()
})

test('says which barcode no set has, and goes on scanning; typing a number or leaving the page turns the camera off', async () => {
  await showBarcodes([UNKNOWN])
  const { page, context, browserErrors } = await openAddPage()
  await button(page, 'Scan barcode').click()
  await page.getByText(`No set has the barcode ${UNKNOWN}`).waitFor()
  expect(await searchField(page).inputValue()).toBe(UNKNOWN)
  await expect.poll(() => trackStates(page)).toEqual(['live'])
  // The fake camera has none.
  expect(await page.getByRole('button', { name: /light/ }).count()).toBe(0)
  await checkCurrentPage(page, 'lot-add-camera')

  await button(page, 'Type the number').click()
  expect(await hasFocus(page, '[name=q]')).toBe(true)
  await expect.poll(() => trackStates(page)).toEqual(['ended'])
  await button(page, 'Scan barcode').click()
  await page.getByText('Hold the barcode inside the frame').waitFor()
  await button(page, 'Close the camera').click()
  await expect.poll(() => trackStates(page)).toEqual(['ended', 'ended'])
  await button(page, 'Scan barcode').click()
  await page.getByText('Hold the barcode inside the frame').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Shelf', exact: true }).click()
  await page.getByRole('heading', { name: 'Shelf', level: 1 }).waitFor()
  await expect.poll(() => trackStates(page)).toEqual(['ended', 'ended', 'ended'])
  expect(browserErrors).toEqual([])
  await context.close()
})

test.each([
  ['refused', [], '', 'The camera is blocked.'],
  // As on a computer without one.
  [
    'missing',
    ['camera'],
    `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotFoundError') }`,
    'No camera was found',
  ],
])('a camera that is %s leaves its place to the search, and says why', async (_, permissions, prepare, reason) => {
  const { page, context } = await openAddPage({ permissions, prepare })
  await button(page, 'Scan barcode').click()
  await page.getByRole('alert').filter({ hasText: reason }).waitFor()
  expect(await hasFocus(page, '[name=q]')).toBe(true)
  expect(await page.getByRole('region', { name: 'Camera' }).count()).toBe(0)
  await checkCurrentPage(page, 'lot-add-no-camera')
  await context.close()
})

test('uses the barcode reader of the browser if there is one', async () => {
  await showBarcodes([UNKNOWN])
  // Chromium has it on Android and macOS only.
  const prepare = `
    globalThis.BarcodeDetector = class {
      static getSupportedFormats = async () => ['ean_13', 'upc_a', 'qr_code']
      constructor({ formats }) { globalThis.formats = formats }
      detect = async (video) => [{ rawValue: video.videoWidth > 0 ? '${EAN}' : '' }]
    }`
  const { page, context } = await openAddPage({ prepare })
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await button(page, 'Scan barcode').click()
  await page.getByText('Found by barcode').waitFor()
  expect(await page.evaluate('formats')).toEqual(['ean_13', 'upc_a'])
  expect(requested.filter((url) => url.includes('wasm'))).toEqual([])
  await context.close()
})

test('the camera works after following a link to the page', async () => {
  await showBarcodes([EAN])
  const { page, context, collection } = await openAddPage()
  await page.goto(`/collections/${collection}`)
  await page.getByRole('main').getByRole('link', { name: 'Add', exact: true }).first().click()
  await button(page, 'Scan barcode').click()
  await page.getByText('Found by barcode').waitFor()
  await context.close()
})
